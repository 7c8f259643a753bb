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
  /** The pages of its main content: links from other spaces lead there. */
  main: PageTree
}

export interface Copying {
  caller: Caller
  from: CopyPlace
  to: CopyPlace
  /** One page, and those below it that come along, parents first. */
  pages: readonly [Entry, ...Entry[]]
  /** What the first of them is there. Without a slug, it is made from the title. */
  first: { title: string; slug?: string; into: string | null; at?: number }
  /** Whether they may have pages made of a specification: for guests there are none. */
  maySeeSpec(slug: string): Promise<boolean>
}
