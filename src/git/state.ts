import { gone, sameEntry, sameJson } from '../content/merge/entry.ts'
import type { Db } from '../db/connect.ts'
import { pageData } from '../pages/entry-data.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Entry, type Row, page } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type GitSync, findRevisionAt, listContent } from './queries.ts'

/** A state of the repository: the revision that holds it, and the entries of that revision. */
export interface State {
  at: Revision
  entries: readonly Entry[]
  oid: string | null
}

export interface KnownStates {
  /** The state that is part of the main content. */
  merged: State | undefined
  /** The state that was read or written last. */
  seen: State | undefined
}

/**
 * Returns the known states of the repository. What waited in a change request counts as merged once the request is
 * merged.
 */
export async function readStates(db: Db, sync: GitSync | undefined): Promise<KnownStates> {
  if (!sync) return { merged: undefined, seen: undefined }
  const { organization_id: organizationId, seen_line, seen_seq, seen_oid, merged_line, merged_seq, merged_oid } = sync
  const read = async (lineId: string | null, seq: number | null, oid: string | null) => {
    if (lineId === null || seq === null) return undefined
    const at = await findRevisionAt(db, organizationId, lineId, seq)
    return { at, entries: await listContent(db, at), oid }
  }
  const seen = await read(seen_line, seen_seq, seen_oid)
  const isSame = sync.request_status === 'merged' || (merged_line === seen_line && merged_seq === seen_seq)
  return { seen, merged: isSame ? seen : await read(merged_line, merged_seq, merged_oid) }
}

/** Whether two states have the same content. Edit times and what is recorded about git do not count. */
export function saySame(a: readonly Entry[], b: readonly Entry[]): boolean {
  if (a.length !== b.length) return false
  const byId = new Map(b.map((entry) => [entry.entry, entry]))
  return a.every((entry) => sameEntry(entry, byId.get(entry.entry) ?? null))
}

/** Whether nobody has written anything in the space yet: it is empty, or has the page that it started with. */
export function isBlank(entries: readonly Entry[]): boolean {
  const [only, ...others] = entries
  if (!only) return true
  return others.length === 0 && only.kind === page && only.doc === bodyHash('') && pageData(only).title === 'Untitled'
}

/** The rows that have to be written to get from one state to another. */
export function rowsBetween(before: readonly Entry[], after: readonly Entry[]): Row[] {
  const old = new Map(before.map((entry) => [entry.entry, entry]))
  const now = new Set(after.map(({ entry }) => entry))
  const changed = after.filter((entry) => {
    const was = old.get(entry.entry)
    return !was || !sameEntry(was, entry) || !sameJson(was.data?.['git'], entry.data?.['git'])
  })
  return [...changed, ...before.flatMap(({ entry, kind }) => (now.has(entry) ? [] : [gone(entry, kind, 1)]))]
}
