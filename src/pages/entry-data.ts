import type { Data, Entry, Json } from '../content/merge/entry.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { file, reusable, top } from '../revisions/entries.ts'

/**
 * What `data` of an entry holds, by kind. Whoever writes content and whoever shows it agree here. A value that is not
 * set has no key: null is never stored, so that a field which was set and removed equals one that never was.
 */
export type PageData = {
  type: PageType
  title: string
  emoji?: string
  icon?: string
  description?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  /** The page is shown where this expression is true. */
  condition?: string
  /** Only what differs from the default. */
  layout?: Partial<PageLayout>
  cover?: PageCover
  variables?: Record<string, string | number | boolean>
  /** Of a link. */
  target?: Reference
  computed?: ComputedSource
  /** Of a page in another language: which page it says the same as, and as of which revision of that space. */
  translatedFrom?: PageOrigin
  createdAt: string
  updatedAt: string
  git?: GitFile
  /** All that stood above the body when the page was written as Markdown: what is untouched comes back byte for byte. */
  source?: string
}

export type PageType = 'document' | 'group' | 'link' | 'computed'

export const pageTypes = ['document', 'group', 'link', 'computed'] as const satisfies PageType[]

export type PageLayout = {
  width: 'default' | 'wide'
  cover: boolean
  coverSize: 'hero' | 'full'
  title: boolean
  description: boolean
  tableOfContents: boolean
  outline: boolean
  pagination: boolean
  metadata: boolean
}

export type PageCover = { ref: CoverReference; refDark?: CoverReference; yPos?: number }

export type CoverReference = { kind: 'file'; file: string } | { kind: 'url'; url: string }

/** Where something leads: `kind` says which other fields there are. */
export type Reference = { kind: string; [field: string]: Json }

export type ComputedSource = { type: string; props?: Data; dependencies?: Record<string, { ref: Reference }> }

export type PageOrigin = { page: string; revision: string }

export type GitFile = { oid: string; path: string }

export type ReusableData = { title: string; createdAt?: string; updatedAt?: string; git?: GitFile; source?: string }

/** The name of a variable is the slug of its entry. */
export type VariableData = { value: string }

export type FileData = {
  name: string
  contentType: string
  size: number
  width?: number
  height?: number
  /** The hash of its bytes. */
  blob: string
  git?: GitFile
}

export const layoutDefaults: PageLayout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
}

type WithData = Pick<Entry, 'data'>

export const pageData = (entry: WithData) => entry.data as unknown as PageData
export const fileData = (entry: WithData) => entry.data as unknown as FileData
export const reusableData = (entry: WithData) => entry.data as unknown as ReusableData
export const variableData = (entry: WithData) => entry.data as unknown as VariableData

/** For an entry that is about to be written: what is undefined has no key. */
export function asData(data: PageData | FileData | ReusableData | VariableData): Data {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))
}

/** A file of a space has no place in the tree: pages name it. */
export const newFileEntry = (id: string, data: FileData): Entry => ({
  entry: id,
  kind: file,
  state: 0,
  parent: top,
  slug: null,
  position: null,
  doc: null,
  refs: null,
  data: asData(data),
})

/** Nor has a reusable content. Its text is what is written with it. */
export const newReusableEntry = (id: string, data: ReusableData): Entry => ({
  entry: id,
  kind: reusable,
  state: 0,
  parent: top,
  slug: null,
  position: null,
  doc: bodyHash(''),
  refs: null,
  data: asData(data),
})

/**
 * What the links of a body meant when it was written, by the address in the text without its `#anchor`. An id where
 * there was something (`page:<id>`, `file:<id>`, `reusable-content:<id>`), with the path that led there behind a page's,
 * else the path it wanted (`path:guides/setup`): a rename or a move of the target then changes no row, and a page that
 * comes later is found. In front of these, another space that it leads to (`space:<id> …`); `app` is an address of this
 * installation that is no content. references.ts reads and writes them.
 */
export type Refs = Record<string, string>

export const refsOf = (entry: Pick<Entry, 'refs'>) => (entry.refs ?? {}) as Refs
