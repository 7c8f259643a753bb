/** What an import may take. */
export interface ImportLimits {
  /** More are left out, and counted. */
  pages: number
  /** For everything that is fetched: then what is there is written. */
  collectMs: number
  assets: number
  assetBytes: number
}

/** Of the operation that answers at once: a request may take 120 s. */
export const atOnce: ImportLimits = { pages: 200, collectMs: 80_000, assets: 1_000, assetBytes: 250 * 1024 ** 2 }

/** Of a run; how many pages the operator says. */
export const inRun = (pages: number): ImportLimits => ({
  pages,
  collectMs: 30 * 60_000,
  assets: 10_000,
  assetBytes: 1024 ** 3,
})

export const limits = {
  /** Fetched at the same time from one site. */
  atOnce: 4,
  tries: 3,
  /** Of a page, as HTML. */
  pageBytes: 10 * 1024 ** 2,
  /** One page, in the process that reads it. */
  readMs: 20_000,
  readerMemoryMb: 256,
  sitemaps: 50,
  sitemapBytes: 10 * 1024 ** 2,
  /** Of an address: further down there are only traps. */
  segments: 16,
  addressLength: 2_048,
  /** That are kept in mind: a site that lists more is not read to its end anyway. */
  addresses: 50_000,
  /** What did not come is told one by one up to here. */
  skipped: 1_000,
  /** Pictures that stand in pages as text, of a whole site: they are kept in memory until the end. */
  embeddedBytes: 48 * 1024 ** 2,
  /** Of all files that are imported together. */
  filesBytes: 100 * 1024 ** 2,
  archive: { entries: 10_000, unpackedBytes: 500 * 1024 ** 2, ratio: 100 },
} as const
