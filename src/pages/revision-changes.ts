import type { Db } from '../db/connect.ts'
import { listChanged, listWritten } from '../revisions/entries.ts'
import { findRevision } from '../revisions/lines.ts'
import { type Revision, type RevisionRow, asRevision } from '../revisions/revision.ts'
import { type LoadedChanges, changesBetween } from './changes.ts'

/** Returns what a revision changed about one page. */
export async function changesOfPageIn(db: Db, row: RevisionRow, pageId: string): Promise<LoadedChanges> {
  return changesBetween(db, await findParent(db, row), asRevision(row), [pageId], 2)
}

/** Returns what a revision changed, up to `limit` changes. */
export async function changesIn(db: Db, row: RevisionRow, limit: number, from = 0): Promise<LoadedChanges> {
  const at = asRevision(row)
  const before = await findParent(db, row)
  return changesBetween(db, before, at, await listTouched(db, before, at), limit, from)
}

/** Returns what changed on a line from one of its revisions to a later one, up to `limit` changes. */
export async function changesSince(
  db: Db,
  [before, after]: readonly [RevisionRow, RevisionRow],
  limit: number,
  from = 0,
): Promise<LoadedChanges> {
  const at = asRevision(after)
  const touched = await listChanged(db, at, before.seq)
  const ids = touched.map(({ entry }) => entry)
  return changesBetween(db, asRevision(before), at, ids, limit, from)
}

/** The same for one page. */
export async function changesOfPageSince(
  db: Db,
  [before, after]: readonly [RevisionRow, RevisionRow],
  pageId: string,
): Promise<LoadedChanges> {
  return changesBetween(db, asRevision(before), asRevision(after), [pageId], 2)
}

/** Returns the revision that this one followed: the previous one on its line, or the one that a branch started from. */
async function findParent(db: Db, { organization_id, space_id, parents }: RevisionRow): Promise<Revision | undefined> {
  const [first] = parents
  const row = first === undefined ? undefined : await findRevision(db, organization_id, space_id, first)
  return row && asRevision(row)
}

/**
 * Lists the entries that the revision wrote and, if it updated a branch to a newer main revision, those that had
 * changed on main.
 */
async function listTouched(db: Db, before: Revision | undefined, at: Revision): Promise<string[]> {
  const { base } = at
  const stoodOn = before?.base ?? (before?.lineId === base?.lineId ? before : undefined)
  const movedOn = base && stoodOn && stoodOn.seq < base.seq
  const [own, main] = await Promise.all([
    listWritten(db, at),
    movedOn ? listChanged(db, { organizationId: at.organizationId, ...base }, stoodOn.seq) : [],
  ])
  return [...new Set([...own, ...main].map(({ entry }) => entry))]
}
