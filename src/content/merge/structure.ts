import type { Draft } from './draft.ts'
import { top } from './entry.ts'
import { placeOf } from './fields.ts'

/**
 * Makes the separately merged entries a tree: a page whose parent is gone gets it back, and moves that close a cycle
 * are undone. Each repair may make the other necessary. This terminates: restored pages stay, pages put back to main's
 * place stay there, and main alone has no cycle.
 */
export function repairTree(draft: Draft): void {
  do bringBackParents(draft)
  while (breakCycles(draft))
}

function bringBackParents(draft: Draft): void {
  const todo = [...draft.entries.keys()]
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    const entry = draft.entries.get(id)
    const missing = entry ? missingParent(draft, entry.parent) : keptBelow(draft, id) ? id : null
    if (missing !== null && bringBack(draft, missing)) todo.push(missing)
  }
}

function missingParent(draft: Draft, parent: string): string | null {
  return parent !== top && draft.parentOf(parent) === null ? parent : null
}

/** Whether main has a page below one that the branch deletes, and the merge has no result for that page. */
function keptBelow({ entries, lookups }: Draft, id: string): boolean {
  return lookups.childrenOf(id).some((child) => !entries.has(child.entry))
}

/** Brings back a page from the side that still has it, as a place for the pages below it. */
function bringBack({ entries, lookups, conflicts }: Draft, id: string): boolean {
  const deletedHere = entries.has(id)
  const back = deletedHere ? lookups.theirs(id) : lookups.baseWithAncestors(id)
  // Not known yet, see `Known`.
  if (!back) return false

  entries.set(id, back)
  const sides = deletedHere ? { ours: null, theirs: back } : { ours: back, theirs: null }
  const kind = deletedHere ? 'parent-deleted-here' : 'parent-deleted-there'
  conflicts.add(kind, id, 'page', { base: lookups.base(id), ...sides })
  return true
}

/** Puts back the pages that the branch moved into a cycle. Returns whether there were any. */
function breakCycles(draft: Draft): boolean {
  const clear = new Set<string>([top])
  let moved = false
  for (const start of draft.entries.keys()) {
    const path: string[] = []
    let at: string | null = start
    while (at !== null && !clear.has(at)) {
      clear.add(at)
      path.push(at)
      at = draft.parentOf(at)
    }
    const first = at === null ? -1 : path.indexOf(at)
    if (first !== -1) for (const id of path.slice(first)) moved = putBack(draft, id) || moved
  }
  return moved
}

function putBack({ entries, lookups, conflicts }: Draft, id: string): boolean {
  const entry = entries.get(id)
  const theirs = entry ? lookups.theirs(id) : null
  if (!entry || !theirs || entry.parent === theirs.parent) return false

  entries.set(id, { ...entry, ...placeOf(theirs) })
  const base = lookups.base(id)
  const sides = { base: base && placeOf(base), ours: placeOf(entry), theirs: placeOf(theirs) }
  conflicts.add('cycle', id, 'place', sides)
  return true
}
