import type { ComputedSource, PageType } from '../../pages/entry-data.ts'
import type { WrittenFields } from '../../pages/source.ts'

/** What can be said about a page beside its place and its text. */
export type WrittenPageFields = Partial<WrittenFields>

/** A file of a repository: what git knows about it. */
export interface RepositoryFile {
  /** The name of its bytes, as git has it. */
  oid: string
  size: number
  isExecutable?: boolean
}

export type RepositoryFiles = ReadonlyMap<string, RepositoryFile>

/** Where a link page leads: to the web, to a file of the repository, or to something by its id. */
export type BookTarget = { href: string } | { path: string; anchor?: string }

/** A page as the repository has it. */
export interface BookPage {
  type: PageType
  /** What it is called where its own text does not say. */
  title: string
  /** The file of a document. */
  path?: string
  /** What the table of contents says about a page without a file. */
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

/** What `.gitbook.yaml` says about where things are. All paths start at the top of the project. */
export interface LayoutConfig {
  /** The folder with the content. */
  root: string
  readme: string
  summary: string
  /** Files of pages by the addresses that lead there. */
  redirects: ReadonlyMap<string, string>
}

export interface Problem {
  path: string
  message: string
}

/** One entry of the table of contents. */
export interface Listed {
  title: string
  /** Where it leads, as it is written there. A group leads nowhere. */
  href?: string
  /** The file it leads to, where nobody wrote that down. */
  path?: string
  /** What the menu shows instead, in quotes behind the address. Kept, since others read it. */
  menuTitle?: string
  /** What is said as YAML, for what no link can say. */
  fields?: Record<string, unknown>
  items: Listed[]
}
