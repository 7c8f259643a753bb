import type { Caller } from '../../access/caller.ts'
import { findSpaceFor } from '../../access/content.ts'
import type { Db } from '../../db/connect.ts'
import type { RedirectDestination } from '../../db/tables.ts'
import { invalid } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { findMadePages, isMade } from '../../links/made.ts'
import { isDerived } from '../../openapi/generate/expand.ts'
import { findByPath, findEntry, listWithAncestors, page, top } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import type { SiteAccess } from '../access.ts'
import { type Hosts, addressBelow, mainAddress, ownAddress, pathOf, siteAddress } from '../addresses.ts'
import { checkedAddress } from '../outward.ts'
import { listRolesIn } from '../queries.ts'
import { encodePath, externalTarget, segmentsOf } from './match.ts'
import type { SeenSite } from './queries.ts'
import type { NewDestination } from './schema.ts'
import { type ShownSection, type ShownSpace, type Structure, arrange } from '../structure/structure.ts'
import { findSkeleton } from '../structure/queries.ts'

/** A site and what the caller sees of it, for reading and presenting the destinations of redirects. */
export interface Destinations extends SeenSite {
  app: App
  db: Db
  caller: Caller
  access: SiteAccess
  hosts: Hosts
  structure: Structure
  /** The main heads of the spaces that were looked up so far. */
  mains: Map<string, Revision | undefined>
}

export async function seeDestinations(app: App, db: Db, caller: Caller, access: SiteAccess): Promise<Destinations> {
  const { site, membership } = access
  const [skeleton, roles] = await Promise.all([findSkeleton(db, site), listRolesIn(db, membership, site.id)])
  const structure = arrange(skeleton, (spaceId) => roles.has(spaceId))
  const shown = new Set([...structure.sections, ...structure.siteSpaces].map(({ id }) => id))
  // An administrator also sees redirects into the trash.
  const seesAll = membership.role === 'admin'
  const all = [...skeleton.sections, ...skeleton.siteSpaces].map(({ id }) => id)
  const hidden = seesAll ? [] : all.filter((id) => !shown.has(id))
  return { app, db, caller, access, hosts: app.hosts, site, hidden, structure, mains: new Map() }
}

/**
 * Returns a destination as it is stored, after checking that everything it names exists and is visible to the caller.
 * `at` is its place in the body.
 */
export async function readDestination(
  seen: Destinations,
  given: NewDestination,
  at: string,
): Promise<RedirectDestination> {
  const field = (name: 'siteSectionId' | 'siteSpaceId' | 'pageId' | 'url' | 'spaceId' | 'path'): string => {
    const value = given[name]
    if (value === undefined) throw invalid(`${at}.${name}`, 'required', 'is required')
    return value
  }
  switch (given.kind) {
    case 'external':
      return { kind: 'external', url: checkedAddress(field('url'), `${at}.url`) }
    case 'site-section': {
      const id = field('siteSectionId')
      if (!seen.structure.sections.some((section) => section.id === id)) {
        throw invalid(`${at}.siteSectionId`, 'exists', 'is not a section of this site')
      }
      return { kind: 'site-section', siteSectionId: id }
    }
    case 'site-space':
      return { kind: 'site-space', siteSpaceId: siteSpaceIn(seen, field('siteSpaceId'), `${at}.siteSpaceId`).id }
    case 'site-page': {
      const pageId = field('pageId')
      const { id, space_id } = siteSpaceIn(seen, field('siteSpaceId'), `${at}.siteSpaceId`)
      const main = await mainOf(seen, space_id)
      if (!main || !isId(pageId) || !(await isPage(seen, main, pageId)))
        throw invalid(`${at}.pageId`, 'exists', 'is not a page of that space')
      return { kind: 'site-page', siteSpaceId: id, pageId }
    }
    case 'path':
      return fromPath(seen, field('spaceId'), field('path'), at)
  }
}

/** Pages that are generated from specifications are not entries. */
async function isPage({ app, db }: Destinations, main: Revision, id: string): Promise<boolean> {
  if (isDerived(id)) return isMade(await findMadePages(app, main), id)
  return (await findEntry(db, main, id))?.kind === page
}

/**
 * Returns the page that is currently at a path, which the redirect then follows. An empty path means the space itself.
 */
async function fromPath(seen: Destinations, spaceId: string, path: string, at: string): Promise<RedirectDestination> {
  const siteSpace = seen.structure.siteSpaces.find((each) => each.space_id === spaceId)
  if (!siteSpace) throw invalid(`${at}.spaceId`, 'exists', 'is not a space of this site')
  const slugs = segmentsOf(path)
  if (slugs?.length === 0) return { kind: 'site-space', siteSpaceId: siteSpace.id }
  const main = await mainOf(seen, spaceId)
  const pageId = main && slugs && (await pageAt(seen, main, slugs))
  if (!pageId) throw invalid(`${at}.path`, 'exists', 'is not the path of a page in that space')
  return { kind: 'site-page', siteSpaceId: siteSpace.id, pageId }
}

async function pageAt({ app, db }: Destinations, main: Revision, slugs: string[]): Promise<string | undefined> {
  const found = await findByPath(db, main, slugs)
  return found?.entry ?? (await findMadePages(app, main))?.byPath.get(slugs.join('/'))
}

function siteSpaceIn({ structure }: Destinations, id: string, at: string): ShownSpace {
  const found = structure.siteSpaces.find((each) => each.id === id)
  if (!found) throw invalid(at, 'exists', 'is not a site space of this site')
  return found
}

async function mainOf({ db, caller, mains }: Destinations, spaceId: string): Promise<Revision | undefined> {
  if (!mains.has(spaceId)) {
    mains.set(spaceId, (await findSpaceFor(db, caller, spaceId))?.main)
  }
  return mains.get(spaceId)
}

/** Returns the address that a redirect leads to, or undefined if the destination is gone or hidden from the caller. */
export async function addressOf(
  seen: Destinations,
  destination: RedirectDestination,
  rest: readonly string[],
  shareKey?: string,
): Promise<string | undefined> {
  if (destination.kind === 'external') return externalTarget(destination.url, rest)
  const target = await findTarget(seen, destination)
  if (!target) return undefined
  return addressBelow(siteAddress(seen.hosts, placeOf(seen), shareKey), ...target.steps) + behind(target, rest)
}

/** The same as a path below the site, or undefined if it leads out of the site. */
export async function pathTo(
  seen: Destinations,
  destination: RedirectDestination,
  rest: readonly string[],
): Promise<string | undefined> {
  if (destination.kind === 'external') return pathWithin(seen, externalTarget(destination.url, rest))
  const target = await findTarget(seen, destination)
  return target && pathOf(...target.steps) + behind(target, rest)
}

/**
 * For a page or a whole space, returns the space and the path in it. Undefined if it is gone, or for any other
 * destination.
 */
export async function pathInSpace(
  seen: Destinations,
  destination: RedirectDestination,
): Promise<{ spaceId: string; path: string } | undefined> {
  if (destination.kind === 'external') return undefined
  const target = await findTarget(seen, destination)
  const [, siteSpace] = target?.steps ?? []
  return target && siteSpace ? { spaceId: siteSpace.space_id, path: `/${encodePath(target.slugs)}` } : undefined
}

const behind = ({ slugs }: Target, rest: readonly string[]) => encodePath([...slugs, ...rest])

interface Target {
  steps: [ShownSection | null, ShownSpace | null]
  slugs: string[]
}

async function findTarget(
  seen: Destinations,
  destination: Exclude<RedirectDestination, { kind: 'external' }>,
): Promise<Target | undefined> {
  const { sections, siteSpaces } = seen.structure
  if (destination.kind === 'site-section') {
    const section = sections.find(({ id }) => id === destination.siteSectionId)
    return section && { steps: [section, null], slugs: [] }
  }
  const siteSpace = siteSpaces.find(({ id }) => id === destination.siteSpaceId)
  if (!siteSpace) return undefined
  const section = sections.find(({ id }) => id === siteSpace.section_id) ?? null
  const slugs = destination.kind === 'site-space' ? [] : await slugsTo(seen, siteSpace.space_id, destination.pageId)
  return slugs && { steps: [section, siteSpace], slugs }
}

async function slugsTo(seen: Destinations, spaceId: string, pageId: string): Promise<string[] | undefined> {
  const main = await mainOf(seen, spaceId)
  if (!main) return undefined
  if (isDerived(pageId)) {
    const made = await findMadePages(seen.app, main)
    const found = made?.tree.byId.get(pageId)
    return found && made!.tree.pathOf(found).split('/')
  }
  const entries = new Map((await listWithAncestors(seen.db, main, [pageId])).map((entry) => [entry.entry, entry]))
  const slugs: string[] = []
  for (let id = pageId; id !== top;) {
    const entry = entries.get(id)
    if (!entry || entry.kind !== page) return undefined
    slugs.unshift(entry.slug!)
    id = entry.parent
  }
  return slugs
}

const placeOf = ({ access }: Destinations) => ({
  ...access.site,
  organization_hostname: access.membership.organization.hostname,
})

/** Returns the path below the site if an external address leads back to this same site. */
function pathWithin(seen: Destinations, address: string): string | undefined {
  const { hosts } = seen
  const place = placeOf(seen)
  const own = [siteAddress(hosts, place), ownAddress(hosts, place), mainAddress(hosts, place)]
  const { host, pathname } = new URL(address)
  for (const each of own) {
    const site = new URL(each)
    if (host === site.host && `${pathname}/`.toLowerCase().startsWith(site.pathname.toLowerCase())) {
      return pathname.slice(site.pathname.length)
    }
  }
  return undefined
}
