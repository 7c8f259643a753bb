import type { Placed } from '../content/positions.ts'
import type { Db } from '../db/connect.ts'
import { refsOf } from '../pages/entry-data.ts'
import { type Binding, bindingIn, namedIn, writeBinding } from '../pages/references.ts'
import { type Entry, type Kind, file, page, reusable, top } from '../revisions/entries.ts'
import { appAddressOf } from './app-address.ts'
import { pathsOf } from './paths.ts'
import { findPagesByPath, listMainLines } from './places.queries.ts'

interface Slot {
  parent: string
  kind: Kind
  slug: string
}

/** The content in which addresses are resolved, including all changes that are about to be written. */
export interface Surroundings {
  load(ids: readonly string[]): Promise<void>
  find(id: string, kind: Kind): Promise<Entry | undefined>
  loadSlots(slots: readonly Slot[]): Promise<void>
  occupant(slot: Slot): Promise<string | undefined>
  siblings(parent: string): Promise<Placed[]>
  lastSibling(parent: string, except: string): Promise<Placed | undefined>
  isWithin(id: string, ancestor: string): Promise<boolean>
}

export interface Reading {
  content: Surroundings
  /** For addresses of other spaces. */
  db: Db
  organizationId: string
  spaceId: string
  /** Returns the part of an address after the base URL of this installation; undefined for all other addresses. */
  behindOurs(address: string): string | undefined
}

/** An address, without its anchor, in the text of an entry. */
export interface Asked {
  entry: Entry
  address: string
}

/** What is written into `refs` for an address. */
export type Bindings = Map<string, string>

export const keyOf = (id: string, address: string) => `${id} ${address}`

/** Resolves all addresses together, with one query per level of the tree instead of one per link. */
export async function bindAddresses(reading: Reading, asked: readonly Asked[]): Promise<Bindings> {
  const { content } = reading
  const bindings: Bindings = new Map()
  const bind = ({ entry, address }: Asked, binding: Binding) =>
    bindings.set(keyOf(entry.entry, address), writeBinding(binding))
  const byPath: (Asked & { paths: string[][] })[] = []
  const ofApp: (Asked & { to: Binding })[] = []
  const foldersOf = foldersIn(content)
  // Loads all entries that are named, or that were bound before, at once. Otherwise each would be loaded separately.
  await content.load(
    asked.flatMap(({ entry, address }) => {
      const { space, id } = namedIn(address) ?? bindingIn(refsOf(entry), address) ?? {}
      return space === undefined && id !== undefined ? [id] : []
    }),
  )

  for (const each of asked) {
    const { entry, address } = each
    const named = namedIn(address)
    const behind = reading.behindOurs(address)
    if (behind !== undefined) {
      const to = appAddressOf(behind)
      if (to) ofApp.push({ ...each, to })
    } else if (named) {
      // Whether the target exists in another space is checked when the link is shown, as for addresses of the app.
      if (named.space !== undefined || (await isHere(content, named))) bind(each, named)
    } else if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) {
      // Text that already existed keeps its meaning, even if its target was moved or renamed since.
      const before = bindingIn(refsOf(entry), address)
      if (before && (await isHere(content, before))) bind(each, before)
      else byPath.push({ ...each, paths: pathsOf(await foldersOf(entry), address) })
    }
  }

  const own = await findPages(content, [
    ...byPath.flatMap(({ paths }) => paths),
    ...ofApp.flatMap(({ to }) => (to.space === reading.spaceId && to.path ? [to.path.split('/')] : [])),
  ])
  for (const each of byPath) {
    const [wanted] = each.paths
    const hit = each.paths.find((path) => own.has(path.join('/')))?.join('/')
    if (hit !== undefined) bind(each, { kind: 'page', id: own.get(hit)!, path: hit })
    else if (wanted) bind(each, { path: wanted.join('/') })
  }
  const elsewhere = await findElsewhere(reading, ofApp)
  for (const each of ofApp) {
    const { space, path } = each.to
    const before = bindingIn(refsOf(each.entry), each.address)
    const id = path && (space === reading.spaceId ? own.get(path) : elsewhere.get(`${space} ${path}`))
    if (before?.id !== undefined) bind(each, before)
    else if (id) bind(each, { ...each.to, kind: 'page', id })
    else bind(each, withoutOwn(reading.spaceId, each.to))
  }
  return bindings
}

/**
 * Binds a file of the space itself as if it was named by its id: signed addresses expire, and mean nothing in a
 * repository.
 */
function withoutOwn(spaceId: string, to: Binding): Binding {
  const { space, ...named } = to
  return named.kind === 'file' && space === spaceId ? named : to
}

const kinds: Record<NonNullable<Binding['kind']>, Kind> = { page, file, 'reusable-content': reusable }

async function isHere(content: Surroundings, { space, kind, id }: Binding): Promise<boolean> {
  return space === undefined && kind !== undefined && (await content.find(id!, kinds[kind])) !== undefined
}

/**
 * Returns the folders that relative addresses of a page may start from, likeliest first. A page is a file beside its
 * siblings, or, if it has pages below it, the README of a folder.
 */
function foldersIn(content: Surroundings): (entry: Entry) => Promise<string[][]> {
  const known = new Map<string, Promise<string[][]>>()
  return (entry) => {
    if (!known.has(entry.entry)) known.set(entry.entry, findFolders(content, entry))
    return known.get(entry.entry)!
  }
}

async function findFolders(content: Surroundings, entry: Entry): Promise<string[][]> {
  if (entry.kind !== page) return [[]]
  const [own, lastBelow] = await Promise.all([pathTo(content, entry), content.lastSibling(entry.entry, '')])
  return lastBelow ? [own, own.slice(0, -1)] : [own.slice(0, -1), own]
}

async function pathTo(content: Surroundings, entry: Entry): Promise<string[]> {
  const slugs = [entry.slug!]
  await content.isWithin(entry.entry, '')
  for (let up = await content.find(entry.parent, page); up; up = await content.find(up.parent, page))
    slugs.unshift(up.slug!)
  return slugs
}

/** Finds the pages at these paths, level by level. */
async function findPages(content: Surroundings, paths: readonly string[][]): Promise<Map<string, string>> {
  const reached = new Map<string, string>([['', top]])
  const depth = paths.reduce((most, { length }) => Math.max(most, length), 0)
  for (let level = 0; level < depth; level++) {
    const slots = new Map<string, Slot>()
    for (const path of paths) {
      const parent = reached.get(path.slice(0, level).join('/'))
      if (path.length <= level || parent === undefined) continue
      slots.set(path.slice(0, level + 1).join('/'), { parent, kind: page, slug: path[level]! })
    }
    if (slots.size === 0) break
    await content.loadSlots([...slots.values()])
    for (const [path, slot] of slots) {
      const occupant = await content.occupant(slot)
      if (occupant !== undefined) reached.set(path, occupant)
    }
  }
  reached.delete('')
  if (paths.some(({ length }) => length === 0)) {
    const [first] = await content.siblings(top)
    if (first) reached.set('', first.entry)
  }
  return reached
}

/** Finds pages of other spaces of the organization, by space and path. Access is checked when the links are shown. */
async function findElsewhere({ db, organizationId, spaceId }: Reading, asked: readonly { to: Binding }[]) {
  const paths = Map.groupBy(
    asked.flatMap(({ to }) => (to.space !== spaceId && to.path !== undefined ? [to] : [])),
    ({ space }) => space!,
  )
  const found = new Map<string, string>()
  for (const { spaceId, head } of await listMainLines(db, organizationId, [...paths.keys()])) {
    const wanted = new Set(paths.get(spaceId)!.map(({ path }) => path!))
    for (const { path, entry } of await findPagesByPath(db, head, [...wanted])) found.set(`${spaceId} ${path}`, entry)
  }
  return found
}
