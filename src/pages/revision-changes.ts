import type { Db } from '../db/connect.ts'
import { listChanged, listWritten } from '../revisions/entries.ts'
import { findRevision } from '../revisions/lines.ts'
import { type Revision, type RevisionRow, asRevision } from '../revisions/revision.ts'
import { type LoadedChanges, changesBetween } from './changes.ts'

/** What a revision changed about one page. */
export async function changesOfPageIn(db: Db, row: RevisionRow, pageId: string): Promise<LoadedChanges> {
  return changesBetween(db, await findParent(db, row), asRevision(row), [pageId], 2)
}

/** What a revision changed, at most `limit` of it. */
export async function changesIn(db: Db, row: RevisionRow, limit: number, from = 0): Promise<LoadedChanges> {
  const at = asRevision(row)
  const before = await findParent(db, row)
  return changesBetween(db, before, at, await listTouched(db, before, at), limit, from)
}

/** What changed on a line from one of its revisions to a later one, at most `limit` of it. */
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

/** The same of one page. */
export async function changesOfPageSince(
  db: Db,
  [before, after]: readonly [RevisionRow, RevisionRow],
  pageId: string,
): Promise<LoadedChanges> {
  return changesBetween(db, asRevision(before), asRevision(after), [pageId], 2)
}

/** The revision that this one followed: the one before it on its line, or the one a branch started from. */
async function findParent(db: Db, { organization_id, space_id, parents }: RevisionRow): Promise<Revision | undefined> {
  const [first] = parents
  const row = first === undefined ? undefined : await findRevision(db, organization_id, space_id, first)
  return row && asRevision(row)
}

/** What it wrote and, where it brought a branch up to a newer main revision, what had changed there. */
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
