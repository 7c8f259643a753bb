import type { Caller } from '../../access/caller.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { Entry } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'

/** Content of a space, as it is read. */
export interface CopyPlace {
  space: Pick<SpaceRow, 'organization_id' | 'id' | 'title'>
  at: Revision
  tree: PageTree
  /** The pages of the main content: links from other spaces lead there. */
  main: PageTree
}

export interface Copying {
  caller: Caller
  from: CopyPlace
  to: CopyPlace
  /** A page, and the pages below it that are copied along, parents first. */
  pages: readonly [Entry, ...Entry[]]
  /** What the first of them is in the destination. Without a slug, the slug is made from the title. */
  first: { title: string; slug?: string; into: string | null; at?: number }
  /** Whether the caller may use pages generated from this specification. Guests see no specifications. */
  maySeeSpec(slug: string): Promise<boolean>
}
