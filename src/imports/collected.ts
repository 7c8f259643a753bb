import type { PageSource } from '../pages/source.ts'
import type { Above, Said } from './files/project.ts'
import type { MenuItem } from './html/navigation.ts'

/** A page that was found, with its text. Addresses in it are still those of where it came from. */
export interface FoundPage {
  id: string
  /** What all its addresses have in common. */
  key: string
  /** Where it was, for people. */
  source: string
  /** Where relative addresses in it start. */
  base: string
  title: string
  fields: PageSource['fields']
  body: string
  /** What stood above the body of a Markdown file. */
  head?: string
  /** It is no page, but a reusable content that pages include. */
  isPiece?: true
  /** Its title is made of the name of its file: a table of contents knows better. */
  isUntitled?: true
  /** Its address says nothing to people: it gets one from its title. */
  isNumbered?: true
  /** Among those beside it, where no menu says it. */
  position?: number
  /** Where it says it was on its site, from the top. */
  address?: string
  /** The page that it stands below, where no menu says it. */
  above?: Above
}

export interface Skipped {
  source: string
  reason: string
}

export interface LoadedFile {
  name: string
  contentType: string | undefined
  bytes: Uint8Array
}

/** All that an import found, before any of it is written. */
export interface Collected {
  /** In the order in which they were found. */
  pages: FoundPage[]
  /** Keys that lead to a page with another key. */
  aliases: ReadonlyMap<string, string>
  /** Tables of contents that somebody wrote for the pages. */
  contents?: readonly (readonly MenuItem[])[]
  menus: readonly (readonly MenuItem[])[]
  /** The key that all others are below. */
  root: string
  /** Where an address begins that starts with a slash, in an archive. */
  top?: string
  /** Numbers in front of names only put them in order. */
  isNumbered?: boolean
  /** What is said about folders, by their keys. */
  folders?: ReadonlyMap<string, Said>
  skipped: Skipped[]
  /** Variables of the space that came along. */
  variables?: Readonly<Record<string, string>>
  /** With those that were left out. */
  total: number
  /** Whether there is such a file in an archive. */
  hasFile?(address: string): boolean
  /** Whether something that a page links to, and that is no page, comes along as a file. */
  isOwnFile(address: string): boolean
  /** Fails with an ImportFailure or a FetchFailure. */
  load(address: string): Promise<LoadedFile>
}

/** How far an import is, for whoever looks. */
export interface Progress {
  found(page: { id: string; source: string }): void
  done(id: string): void
  dropped(id: string): void
}
