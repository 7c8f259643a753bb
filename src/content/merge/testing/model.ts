import { top, type Entry } from '../entry.ts'
import { mergeLines } from '../lines.ts'
import { writeMarkers } from '../markers.ts'

/** A whole space: every entry that exists. */
export type Space = ReadonlyMap<string, Entry>

export type ModelMerge = { space: Space; conflicts: string[] }

/**
 * A second implementation of the merge, for tests: over three whole spaces, without overlays and lookups, and as plain
 * as possible. An entry is a flat list of fields, all of them text. Bodies are kept in place of their hashes.
 *
 * It shares the line merge with the merge that it is compared to, because the line merge has its own tests, against
 * git.
 */
export function mergeSpaces(base: Space, ours: Space, theirs: Space, idOf: (field: string) => string): ModelMerge {
  const conflicts = new Map<string, string>()
  const space = new Map<string, Entry>()
  const note = (id: string, field: string, kind: string) => conflicts.set(`${id} ${field}`, kind)

  for (const id of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [b, o, t] = [flat(base.get(id)), flat(ours.get(id)), flat(theirs.get(id))]
    const [was, mine, other] = [text(b), text(o), text(t)]
    let entry: Entry | undefined
    if (mine === was || mine === other) entry = theirs.get(id)
    else if (other === was) entry = ours.get(id)
    else if (!o) {
      entry = theirs.get(id)
      note(id, 'page', 'deleted-here')
    } else if (!t) {
      entry = ours.get(id)
      note(id, 'page', 'deleted-there')
    } else entry = mergeFlat(id, b ?? new Map(), o, t)
    if (entry) space.set(id, entry)
  }
  do while (adoptOrphan()) {}
  while (undoCycle())
  giveSlugs()
  return { space, conflicts: [...conflicts].map(([key, kind]) => `${key} ${kind}`).toSorted() }

  function mergeFlat(id: string, b: Flat, o: Flat, t: Flat): Entry {
    const merged: Flat = new Map()
    for (const field of new Set([...b.keys(), ...o.keys(), ...t.keys()])) {
      const [was, mine, other] = [b.get(field), o.get(field), t.get(field)]
      let value = mine
      if (mine === was) value = other
      else if (mine !== other && other !== was) {
        if (field === 'body') value = mergeBodies(id, was, mine, other)
        else note(id, field, field === 'place' ? 'place' : 'field')
      }
      if (value !== undefined) merged.set(field, value)
    }
    return unflat(merged, ours.get(id)!)
  }

  function mergeBodies(id: string, ...[was, mine, other]: (string | undefined)[]): string {
    const merge = mergeLines(bodyOf(was), bodyOf(mine), bodyOf(other))
    if (merge.conflicts.length === 0) return JSON.stringify(asDoc(merge.text))
    note(id, 'body', 'body')
    return JSON.stringify(asDoc(writeMarkers(merge, idOf(`${id} body`))))
  }

  /** Brings back the missing parent of one page. */
  function adoptOrphan(): boolean {
    for (const { parent } of space.values()) {
      if (parent === top || space.has(parent)) continue
      const here = !ours.has(parent)
      space.set(parent, (here ? theirs : ours).get(parent)!)
      note(parent, 'page', here ? 'parent-deleted-here' : 'parent-deleted-there')
      return true
    }
    return false
  }

  /** Undoes the branch's moves within one cycle. */
  function undoCycle(): boolean {
    for (const id of space.keys()) {
      const circle = [id]
      while (space.has(space.get(circle.at(-1)!)!.parent) && circle.length <= space.size) {
        circle.push(space.get(circle.at(-1)!)!.parent)
        if (circle.at(-1) === id) break
      }
      if (circle.length === 1 || circle.at(-1) !== id) continue
      for (const member of new Set(circle)) {
        const [entry, main] = [space.get(member)!, theirs.get(member)]
        if (!main || main.parent === entry.parent) continue
        space.set(member, { ...entry, parent: main.parent, position: main.position })
        note(member, 'place', 'cycle')
      }
      return true
    }
    return false
  }

  function giveSlugs(): void {
    const address = (entry: Entry | undefined) => entry && `${entry.parent} ${entry.kind} ${entry.slug}`
    const named = [...space.values()].filter((entry) => entry.slug !== null)
    const stays = (entry: Entry) => address(theirs.get(entry.entry)) === address(entry)
    const rank = (entry: Entry) => (stays(entry) ? 0 : base.has(entry.entry) ? 1 : 2)
    const taken = new Set<string>()
    for (const entry of named.toSorted((a, b) => rank(a) - rank(b) || (a.entry < b.entry ? -1 : 1))) {
      let slug = entry.slug!
      for (let n = 1; taken.has(address({ ...entry, slug })!); n++) slug = `${entry.slug}-${n}`
      taken.add(address({ ...entry, slug })!)
      space.set(entry.entry, { ...entry, slug })
    }
  }
}

/** Bodies are their own hashes. */
export const asDoc = (markdown: string) => `body:${markdown}`
export const fromDoc = (doc: string) => doc.slice('body:'.length)

type Flat = Map<string, string>

function bodyOf(value: string | undefined): string {
  const doc = value === undefined ? null : (JSON.parse(value) as string | null)
  return doc === null ? '' : fromDoc(doc)
}

function flat(entry: Entry | undefined): Flat | null {
  if (!entry) return null
  const fields: Flat = new Map([
    ['place', JSON.stringify([entry.parent, entry.position])],
    ['slug', JSON.stringify(entry.slug)],
    ['body', JSON.stringify(entry.doc)],
  ])
  for (const [key, value] of Object.entries(entry.data ?? {})) {
    if (key !== 'layout' && key !== 'variables') fields.set(key, JSON.stringify(value))
    else for (const [inner, each] of Object.entries(value!)) fields.set(`${key}.${inner}`, JSON.stringify(each))
  }
  return fields
}

function text(fields: Flat | null): string {
  return fields ? JSON.stringify([...fields].toSorted()) : 'absent'
}

function unflat(fields: Flat, { entry, kind }: Entry): Entry {
  const read = (field: string) => JSON.parse(fields.get(field)!)
  const data: NonNullable<Entry['data']> = {}
  for (const field of fields.keys()) {
    if (field === 'place' || field === 'slug' || field === 'body') continue
    const [key, inner] = field.split('.') as [string, string?]
    if (inner === undefined) data[key] = read(field)
    else data[key] = { ...(data[key] as object), [inner]: read(field) }
  }
  const [parent, position] = read('place')
  return { entry, kind, state: 0, parent, position, slug: read('slug'), doc: read('body'), refs: null, data }
}
