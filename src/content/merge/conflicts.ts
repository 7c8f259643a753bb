import { createHash } from 'node:crypto'
import type { Json } from './entry.ts'
import { hasMarkers } from './markers.ts'

export type ConflictKind =
  | 'field'
  | 'body'
  | 'place'
  | 'cycle'
  | 'deleted-here'
  | 'deleted-there'
  | 'parent-deleted-here'
  | 'parent-deleted-there'

/**
 * A disagreement that only a person can decide, with the values that both sides wanted. `field` is `page` if the
 * conflict is about all of it.
 */
export type Conflict = {
  id: string
  kind: ConflictKind
  entry: string
  field: string
  base: Json
  ours: Json
  theirs: Json
}

/** The two revisions that are merged. */
export type Revisions = { ours: string; theirs: string }

/** The conflicts of one merge: at most one for each field of an entry. A later one replaces an earlier one. */
export class Conflicts {
  private readonly revisions: Revisions
  private readonly found = new Map<string, Conflict>()

  constructor(revisions: Revisions) {
    this.revisions = revisions
  }

  add(kind: ConflictKind, entry: string, field: string, sides: Sides): Conflict {
    const { base = null, ours = null, theirs = null } = sides
    const id = conflictId(this.revisions, entry, field, [ours, theirs])
    const conflict = { id, kind, entry, field, base, ours, theirs }
    this.found.set(`${entry} ${field}`, conflict)
    return conflict
  }

  list(): Conflict[] {
    return [...this.found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, conflict]) => conflict)
  }
}

type Sides = { base: Json | undefined; ours: Json | undefined; theirs: Json | undefined }

/**
 * Derives the id from what the conflict is about, so that a conflict has the same id each time the same two revisions
 * are compared. The id occurs in neither side, otherwise its marker lines could not be distinguished from the text
 * between them.
 */
function conflictId({ ours, theirs }: Revisions, entry: string, field: string, sides: Json[]): string {
  for (let attempt = 0; ; attempt++) {
    const hash = createHash('sha256')
      .update(JSON.stringify([ours, theirs, entry, field, attempt]))
      .digest('hex')
    const id = asUuid(hash)
    if (!sides.some((side) => typeof side === 'string' && side.includes(id))) return id
  }
}

/** Formats a hash as a UUID of version 8, which leaves the other bits to the application. */
function asUuid(hash: string): string {
  const variant = '89ab'[parseInt(hash[16]!, 16) & 3]
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** One change in a write to a branch, with the information that can settle conflicts. */
export type Change = {
  entry: string
  /** Deleted, or reset to its state on main. */
  removed?: boolean
  /**
   * The fields that the write names, whether their values are new or not: `title`, `layout`, `layout.cover`, `slug`,
   * `place`.
   */
  fields?: readonly string[]
  /** The new body. */
  body?: string
}

/** Whether a change closes the record of a conflict. */
export function resolvedBy(conflict: Conflict, change: Change): boolean {
  if (change.entry !== conflict.entry) return false
  if (change.removed) return true
  switch (conflict.kind) {
    case 'body':
      return change.body !== undefined && !hasMarkers(change.body, conflict.id)
    case 'field':
    case 'place':
    case 'cycle':
      return change.fields?.some((field) => names(field, conflict.field)) ?? false
    case 'deleted-here':
    case 'deleted-there':
    case 'parent-deleted-here':
    case 'parent-deleted-there':
      return true
  }
}

/** Whether a write names a field. Writing all of `variables` names each of them. */
function names(written: string, field: string): boolean {
  return field === written || field.startsWith(`${written}.`)
}
