import type { PageSource } from '../pages/source.ts'
import type { Above, Said } from './files/project.ts'
import type { MenuItem } from './html/navigation.ts'

/** A page that was found, with its text. Addresses in the text are still those of the source. */
export interface FoundPage {
  id: string
  /** The key that all of its addresses have in common. */
  key: string
  /** Where it came from, as shown to users. */
  source: string
  /** The base for relative addresses in it. */
  base: string
  title: string
  fields: PageSource['fields']
  body: string
  /** The front matter of a Markdown file. */
  head?: string
  /** Set if this is not a page, but reusable content that pages include. */
  isPiece?: true
  /** Set if its title was derived from its file name. A title in a table of contents takes precedence. */
  isUntitled?: true
  /**
   * Set if its address contains a number of the other tool, which means nothing to people. Its slug is made from its
   * title.
   */
  isNumbered?: true
  /** Its position among its siblings, used if no menu defines the order. */
  position?: number
  /** The path on its original site, as declared in the page, starting with a slash. */
  address?: string
  /** The parent page that it names, used if no menu defines its place. */
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

/** Everything that an import found, before any of it is written. */
export interface Collected {
  /** In the order in which they were found. */
  pages: FoundPage[]
  /** Alternative keys, each mapped to the key of the page that it leads to. */
  aliases: ReadonlyMap<string, string>
  /** Tables of contents written by hand for the pages. */
  contents?: readonly (readonly MenuItem[])[]
  menus: readonly (readonly MenuItem[])[]
  /** The key that all others are below. */
  root: string
  /** In an archive, the base for addresses that start with a slash. */
  top?: string
  /** Whether numbers at the start of names only define the order. */
  isNumbered?: boolean
  /** Titles and positions declared for folders, by folder key. */
  folders?: ReadonlyMap<string, Said>
  skipped: Skipped[]
  /** Variables of the space that are imported as well. */
  variables?: Readonly<Record<string, string>>
  /** The total number, including everything that was left out. */
  total: number
  /** Whether an archive contains a file with this address. */
  hasFile?(address: string): boolean
  /** Whether a link target that is not a page is imported as a file. */
  isOwnFile(address: string): boolean
  /** Throws an ImportFailure or a FetchFailure. */
  load(address: string): Promise<LoadedFile>
}

/** Receives the progress of an import. */
export interface Progress {
  found(page: { id: string; source: string }): void
  done(id: string): void
  dropped(id: string): void
}
