import type { LinkKind, LinkPlace } from '../content/links.ts'
import { hrefOf } from '../content/document/reference.ts'
import { storable } from '../db/storable.ts'
import { isId } from '../ids.ts'
import { pageData, refsOf } from '../pages/entry-data.ts'
import { type Binding, bindingIn, namedIn, partsOf } from '../pages/references.ts'
import { percentDecoded } from '../percent.ts'
import { type Entry, page } from '../revisions/entries.ts'

/** The content depends on what it includes; all else it refers to. */
export type Relation = 'reference' | 'dependsOn'

/** What an address asks for, before anybody has looked whether that is there. */
export type Meaning =
  /** The web, a mail program: nothing that could be looked up here. */
  | { to: 'elsewhere' }
  /** Some place in the app that is no content. */
  | { to: 'app' }
  /** Content, of this space or of the one it names. By id; where that is gone, or there is none, by path. */
  | ({ to: 'content'; anchor?: string } & Omit<Binding, 'app'>)
  /** A reusable content by the file that it is in a repository. */
  | { to: 'file of a repository'; file: string }
  /** It leads out of the space, or names nothing at all. */
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

/** More than anybody reads, and as many as an edit can write in time. What lies behind them is not listed. */
const mostLinks = 10_000

/** All links of an entry: those of its body, where a link page leads, its covers. */
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

/** Data are no address. A specification by its name is not followed. Of several sizes of an image the first is taken. */
function addressOf(href: string, kind: LinkKind): string | undefined {
  const address = kind === 'image' ? href.replace(/^\s*([^\s,]+)\s+[\d.]+[wx]\b.*$/s, '$1') : href
  if (/^(data|blob):/i.test(address)) return undefined
  if (kind === 'openapi' && !/[./]/.test(address)) return undefined
  // An address can spell what no column takes.
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
    // In a reusable content it is a place of the pages that include it.
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

/** Its own space is left out, but where it means the space as such. */
function within(spaceId: string, { space, ...named }: Binding): Binding {
  const isOwn = space === spaceId && (named.id !== undefined || named.path !== undefined)
  return space === undefined || isOwn ? named : { space, ...named }
}

function decoded(text: string): string {
  const spelt = percentDecoded(text)
  return spelt === undefined ? text : storable(spelt)
}
