import type { ComputedSource, PageType } from '../../pages/entry-data.ts'
import type { WrittenFields } from '../../pages/source.ts'

/** What can be set for a page apart from its position and its text. */
export type WrittenPageFields = Partial<WrittenFields>

/** A file of a repository: what git knows about it. */
export interface RepositoryFile {
  /** The git object id of its bytes. */
  oid: string
  size: number
  isExecutable?: boolean
}

export type RepositoryFiles = ReadonlyMap<string, RepositoryFile>

/** Where a link page leads: to the web, to a file of the repository, or to something by its id. */
export type BookTarget = { href: string } | { path: string; anchor?: string }

/** A page as described by the repository. */
export interface BookPage {
  type: PageType
  /** The title, used if the page's own text has none. */
  title: string
  /** The file of a document. */
  path?: string
  /** The fields that the table of contents sets for a page without a file. */
  fields: WrittenPageFields
  slug?: string
  target?: BookTarget
  computed?: ComputedSource
  pages: BookPage[]
}

/** A repository, read as documentation. */
export interface Book {
  config: LayoutConfig
  hasSummary: boolean
  pages: BookPage[]
  /** Files of reusable contents. */
  includes: string[]
  variables: Record<string, string>
  problems: Problem[]
}

/** The locations from `.gitbook.yaml`. All paths start at the top of the project. */
export interface LayoutConfig {
  /** The folder with the content. */
  root: string
  readme: string
  summary: string
  /** The files of pages, by the addresses that redirect to them. */
  redirects: ReadonlyMap<string, string>
}

export interface Problem {
  path: string
  message: string
}

/** One entry of the table of contents. */
export interface Listed {
  title: string
  /** The address as it is written. Groups have none. */
  href?: string
  /** The file of an entry that was derived from the folders, and so has no written address. */
  path?: string
  /** The title that the menu shows instead, in quotes after the address. Kept because other tools read it. */
  menuTitle?: string
  /** Fields written as YAML, for what a link cannot express. */
  fields?: Record<string, unknown>
  items: Listed[]
}
