/** The limits of an import. */
export interface ImportLimits {
  /** Further pages are left out, and counted. */
  pages: number
  /** The time for everything that is fetched. After that, what was fetched so far is written. */
  collectMs: number
  assets: number
  assetBytes: number
}

/** For the operation that answers when the import is done: a request may take 120 s. */
export const atOnce: ImportLimits = { pages: 200, collectMs: 80_000, assets: 1_000, assetBytes: 250 * 1024 ** 2 }

/** For an import run. The operator configures the number of pages. */
export const inRun = (pages: number): ImportLimits => ({
  pages,
  collectMs: 30 * 60_000,
  assets: 10_000,
  assetBytes: 1024 ** 3,
})

export const limits = {
  /** Requests to one site at the same time. */
  atOnce: 4,
  tries: 3,
  /** The size of a page, as HTML. */
  pageBytes: 10 * 1024 ** 2,
  /** The time for one page, in the process that reads it. */
  readMs: 20_000,
  readerMemoryMb: 256,
  sitemaps: 50,
  sitemapBytes: 10 * 1024 ** 2,
  /** Path segments of an address. Anything deeper is an endless chain of links. */
  segments: 16,
  addressLength: 2_048,
  /** How many addresses are remembered. A site that lists more is not read to its end anyway. */
  addresses: 50_000,
  /** The characters of all pages together, which are kept in memory until the end. Further pages are left out. */
  textLength: 64 * 1024 ** 2,
  /** The characters of all menus together. The pages of further menus are arranged by their addresses. */
  menuLength: 16 * 1024 ** 2,
  /** The size of a table of contents, or of the settings that contain one. */
  contentsBytes: 1024 ** 2,
  /** The links on all pages of an import, which are kept in memory until the end. */
  links: 500_000,
  /** How many skipped sources are reported individually. */
  skipped: 1_000,
  /** The size of all pictures that are embedded in the pages of a site. They are kept in memory until the end. */
  embeddedBytes: 48 * 1024 ** 2,
  /** The size of all files that are imported together. */
  filesBytes: 100 * 1024 ** 2,
  archive: { entries: 10_000, unpackedBytes: 500 * 1024 ** 2, ratio: 100 },
} as const
