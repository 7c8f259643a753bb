import type { Conflict } from './conflicts.ts'
import { Draft, type MergeInput } from './draft.ts'
import { gone, sameEntry, top, type Entry, type Row } from './entry.ts'
import { mergeFields } from './fields.ts'
import { Known, type Found, type Lookups, type Wanted } from './lookups.ts'
import { settleSlugs, type SlugNote } from './slugs.ts'
import { repairTree } from './structure.ts'

export type MergeOutcome = {
  /** The rows that differ from main once merged, by id: entries that exist, and deleted ones (state 1). */
  rows: Row[]
  /** Ids of rows below a page that main has under another parent, or not at all. */
  placed: string[]
  conflicts: Conflict[]
  slugs: SlugNote[]
  /** Bodies that neither side had, by hash. */
  bodies: Map<string, string>
  /** Link texts to resolve again, by entry: the two sides bound them to different targets. */
  unbound: Map<string, string[]>
}

/**
 * Merges over a database: merges with what is known, fetches everything that is missing at once, and merges again.
 * `first` is what the merge will need in any case.
 */
export async function mergeWith(
  fetch: (wanted: Wanted) => Promise<Found>,
  input: MergeInput,
  first?: Wanted,
): Promise<MergeOutcome> {
  const known = new Known()
  for (let wanted = first ?? null; ;) {
    if (wanted) known.add(wanted, await fetch(wanted))
    const outcome = merge(known, input)
    wanted = known.takeMissing()
    if (!wanted) return outcome
  }
}

/**
 * Does the three-way merge of a branch (its overlay over the main revision `base`) with the current state of main
 * (`theirs`). Reads what the branch touches and what that meets, never the whole space. Nobody's change is lost: if the
 * sides cannot both have their way there is a conflict, and the rows contain what the branch has until it is resolved.
 */
export function merge(lookups: Lookups, input: MergeInput): MergeOutcome {
  const draft = new Draft(input, lookups)
  for (const row of input.overlay) if (row.state !== 2) mergeEntry(draft, row)
  repairTree(draft)
  const slugs = settleSlugs(draft)
  const { conflicts, bodies, unbound } = draft
  const rows = differingRows(draft)
  return { rows, placed: placedAmong(rows, draft), conflicts: conflicts.list(), slugs, bodies, unbound }
}

function mergeEntry(draft: Draft, row: Row): void {
  const { entries, lookups, conflicts } = draft
  const ours = row.state === 0 ? row : null
  const base = lookups.base(row.entry)
  const theirs = lookups.theirs(row.entry)
  if (sameEntry(ours, base) || (!ours && !theirs)) return
  const sides = { base, ours, theirs }

  if (sameEntry(theirs, base) || sameEntry(ours, theirs)) {
    entries.set(row.entry, ours)
  } else if (!ours) {
    conflicts.add('deleted-here', row.entry, 'page', sides)
    entries.set(row.entry, theirs)
  } else if (!theirs) {
    conflicts.add('deleted-there', row.entry, 'page', sides)
    entries.set(row.entry, ours)
  } else {
    entries.set(row.entry, mergeFields(draft, { base, ours, theirs }))
  }
}

function placedAmong(rows: readonly Row[], { lookups }: Draft): string[] {
  const isPlaced = ({ entry, state, parent }: Row) =>
    state === 0 && parent !== top && lookups.theirs(entry)?.parent !== parent
  return rows.filter(isPlaced).map(({ entry }) => entry)
}

/** Entries that equal main are left out, so that main shows through. */
function differingRows({ entries, lookups }: Draft): Row[] {
  const rows: Row[] = []
  for (const [id, entry] of [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const theirs: Entry | null = lookups.theirs(id)
    if (sameEntry(entry, theirs)) continue
    if (entry) rows.push(entry)
    else if (theirs) rows.push(gone(id, theirs.kind, 1))
  }
  return rows
}
