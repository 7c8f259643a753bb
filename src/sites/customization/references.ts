import type { Caller } from '../../access/caller.ts'
import { findSpaceFor } from '../../access/content.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { invalid } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { findMadePages, isMade } from '../../links/made.ts'
import { isDerived } from '../../openapi/generate/expand.ts'
import { type Kind, file, listEntries, page } from '../../revisions/entries.ts'
import { listHolders, listSpacesInOrder } from './queries.ts'
import type { ContentReference, SomeCustomization } from './schema.ts'

/** The caller and the site or site space whose look is being changed. */
export interface Writing {
  app: App
  tx: Transaction
  caller: Caller
  site: SiteRow
  /** The space whose look it is. References without a space are first searched there. */
  spaceId?: string
}

/**
 * Checks all references in a look. Targets that the caller may not see count as missing. References that were already
 * there stay, even if their target is gone or was set by someone who may see more: otherwise nothing could be changed
 * until all of them are fixed. References without a space get one. Changes `look` in place.
 */
export async function bindReferences(
  writing: Writing,
  look: SomeCustomization,
  before: SomeCustomization,
): Promise<void> {
  const known = new Set(linksIn(before).map(({ holder }) => spellingOf(holder.to!)))
  const fresh = linksIn(look).filter(({ holder }) => !known.has(spellingOf(holder.to!)))
  const wanted = fresh.map((link) => ({ ...link, target: wantedBy(link) }))
  const spaces = new Spaces(
    writing,
    wanted.flatMap(({ target }) => target ?? []),
  )
  for (const { holder, path, target } of wanted) {
    if (target) holder.to = { ...holder.to!, ...(await spaces.find(target, path)) }
  }
}

/** Refuses a look from elsewhere that contains a link which a browser would execute. `at` is the place of the look. */
export function checkAddresses(look: SomeCustomization, at: string): void {
  for (const { holder, path } of linksIn(look)) {
    if (holder.to!.kind === 'url') checkAddress(holder.to!.url ?? '', path.replace('body', at))
  }
}

function checkAddress(url: string, path: string): void {
  if (isAddress(url)) return
  throw invalid(`${path}.url`, 'format', 'must be http, https, mailto, tel, or a path that starts with one slash')
}

const spellingOf = ({ kind, url, page: pageId, anchor, file: fileId, space }: ContentReference) =>
  JSON.stringify([kind, url, pageId, anchor, fileId, space])

interface Link {
  path: string
  holder: { to?: ContentReference | null }
}

/** Lists the links of a look, from all places that can contain one. */
function linksIn({ header, footer, announcement }: SomeCustomization): Link[] {
  const links: Link[] = []
  const add = (path: string, holder: Link['holder'] | undefined) => {
    if (holder?.to) links.push({ path: `body.${path}.to`, holder })
  }
  add('header.primaryLink', header?.primaryLink)
  header?.links?.forEach((item, i) => {
    add(`header.links.${i}`, item)
    item.links.forEach((link, j) => add(`header.links.${i}.links.${j}`, link))
  })
  footer?.groups?.forEach((group, i) => group.links.forEach((link, j) => add(`footer.groups.${i}.links.${j}`, link)))
  add('announcement.link', announcement?.link)
  return links
}

/** A target in the database that a link needs. */
interface Wanted {
  space?: string
  entry?: WantedEntry
}

interface WantedEntry {
  id: string
  kind: Kind
}

/**
 * Returns the target of a link. Refuses links that are invalid without any look-up. Links to addresses have no target.
 */
function wantedBy({ holder, path }: Link): Wanted | undefined {
  const { kind, url, page: pageId, file: fileId, anchor, space } = holder.to!
  const given = (value: string | undefined, field: string): string => {
    if (value === undefined) throw invalid(`${path}.${field}`, 'required', 'is required')
    return value
  }
  const id = (value: string | undefined, field: string): string => {
    if (!isId(given(value, field))) throw invalid(`${path}.${field}`, 'format', 'must be an id')
    return value!
  }
  const ofSpace = space === undefined ? {} : { space: id(space, 'space') }
  switch (kind) {
    case 'url':
      checkAddress(given(url, 'url'), path)
      holder.to = { kind, url: url! }
      return undefined
    case 'space':
      holder.to = { kind, space: id(space, 'space') }
      return { space: space! }
    case 'page':
      holder.to = { kind, page: id(pageId, 'page') }
      return { ...ofSpace, entry: { id: pageId!, kind: page } }
    case 'anchor':
      holder.to = { kind, anchor: given(anchor, 'anchor'), page: id(pageId, 'page') }
      return { ...ofSpace, entry: { id: pageId!, kind: page } }
    case 'file':
      holder.to = { kind, file: id(fileId, 'file') }
      return { ...ofSpace, entry: { id: fileId!, kind: file } }
  }
}

/** Allows no other schemes, and no path that a browser takes for a host. */
function isAddress(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return false
  if (/^\/(?!\/)/.test(text)) return true
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(text) && URL.canParse(text)
}

/** The spaces that links refer to, as far as the caller may see them. Each is queried once, for all its targets. */
class Spaces {
  readonly #writing: Writing
  readonly #wanted: readonly Wanted[]
  /** The existing entries by space. Undefined if the caller may not see the space. */
  readonly #held = new Map<string, Promise<ReadonlySet<string> | undefined>>()
  #holders: Promise<string[]> | undefined

  constructor(writing: Writing, wanted: readonly Wanted[]) {
    this.#writing = writing
    this.#wanted = wanted
  }

  /** The space to put into a link. */
  async find({ space, entry }: Wanted, path: string): Promise<{ space: string }> {
    if (space === undefined) return { space: await this.#findHolder(entry!, path) }
    const held = await this.#entriesIn(space)
    if (!held) throw invalid(`${path}.space`, 'exists', 'is not a space that you can see here')
    if (entry && !held.has(keyOf(entry))) throw missing(entry, path, 'of that space')
    return { space }
  }

  async #findHolder(entry: WantedEntry, path: string): Promise<string> {
    this.#holders ??= this.#listHolders()
    for (const spaceId of await this.#holders) {
      if ((await this.#entriesIn(spaceId))?.has(keyOf(entry))) return spaceId
    }
    throw missing(entry, path, 'of a space of this site that you can see')
  }

  async #listHolders(): Promise<string[]> {
    const { tx, site, spaceId } = this.#writing
    const unplaced = this.#wanted.flatMap(({ space, entry }) => (space === undefined && entry ? entry.id : []))
    // Generated pages are in no table, so any space may contain them.
    const holders = unplaced.some(isDerived)
      ? await listSpacesInOrder(tx, site)
      : await listHolders(tx, site, [...new Set(unplaced)])
    return spaceId === undefined ? holders : [spaceId, ...holders]
  }

  #entriesIn(spaceId: string): Promise<ReadonlySet<string> | undefined> {
    let held = this.#held.get(spaceId)
    if (!held) this.#held.set(spaceId, (held = this.#readEntries(spaceId)))
    return held
  }

  async #readEntries(spaceId: string): Promise<ReadonlySet<string> | undefined> {
    const { app, tx, caller, site } = this.#writing
    const found = await findSpaceFor(tx, caller, spaceId)
    if (found?.space.organization_id !== site.organization_id) return undefined
    const ids = this.#wanted.flatMap(({ space, entry }) => ((space ?? spaceId) === spaceId && entry ? entry.id : []))
    const entries = await listEntries(tx, found.main, [...new Set(ids)])
    const held = new Set(entries.map(({ entry, kind }) => keyOf({ id: entry, kind })))
    const made = ids.some(isDerived) ? await findMadePages(app, found.main) : undefined
    for (const id of ids) if (isMade(made, id)) held.add(keyOf({ id, kind: page }))
    return held
  }
}

const keyOf = ({ id, kind }: WantedEntry) => `${kind} ${id}`

function missing({ kind }: WantedEntry, path: string, where: string): Error {
  const noun = kind === page ? 'page' : 'file'
  return invalid(`${path}.${noun}`, 'exists', `is not a ${noun} ${where}`)
}
