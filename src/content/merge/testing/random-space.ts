import fc from 'fast-check'
import { byPosition, placeAt } from '../../positions.ts'
import { gone, sameEntry, top, type Data, type Entry, type Kind, type Row } from '../entry.ts'
import { asDoc, fromDoc, type Space } from './model.ts'

/**
 * One edit as plain numbers, interpreted as far as they make sense in the given space. So any list of edits can be
 * applied to any space, and a failing case can be made smaller by leaving edits out.
 */
export type Edit = [what: number, which: number, where: number, value: number]

const anything = fc.tuple(fc.nat(99), fc.nat(999), fc.nat(999), fc.nat(999))
const addition = fc.tuple(fc.constant(0), fc.nat(999), fc.nat(999), fc.nat(999))
const building = fc.oneof({ weight: 4, arbitrary: addition }, { weight: 1, arbitrary: anything })

/**
 * Edits that make a space, then those of a branch and of main, and how many of the entries that the branch leaves alone
 * get a row.
 */
export const history = fc.noBias(
  fc.record({
    before: fc.oneof(list(building, 8), list(building, 25)),
    ours: list(anything, 8),
    theirs: list(anything, 8),
    idle: fc.nat(3),
  }),
)

function list(edit: fc.Arbitrary<Edit>, maxLength: number): fc.Arbitrary<Edit[]> {
  return fc.array(edit, { minLength: 1, maxLength, size: 'max' })
}

export function editSpace(space: Space, edits: Edit[], side: string): Space {
  const edited = new Map(space)
  edits.forEach((edit, i) => applyEdit(edited, edit, `${side}${String(i).padStart(2, '0')}`))
  return edited
}

/**
 * Returns the rows of a branch. If `idle` is not 0, some of the entries that it left alone get a row that changes
 * nothing.
 */
export function overlayOf(base: Space, ours: Space, idle: number): Row[] {
  const rows: Row[] = []
  for (const id of new Set([...base.keys(), ...ours.keys()])) {
    const [before, after] = [base.get(id) ?? null, ours.get(id) ?? null]
    const kind = (after ?? before)!.kind
    if (!sameEntry(before, after)) rows.push(after ?? gone(id, kind, 1))
    else if (idle > 0 && rows.length % idle === 0) rows.push(idle === 1 || !after ? gone(id, kind, 2) : after)
  }
  return rows
}

/** Applies rows to a space. State 2 leaves the entry of the space visible. */
export function withRows(space: Space, rows: readonly Row[]): Space {
  const laid = new Map(space)
  for (const row of rows) {
    if (row.state === 0) laid.set(row.entry, row)
    else if (row.state === 1) laid.delete(row.entry)
  }
  return laid
}

function applyEdit(space: Map<string, Entry>, [what, which, where, value]: Edit, newId: string): void {
  const all = [...space.values()].toSorted((a, b) => (a.entry < b.entry ? -1 : 1))
  const pages = all.filter((entry) => entry.kind === 1)
  // Half of the edits apply to the same few entries, so that the two sides meet.
  const chosen = all[which % (which < 500 ? Math.min(4, all.length) : all.length)]
  if (!chosen || what < 22) {
    // Now and then the two sides add an entry with the same id, as when each undoes the deletion of a page.
    const id = value % 10 === 0 ? `same${which % 3}` : newId
    if (!space.has(id)) add(space, id, kindOf(value), pages[where % (pages.length + 1)]?.entry ?? top, where, value)
  } else if (what < 34) removeWithBelow(space, chosen.entry)
  else if (what < 62) move(space, chosen, pages[where % (pages.length + 1)]?.entry ?? top, value)
  else if (what < 70) rename(space, chosen, value)
  else if (what < 84)
    space.set(chosen.entry, { ...chosen, data: { ...chosen.data, ...newData(chosen.data, where, value) } })
  else if (chosen.doc !== null)
    space.set(chosen.entry, { ...chosen, doc: asDoc(editBody(fromDoc(chosen.doc), where, value)) })
}

function kindOf(value: number): Kind {
  return value % 20 < 16 ? 1 : ((1 + (value % 4)) as Kind)
}

function add(space: Map<string, Entry>, entry: string, kind: Kind, under: string, where: number, value: number): void {
  const parent = kind === 1 ? under : top
  space.set(entry, {
    entry,
    kind,
    state: 0,
    parent,
    position: kind === 1 ? positionIn(space, parent, entry, where) : null,
    slug: kind === 1 || kind === 4 ? freeSlug(space, parent, kind, value) : null,
    doc: kind === 1 || kind === 3 ? asDoc('one\ntwo\nthree\nfour\n') : null,
    refs: null,
    data: { title: `Title ${value % 3}` },
  })
}

function removeWithBelow(space: Map<string, Entry>, id: string): void {
  space.delete(id)
  for (const child of space.values()) if (child.parent === id) removeWithBelow(space, child.entry)
}

function move(space: Map<string, Entry>, page: Entry, parent: string, where: number): void {
  if (page.kind !== 1) return
  for (let at = parent; at !== top; at = space.get(at)!.parent) if (at === page.entry) return
  space.delete(page.entry)
  const taken = slugsIn(space, parent, page.kind).has(page.slug!)
  const slug = taken ? freeSlug(space, parent, page.kind, where) : page.slug
  space.set(page.entry, { ...page, parent, position: positionIn(space, parent, page.entry, where), slug })
}

function rename(space: Map<string, Entry>, entry: Entry, value: number): void {
  if (entry.slug === null) return
  space.set(entry.entry, { ...entry, slug: freeSlug(space, entry.parent, entry.kind, value) })
}

function newData(data: Data | null, where: number, value: number): Data {
  const group = value % 2 ? 'layout' : 'variables'
  const choices: Data[] = [
    { title: `Title ${value % 3}` },
    { emoji: value % 3 },
    { condition: `claim${value % 2}`, hidden: true },
    { [group]: { ...(data?.[group] as Data), [`key${(where >> 2) % 2}`]: value % 5 } },
  ]
  return choices[where % 4]!
}

function editBody(body: string, where: number, value: number): string {
  const lines = body.split('\n')
  const cut = value % 3
  lines.splice(where % lines.length, cut === 2 ? 1 : cut, ...(cut === 2 ? [] : [`line ${value % 4}`]))
  return lines.join('\n')
}

function positionIn(space: Map<string, Entry>, parent: string, entry: string, where: number): string {
  const siblings = [...space.values()]
    .filter((sibling) => sibling.parent === parent && sibling.kind === 1)
    .map(({ entry, position }) => ({ entry, position: position! }))
    .toSorted(byPosition)
  const { position, rekeyed } = placeAt(siblings, where % (siblings.length + 1), entry)
  for (const { entry, position } of rekeyed) space.set(entry, { ...space.get(entry)!, position })
  return position
}

function freeSlug(space: Map<string, Entry>, parent: string, kind: Kind, value: number): string {
  const taken = slugsIn(space, parent, kind)
  let slug = `slug${value % 5}`
  while (taken.has(slug)) slug = `${slug}-1`
  return slug
}

function slugsIn(space: Map<string, Entry>, parent: string, kind: Kind): Set<string> {
  const siblings = [...space.values()].filter((entry) => entry.parent === parent && entry.kind === kind)
  return new Set(siblings.map((entry) => entry.slug!))
}
