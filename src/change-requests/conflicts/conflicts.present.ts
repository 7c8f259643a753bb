import type { Static } from 'typebox'
import { type Entry, type Json, type Kind, top, valueAt } from '../../content/merge/entry.ts'
import type { ListedConflict } from './conflicts.ts'
import type { Conflict } from './conflicts.schema.ts'

const types = { 1: 'page', 2: 'file', 3: 'reusable-content', 4: 'variable' } as const satisfies Record<Kind, string>

export function presentConflict({ state, conflict, entry }: ListedConflict): Static<typeof Conflict> {
  const { id, kind, field, base, ours, theirs } = conflict
  return {
    id,
    state,
    kind,
    entry: { type: types[entry?.kind ?? 1], id: conflict.entry, title: entry ? titleOf(entry) : '' },
    field,
    base: presentSide(field, base),
    ours: presentSide(field, ours),
    theirs: presentSide(field, theirs),
  }
}

function titleOf({ slug, data }: Entry): string {
  const title = valueAt(data, 'title') ?? valueAt(data, 'name') ?? slug
  return typeof title === 'string' ? title : ''
}

function presentSide(field: string, side: Json): Json {
  if (side === null || typeof side !== 'object' || Array.isArray(side)) return side
  if (field === 'place') return { parent: parentOf(side.parent), position: side.position ?? null }
  if (field !== 'page') return side
  const { slug = null, doc, data } = side
  return {
    parent: parentOf(side.parent),
    ...(slug !== null && { slug }),
    ...(typeof doc === 'string' && { documentId: doc }),
    ...(data as Record<string, Json> | null),
  }
}

/** The top level is shown as no parent. */
const parentOf = (parent: Json | undefined) => (parent === top ? null : (parent ?? null))
