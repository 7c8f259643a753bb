import { setImmediate as breathe } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { linksWithRepeated } from '../content/links.ts'
import { parse } from '../content/parse.ts'
import type { Database } from '../db/connect.ts'
import { storable } from '../db/storable.ts'
import { type WrittenDocument, linksOf as boundLinksOf } from '../editing/documents.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { discard, keepBlobs } from '../files/blobs.ts'
import { percentDecoded } from '../percent.ts'
import type { BlobStore } from '../storage/store.ts'
import { anchorsOf } from './anchors.ts'
import { type Asset, gatherAssets } from './assets.ts'
import type { Collected, FoundPage, Progress, Skipped } from './collected.ts'
import { Cover } from './covers.ts'
import { ImportFailure } from './failure.ts'
import { type GivenFile, collectFiles } from './files/collect.ts'
import type { FileKind } from './files/kinds.ts'
import { type FoundLink, PageTargets, linksOf, rewriteLinks, wantsFile, withoutAnchor } from './links.ts'
import { type ImportLimits, limits as importLimits } from './limits.ts'
import { pauses } from '../pauses.ts'
import { PageReader } from './reader/reading.ts'
import { tidyMemory } from './tidy.ts'
import { type TreeNode, treeOf } from './tree.ts'
import { crawl } from './web/crawl.ts'
import { Site } from './web/site.ts'

export type Source =
  | { type: 'website'; url: string }
  | { type: 'address'; url: string; kind: FileKind }
  | { type: 'files'; read: () => Promise<(GivenFile & { kind: FileKind })[]> }

export interface Preparing {
  fetcher: Fetcher
  config: Config
  limits: ImportLimits
  /** The language of the target space. */
  language: string | null
  progress: Progress
  stopping: AbortSignal
}

/** Everything that is to be written. It is complete before a transaction begins. */
export interface PreparedImport {
  tree: TreeNode[]
  root: string
  documents: ReadonlyMap<string, WrittenDocument>
  files: Asset[]
  pages: FoundPage[]
  /** Reusable contents. */
  pieces: FoundPage[]
  variables: Readonly<Record<string, string>>
  skipped: Skipped[]
  total: number
  /** Called before anything is written that refers to the files. */
  keepFiles(db: Database, store: BlobStore, organizationId: string): Promise<void>
  /** Called after writing, or after a failure: discards the files that were not kept. */
  cleanUp(): Promise<void>
}

/** Fetches, unpacks and reads everything that is imported. Throws an ImportFailure or a FetchFailure. */
export async function prepareImport(source: Source, preparing: Preparing): Promise<PreparedImport> {
  const until = performance.now() + preparing.limits.collectMs
  const reader = new PageReader(preparing.language)
  try {
    const found = await collect(source, preparing, reader, until)
    if (found.pages.every(({ isPiece }) => isPiece)) throw nothingThere(found)
    return await settle(found, preparing, until)
  } finally {
    reader.close()
  }
}

async function collect(source: Source, preparing: Preparing, reader: PageReader, until: number): Promise<Collected> {
  const { fetcher, config, limits, language, progress, stopping } = preparing
  const site = new Site(fetcher, { until, stopping })
  const maxFileBytes = config.limits.uploadBytes
  if (source.type === 'website') {
    const pagesUntil = until - limits.collectMs / 4
    return crawl(source.url, { site, reader, progress, limits, maxFileBytes, until: pagesUntil })
  }
  const download = async (address: string) => {
    const { bytes, contentType } = await site.fetch(address, maxFileBytes)
    return { name: nameOf(address), contentType: contentType?.split(';')[0]?.trim(), bytes }
  }
  const reading = { reader, progress, limits, language, maxFileBytes, stopping, download }
  if (source.type === 'files') return collectFiles(await source.read(), reading)
  const { url, kind } = source
  const { bytes, contentType, url: at } = await site.fetch(url, config.limits.importBytes)
  return collectFiles([{ kind, bytes, contentType, url: at, name: nameOf(at) }], reading)
}

function nothingThere({ skipped: [first] }: Collected): ImportFailure {
  return new ImportFailure('empty', first ? `contains no pages: ${first.source} ${first.reason}` : 'contains no pages')
}

const pagesBetweenTidying = 100

/** Places pages in their tree, loads their files, and rewrites their links. */
async function settle(found: Collected, preparing: Preparing, until: number): Promise<PreparedImport> {
  const { config, limits, stopping } = preparing
  const targets = new PageTargets(found)
  const linksByPage = new Map<FoundPage, FoundLink[]>()
  const wanted = new Set<string>()
  const pause = pauses()
  let left: number = importLimits.links
  for (const page of found.pages) {
    // Long texts take a while, so other work gets its turn in between.
    await breathe()
    if (linksByPage.size % pagesBetweenTidying === pagesBetweenTidying - 1) await tidyMemory()
    const places = linksWithRepeated(parse(page.body))
    left -= places.length
    if (left < 0) throw new ImportFailure('too-large', `has more than ${importLimits.links} links on its pages`)
    const links = await linksOf(page, places, found, targets)
    linksByPage.set(page, links)
    for (const link of links) {
      await pause()
      if (wantsFile(link, found, targets)) wanted.add(withoutAnchor(link.address))
    }
    for (const address of new Cover(page, found).addresses) wanted.add(address)
  }
  const assets = await gatherAssets([...wanted], found, { config, limits, stopping, until })
  const anchors = await anchorsOf(linksByPage.values(), targets)
  const documents = new Map<string, WrittenDocument>()
  for (const [page, links] of linksByPage) {
    await breathe()
    if (documents.size % pagesBetweenTidying === pagesBetweenTidying - 1) await tidyMemory()
    const body = storable(await rewriteLinks(page, links, targets, assets.byAddress, anchors))
    const fields = { ...page.fields, ...new Cover(page, found).fields(assets.byAddress) }
    documents.set(page.id, { fields, body, source: page.head, links: boundLinksOf(body) })
    // The original text is not needed any more, and all originals together are as large as the results.
    linksByPage.delete(page)
    page.body = ''
  }
  const files = [...assets.byAddress.values()]
  const incoming = files.map((file) => file.incoming)
  const pages = found.pages.filter(({ isPiece }) => !isPiece)
  return {
    tree: treeOf({ ...found, pages }),
    root: found.root,
    documents,
    files,
    pages,
    pieces: found.pages.filter(({ isPiece }) => isPiece),
    variables: found.variables ?? {},
    skipped: [...found.skipped, ...assets.skipped],
    total: found.total,
    keepFiles: (db, store, organizationId) => keepBlobs(db, store, organizationId, incoming),
    cleanUp: () => discard(incoming),
  }
}

function nameOf(address: string): string {
  const name = new URL(address).pathname.split('/').findLast(Boolean) ?? 'file'
  return percentDecoded(name) ?? name
}
