import type { LinkKind, LinkPlace } from '../content/links.ts'
import { hrefOf } from '../content/document/reference.ts'
import { storable } from '../db/storable.ts'
import { isId } from '../ids.ts'
import { pageData, refsOf } from '../pages/entry-data.ts'
import { type Binding, bindingIn, namedIn, partsOf } from '../pages/references.ts'
import { percentDecoded } from '../percent.ts'
import { type Entry, page } from '../revisions/entries.ts'

/** `dependsOn`: the content includes the target. `reference`: all other links. */
export type Relation = 'reference' | 'dependsOn'

/** What an address asks for, before it is checked whether that exists. */
export type Meaning =
  /** The web, a mail program and the like: nothing that could be looked up here. */
  | { to: 'elsewhere' }
  /** A place in the app that is not content. */
  | { to: 'app' }
  /** Content of this space, or of the space that it names. Looked up by id, or by path if there is no such id. */
  | ({ to: 'content'; anchor?: string } & Omit<Binding, 'app'>)
  /** A piece of reusable content, named by its file in a repository. */
  | { to: 'file of a repository'; file: string }
  /** The address leads out of the space, or names nothing at all. */
  | { to: 'nowhere' }

/** A link of an entry. */
export interface Outgoing {
  raw: string
  relation: Relation
  meaning: Meaning
}

/** The space and the entry whose links these are. */
export interface Origin {
  spaceId: string
  entry: Pick<Entry, 'entry' | 'kind' | 'refs'>
}

/** More links than anybody reads, and as many as an edit can write in time. Further links are not listed. */
const mostLinks = 10_000

/** Returns all links of an entry: those of its body, the target of a link page, and its covers. */
export function outgoingOf(spaceId: string, entry: Entry, places: readonly LinkPlace[]): Outgoing[] {
  const origin = { spaceId, entry }
  const inBody = places.flatMap(({ href, kind }): Outgoing[] => {
    const raw = addressOf(href, kind)
    return raw === undefined ? [] : [outgoing(origin, raw, kind === 'include' || kind === 'openapi')]
  })
  return [...ofFields(entry).map((raw) => outgoing(origin, raw, false)), ...inBody].slice(0, mostLinks)
}

function outgoing(origin: Origin, raw: string, isNeeded: boolean): Outgoing {
  const relation = isNeeded ? 'dependsOn' : 'reference'
  return { raw, relation, meaning: meaningOf(origin, raw, relation) }
}

/**
 * Returns the address of a link, if it has one. Data URLs are not addresses, and specifications named without a path
 * are not followed. If an image has several sizes, the first is used.
 */
function addressOf(href: string, kind: LinkKind): string | undefined {
  const address = kind === 'image' ? href.replace(/^\s*([^\s,]+)\s+[\d.]+[wx]\b.*$/s, '$1') : href
  if (/^(data|blob):/i.test(address)) return undefined
  if (kind === 'openapi' && !/[./]/.test(address)) return undefined
  // An address can contain characters that the database does not accept.
  return storable(address)
}

function ofFields(entry: Entry): string[] {
  if (entry.kind !== page) return []
  const { target, cover } = pageData(entry)
  return [target, cover?.ref, cover?.refDark].map(hrefOf).filter((href) => href !== '')
}

export function meaningOf({ spaceId, entry }: Origin, raw: string, relation: Relation): Meaning {
  const { address, anchor } = partsOf(raw)
  const at = anchor ? { anchor: decoded(anchor) } : {}
  if (address === '' || address.startsWith('?')) {
    // In reusable content, this refers to the pages that include it.
    return entry.kind === page ? { to: 'content', kind: 'page', id: entry.entry, ...at } : { to: 'elsewhere' }
  }
  const bound = namedIn(address) ?? bindingIn(refsOf(entry), address)
  if (bound?.app) return { to: 'app' }
  if (bound && (bound.id !== undefined || relation === 'reference'))
    return { to: 'content', ...within(spaceId, bound), ...at }
  if (relation === 'dependsOn' && isId(address)) return { to: 'content', kind: 'reusable-content', id: address }
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address) || /^\/(collections|users)\//.test(address))
    return { to: 'elsewhere' }
  return relation === 'dependsOn' ? { to: 'file of a repository', file: address } : { to: 'nowhere' }
}

/** Leaves out the space if it is the origin's own, unless the binding means the space itself. */
function within(spaceId: string, { space, ...named }: Binding): Binding {
  const isOwn = space === spaceId && (named.id !== undefined || named.path !== undefined)
  return space === undefined || isOwn ? named : { space, ...named }
}

function decoded(text: string): string {
  const spelt = percentDecoded(text)
  return spelt === undefined ? text : storable(spelt)
}
