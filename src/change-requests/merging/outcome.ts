import { type Row, top } from '../../content/merge/entry.ts'
import type { Found, Wanted } from '../../content/merge/lookups.ts'
import { type MergeOutcome, mergeWith } from '../../content/merge/merge.ts'
import type { Db } from '../../db/connect.ts'
import { Recent } from '../../recent.ts'
import { bodyHash, listBodies } from '../../revisions/bodies.ts'
import { listChildren, listEntries, listOccupants, listOverlay, listWithAncestors } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import { mergeApart } from './line-merges.ts'
import { rebind } from './rebind.ts'

/** What a merge of a branch into main would do, and the overlay of the branch. */
export type BranchOutcome = MergeOutcome & { overlay: Row[] }

/**
 * Works out the merge of a branch into a revision of main. Both are immutable, and so is the outcome: if it was
 * computed to show the conflicts to expect, it is cached for the merge. `known` is the overlay of the branch, if the
 * caller has read it already.
 */
export async function branchOutcome(db: Db, branch: Revision, main: Revision, known?: Row[]): Promise<BranchOutcome> {
  const key = `${branch.lineId} ${branch.seq} ${main.id}`
  const kept = outcomes.get(key)
  if (kept) return kept

  const overlay = known ?? (await listOverlay(db, branch))
  const revisions = { ours: branch.id, theirs: main.id }
  const outcome = await outcomeOf(db, { overlay, base: baseOf(branch), main, revisions })
  const whole = { ...outcome, overlay }
  const bytes = bytesOf(whole)
  if (bytes <= largestKept) outcomes.set(key, whole, bytes)
  return whole
}

interface Sides {
  overlay: Row[]
  /** The two revisions of the main line: the one the overlay is based on, and the one it is merged into. */
  base: Revision
  main: Revision
  revisions: { ours: string; theirs: string }
}

/**
 * Reads the entries that the overlay touches, then whatever those lead to. Edits of pages that stay in place take one
 * round trip.
 */
export async function outcomeOf(db: Db, { overlay, base, main, revisions }: Sides): Promise<MergeOutcome> {
  const fetch = (wanted: Wanted) => fetchFrom(db, base, main, wanted)
  const first = overlay.length > 0 ? firstWanted(overlay) : undefined
  const outcome = await mergeWith(fetch, { overlay, revisions, hash: bodyHash }, first)
  return { ...outcome, rows: await rebind(db, main, outcome) }
}

/**
 * What the merge would ask for in its first rounds. Without all of this, it would also ask for addresses that it does
 * not need.
 */
function firstWanted(overlay: Row[]): Wanted {
  const said = overlay.filter(({ state }) => state !== 2)
  const ids = said.map(({ entry }) => entry)
  const parents = new Set(said.flatMap(({ parent }) => (parent === null || parent === top ? [] : [parent])))
  return {
    base: ids,
    baseAncestors: [],
    theirs: ids.filter((id) => !parents.has(id)),
    ancestors: [...parents],
    children: said.filter(({ state }) => state === 1).map(({ entry }) => entry),
    slots: [],
    bodies: [],
    lines: [],
  }
}

/** One round trip: all statements are sent at once. */
async function fetchFrom(db: Db, base: Revision, main: Revision, wanted: Wanted): Promise<Found> {
  const [atBase, baseAncestors, theirs, ancestors, children, slots, bodies, lines] = await Promise.all([
    listEntries(db, base, wanted.base),
    listWithAncestors(db, base, wanted.baseAncestors),
    listEntries(db, main, wanted.theirs),
    listWithAncestors(db, main, wanted.ancestors),
    listChildren(db, main, wanted.children),
    listOccupants(db, main, wanted.slots),
    listBodies(db, main.organizationId, wanted.bodies),
    Promise.all(wanted.lines.map(async ({ key, texts }) => ({ key, merge: await mergeApart(texts) }))),
  ])
  return { base: [...atBase, ...baseAncestors], theirs: [...theirs, ...ancestors], children, slots, bodies, lines }
}

/** The main revision that a branch is based on, for reading. Nothing needs its id, so that is empty. */
export function baseOf({ organizationId, base }: Revision): Revision {
  return { organizationId, lineId: base!.lineId, seq: base!.seq, id: '', base: undefined }
}

const outcomes = new Recent<BranchOutcome>(16 * 1024 * 1024)
const largestKept = 4 * 1024 * 1024

/** Approximate size in bytes: bodies and both sides of conflicts are most of it. */
function bytesOf({ rows, overlay, conflicts, bodies }: BranchOutcome): number {
  let bytes = 1_000 + (rows.length + overlay.length) * 500
  for (const markdown of bodies.values()) bytes += markdown.length
  for (const { base, ours, theirs } of conflicts) bytes += JSON.stringify([base, ours, theirs]).length
  return bytes
}
