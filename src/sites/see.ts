import type { Caller } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { SiteRow, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { type SpaceDetails, type SpaceSeen, type SpaceSight, listSpacesIn } from '../spaces/queries.ts'
import { type SiteAccess, accessSite } from './access.ts'
import type { SitePlace } from './addresses.ts'
import { type SiteSeen, countSiteSpaces, listRolesIn } from './queries.ts'
import { findActiveKey } from './share-links/keys.ts'
import { type ShownSpace, type Skeleton, type Structure, arrange, withoutDrafts } from './structure/structure.ts'
import { findSkeleton } from './structure/queries.ts'

/** Returns a site with the additional fields that are presented. */
export async function seeSite(db: Db, { site, membership }: SiteAccess): Promise<SiteSeen> {
  return { ...site, site_spaces: await countSiteSpaces(db, membership, site.id) }
}

/** The structure of a site and its spaces, as far as the caller sees them. */
export interface SeenStructure {
  site: SiteRow & SitePlace
  structure: Structure
  /** The requested spaces. */
  spaces: ReadonlyMap<string, SpaceSeen>
  /** The key of a share link that opens the site. */
  shareKey: string | undefined
}

/**
 * Returns the whole structure, or the structure without drafts. The queries run in parallel with the access check,
 * because their results are only returned if it succeeds.
 */
export async function seeStructure(
  db: Db,
  caller: Caller,
  siteId: string,
  { shareKey, drafts = true }: { shareKey?: string; drafts?: boolean } = {},
): Promise<SeenStructure & { access: SiteAccess }> {
  const { membership } = caller
  if (!membership) throw notFound('site')
  const organizationId = membership.organization.id
  const ids = sql`select space_id from site_spaces where organization_id = ${organizationId} and site_id = ${siteId}`
  const [access, skeleton, roles, found] = await Promise.all([
    accessSite(db, caller, siteId, 'view'),
    findSkeleton(db, { organization_id: organizationId, id: siteId }),
    listRolesIn(db, membership, siteId),
    listSpacesIn(db, organizationId, ids, shareKey),
  ])
  const structure = arrange(skeleton, (spaceId) => roles.has(spaceId) && found.has(spaceId))
  const shown = drafts ? structure : withoutDrafts(structure)
  return { ...(await seen(db, access, shown, { roles, found, shareKey })), access }
}

/** Returns a part of the structure: `of` selects the spaces to load. */
export async function seePart(
  db: Db,
  access: SiteAccess,
  of: (structure: Structure) => ShownSpace[],
  shareKey?: string,
): Promise<SeenStructure> {
  const { site, membership } = access
  const [skeleton, roles] = await Promise.all([findSkeleton(db, site), listRolesIn(db, membership, site.id)])
  const structure = arrange(skeleton, (spaceId) => roles.has(spaceId))
  const asked = of(structure).map(({ space_id }) => space_id)
  // A space that was put into the trash since the first query is still returned, so that the answer matches what was
  // seen then.
  const found = await listSpacesIn(db, site.organization_id, sql`select unnest(${asked}::uuid[])`, shareKey)
  return seen(db, access, structure, { roles, found, shareKey })
}

async function seen(
  db: Db,
  { site, membership }: SiteAccess,
  structure: Structure,
  read: {
    roles: Map<string, SpaceSight>
    found: Map<string, SpaceRow & SpaceDetails>
    shareKey: string | undefined
  },
): Promise<SeenStructure> {
  const { roles, found } = read
  return {
    site: { ...site, organization_hostname: membership.organization.hostname },
    structure,
    spaces: new Map([...found].map(([id, row]) => [id, { ...row, ...roles.get(id)! }])),
    shareKey: await findActiveKey(db, site, read.shareKey),
  }
}

/** A locked site with all rows of its structure, and the structure as the caller sees it. */
export interface HeldSite {
  site: SiteRow
  skeleton: Skeleton
  structure: Structure
}

export async function holdStructure(tx: Transaction, { site, membership }: SiteAccess): Promise<HeldSite> {
  const [skeleton, roles] = await Promise.all([findSkeleton(tx, site), listRolesIn(tx, membership, site.id)])
  return { site, skeleton, structure: arrange(skeleton, (spaceId) => roles.has(spaceId)) }
}
