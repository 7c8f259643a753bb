import { type Data, type Entry, type Json, newEntry } from '../content/merge/entry.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { file, reusable } from '../revisions/entries.ts'

/**
 * The contents of `data` of an entry, by kind, shared by the code that writes content and the code that shows it. A
 * value that is not set has no key. Null is never stored, so that a field which was set and removed equals one that was
 * never set.
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
  /** The page is shown if this expression is true. */
  condition?: string
  /** Only what differs from the default. */
  layout?: Partial<PageLayout>
  cover?: PageCover
  variables?: Record<string, string | number | boolean>
  /** Only for links. */
  target?: Reference
  computed?: ComputedSource
  /** For a translated page: the page it was translated from, and the revision of that space. */
  translatedFrom?: PageOrigin
  createdAt: string
  updatedAt: string
  git?: GitFile
  /**
   * Everything above the body when the page was written as Markdown. Parts that have not changed are returned byte for
   * byte.
   */
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

/** The target of a link. `kind` determines the other fields. */
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
  /** The hash of the file's bytes. */
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

/** Converts data for an entry that is about to be written: undefined values have no key. */
export function asData(data: PageData | FileData | ReusableData | VariableData): Data {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))
}

/** A file of a space has no place in the tree: pages refer to it. */
export const newFileEntry = (id: string, data: FileData): Entry => ({ ...newEntry(id, file), data: asData(data) })

/** A reusable content has no place in the tree either. Its text is added by the same write. */
export const newReusableEntry = (id: string, data: ReusableData): Entry => ({
  ...newEntry(id, reusable),
  doc: bodyHash(''),
  data: asData(data),
})

/**
 * What the links of a body referred to when it was written, by their address in the text without the `#anchor`. If the
 * target existed, this is its id (`page:<id>`, `file:<id>`, `reusable-content:<id>`), for a page followed by the path
 * that led to it; otherwise the path that was wanted (`path:guides/setup`). This way a rename or a move of the target
 * changes no row, and a page that is added later is found. A link to another space has a prefix (`space:<id> …`). `app`
 * is an address of this installation that is not content. references.ts reads and writes these values.
 */
export type Refs = Record<string, string>

export const refsOf = (entry: Pick<Entry, 'refs'>) => (entry.refs ?? {}) as Refs
