import type { Draft } from './draft.ts'
import { samePlace, sameJson, unmerged, valueAt, type Data, type Entry, type Json } from './entry.ts'
import { writeMarkers } from './markers.ts'
import { mergeSource } from './source.ts'

/** The three states of an entry that both sides have and have changed. */
export type Sides = { base: Entry | null; ours: Entry; theirs: Entry }

/**
 * Merges an entry field by field. If both sides changed a field differently, the result has ours and the conflict is
 * recorded.
 */
export function mergeFields(draft: Draft, sides: Sides): Entry {
  const { ours, theirs } = sides
  return {
    ...ours,
    ...mergePlace(draft, sides),
    slug:
      mergeValue(
        draft,
        ours.entry,
        'slug',
        pick(sides, (entry) => entry.slug),
      ) ?? null,
    doc: mergeBody(draft, sides),
    refs: mergeRefs(draft, sides),
    data: ours.data || theirs.data ? mergeData(draft, sides) : null,
  }
}

type Values<Value> = { base: Value | undefined; ours: Value; theirs: Value }

function pick<Value>({ base, ours, theirs }: Sides, read: (entry: Entry) => Value): Values<Value> {
  return { base: base ? read(base) : undefined, ours: read(ours), theirs: read(theirs) }
}

/** Returns the value if at most one side changed it, or both changed it alike. Otherwise returns null. */
function settle<Value extends Json | undefined>({ base, ours, theirs }: Values<Value>): { value: Value } | null {
  if (sameJson(ours, theirs) || sameJson(theirs, base)) return { value: ours }
  if (sameJson(ours, base)) return { value: theirs }
  return null
}

function mergeValue<Value extends Json | undefined>(
  draft: Draft,
  entry: string,
  field: string,
  values: Values<Value>,
): Value {
  const settled = settle(values)
  if (settled) return settled.value
  draft.conflicts.add('field', entry, field, values)
  return values.ours
}

/** Merges parent and position as one: a position means nothing below another parent. */
function mergePlace(draft: Draft, { base, ours, theirs }: Sides): { parent: string; position: string | null } {
  if (samePlace(ours, theirs) || samePlace(theirs, base)) return placeOf(ours)
  if (samePlace(ours, base)) return placeOf(theirs)
  const sides = { base: base ? placeOf(base) : null, ours: placeOf(ours), theirs: placeOf(theirs) }
  draft.conflicts.add('place', ours.entry, 'place', sides)
  return placeOf(ours)
}

export function placeOf({ parent, position }: Entry): { parent: string; position: string | null } {
  return { parent, position }
}

function mergeBody(draft: Draft, sides: Sides): string | null {
  const hashes = pick(sides, (entry) => entry.doc)
  const settled = settle(hashes)
  if (settled) return settled.value

  const read = (hash: string | null | undefined) => (hash ? draft.lookups.body(hash) : '')
  const texts = { base: read(hashes.base), ours: read(hashes.ours), theirs: read(hashes.theirs) }
  const merge = draft.lookups.lines(hashes, texts)
  let text = merge.text
  if (merge.conflicts.length > 0) {
    text = writeMarkers(merge, draft.conflicts.add('body', sides.ours.entry, 'body', texts).id)
  }
  const hash = draft.input.hash(text)
  if (hash !== hashes.ours && hash !== hashes.theirs) draft.bodies.set(hash, text)
  return hash
}

/**
 * Merges the targets of the links in the body. Link texts on which the sides disagree are removed, to be resolved again
 * for the merged body.
 */
function mergeRefs(draft: Draft, sides: Sides): Data | null {
  const values = pick(sides, (entry) => entry.refs)
  const settled = settle(values)
  if (settled) return settled.value

  const refs: Data = { ...values.theirs, ...values.ours }
  const unbound = Object.keys(refs).filter((text) => {
    const [ours, theirs] = [valueAt(values.ours, text), valueAt(values.theirs, text)]
    return ours !== undefined && theirs !== undefined && !sameJson(ours, theirs)
  })
  for (const text of unbound) delete refs[text]
  if (unbound.length > 0) draft.unbound.set(sides.ours.entry, unbound)
  return refs
}

/** Fields whose own keys are merged one by one. */
const nested: ReadonlySet<string> = new Set(['layout', 'variables'])

function mergeData(draft: Draft, sides: Sides): Data {
  const { base, ours, theirs } = pick(sides, (entry) => entry.data)
  const data = new Map<string, Json>()
  for (const key of new Set([...Object.keys(ours ?? {}), ...Object.keys(theirs ?? {})])) {
    const values = { base: valueAt(base, key), ours: valueAt(ours, key), theirs: valueAt(theirs, key) }
    const value = unmerged.has(key)
      ? (values.theirs ?? values.ours)
      : nested.has(key)
        ? mergeNested(draft, sides.ours.entry, key, values)
        : key === 'source'
          ? mergeHead(draft, sides.ours.entry, values)
          : mergeValue(draft, sides.ours.entry, key, values)
    if (value !== undefined) data.set(key, value)
  }
  return Object.fromEntries(data)
}

function mergeNested(draft: Draft, entry: string, field: string, values: Values<Json | undefined>): Json | undefined {
  const settled = settle(values)
  if (settled) return settled.value

  const [base, ours, theirs] = [asData(values.base), asData(values.ours), asData(values.theirs)]
  const merged = new Map<string, Json>()
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const inner = { base: valueAt(base, key), ours: valueAt(ours, key), theirs: valueAt(theirs, key) }
    const value = mergeValue(draft, entry, `${field}.${key}`, inner)
    if (value !== undefined) merged.set(key, value)
  }
  // An empty field is left out.
  return merged.size > 0 ? Object.fromEntries(merged) : undefined
}

/** Merges the part of a page's Markdown above its body, as it was written. */
function mergeHead(draft: Draft, entry: string, values: Values<Json | undefined>): Json | undefined {
  if (settle(values)) return mergeValue(draft, entry, 'source', values)
  const merged = mergeSource(asText(values.base), asText(values.ours), asText(values.theirs))
  if (merged === null) return mergeValue(draft, entry, 'source', values)
  return merged || undefined
}

const asText = (value: Json | undefined) => (typeof value === 'string' ? value : '')

function asData(value: Json | undefined): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
