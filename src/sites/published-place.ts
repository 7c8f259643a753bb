import type { Membership } from '../access/caller.ts'
import { roleOnSite } from '../access/site-roles.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { SiteRow, SpaceRow } from '../db/tables.ts'
import { type Hosts, addressBelow, siteAddress } from './addresses.ts'
import { opensNow } from './share-links/keys.ts'

/**
 * Where a space is published: in the most open of the published sites that contain it. All fields are null if there is
 * none.
 */
export interface PublishedPlace {
  site_visibility: SiteRow['visibility'] | null
  site_organization: string | null
  site_basename: string | null
  site_hostname: string | null
  site_proxy: string | null
  /** Null at the root of the site. */
  section_path: string | null
  section_is_default: boolean | null
  site_space_path: string | null
  site_space_is_default: boolean | null
  /** Whether the given key opens this site. */
  site_opened: boolean | null
}

/**
 * The columns that `publishedPlaces` adds to a space. Not as JSON, which took a millisecond more for two hundred
 * spaces.
 */
export const publishedPlace = sql`published.site_visibility, published.site_organization, published.site_basename,
  published.site_hostname, published.site_proxy, published.section_path, published.section_is_default,
  published.site_space_path, published.site_space_is_default, published.site_opened`

/**
 * A join for spaces `s`. `of` is a condition on `x.organization_id` and `x.space_id` that selects the spaces: joining
 * two hundred of them one by one took fifty milliseconds. Materialized, so that it is computed only once, regardless of
 * the planner.
 *
 * While the default of a level is in the trash, another space stands in for it at the address of the level. Here, that
 * space is listed under its own path, which leads to it as well. This avoids looking up its siblings for every reader.
 */
export function publishedPlaces(of: Statement, keyHash?: string): Statement {
  const opened =
    keyHash === undefined
      ? sql`false`
      : sql`(i.visibility = 'share-link' and exists (select from share_links l where l.key_hash = ${keyHash}
          and ${opensNow} and l.organization_id = i.organization_id and l.site_id = i.id))`
  return sql`left join (with places as materialized (
    select distinct on (x.space_id) x.space_id, i.visibility as site_visibility, o.hostname as site_organization,
      i.basename as site_basename, i.hostname as site_hostname, i.proxy as site_proxy, c.path as section_path,
      c.is_default as section_is_default, x.path as site_space_path, x.is_default as site_space_is_default,
      ${opened} as site_opened
    from site_spaces x
    join sites i on i.organization_id = x.organization_id and i.id = x.site_id and i.published
    join organizations o on o.id = x.organization_id
    left join site_sections c on c.organization_id = x.organization_id and c.site_id = x.site_id and c.id = x.section_id
    where ${of} and not x.draft and c.draft is not true
    order by x.space_id, ${openness},
      ${keyHash === undefined ? nothing : sql`not ${opened},`} i.created_at, i.id, not x.is_default, x.position, x.id)
    select * from places) published on published.space_id = s.id`
}

/** The most open first, of sites `i`. */
const openness = sql`array_position(array['public', 'unlisted', 'share-link', 'visitor-auth'], i.visibility)`

/**
 * Lists the published sites that show a space and that the member may see, the most open first. Members may see all
 * sites that are open to everybody. Sites that are opened by a share link are left out, because they have no address
 * without the key.
 */
export async function listSitesShowing(
  db: Db,
  { organization, userId, role }: Membership,
  spaceId: string,
): Promise<string[]> {
  const rows = await db.all(sql<{ id: string }>`
    select i.id from sites i
    where i.organization_id = ${organization.id} and i.published and i.visibility <> 'share-link'
      and (i.visibility <> 'visitor-auth' or (${roleOnSite(sql`i`, userId, role)}) is not null)
      and exists (select from site_spaces x
        left join site_sections c on c.organization_id = x.organization_id and c.site_id = x.site_id and c.id = x.section_id
        where x.organization_id = i.organization_id and x.site_id = i.id and x.space_id = ${spaceId} and not x.draft
          and c.draft is not true)
    order by ${openness}, i.created_at, i.id`)
  return rows.map(({ id }) => id)
}

/** Returns where one space is published, regardless of who asks. */
export async function findPublishedPlace(
  db: Db,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): Promise<PublishedPlace | undefined> {
  return db.find(sql<PublishedPlace>`
    select ${publishedPlace}
    from spaces s ${publishedPlaces(sql`x.organization_id = ${organization_id} and x.space_id = ${id}`)}
    where s.organization_id = ${organization_id} and s.id = ${id}`)
}

export interface PublishedUrls {
  published?: string
  public?: string
}

/** Returns the addresses for readers. `shareKey` must be the key with which the place was queried. */
export function publishedUrls(hosts: Hosts, place: PublishedPlace, shareKey?: string): PublishedUrls {
  const published = publishedAddress(hosts, place, shareKey)
  return {
    ...(published !== undefined && { published }),
    ...(published !== undefined && place.site_visibility === 'public' && { public: published }),
  }
}

/** A site that is opened by a share link has no address without the key. */
function publishedAddress(hosts: Hosts, place: PublishedPlace, shareKey?: string): string | undefined {
  const key = place.site_opened ? shareKey : undefined
  const { site_organization, site_basename, site_space_path } = place
  if (site_organization === null || site_basename === null || site_space_path === null) return undefined
  if (place.site_visibility === 'share-link' && key === undefined) return undefined
  const site = {
    organization_hostname: site_organization,
    basename: site_basename,
    hostname: place.site_hostname,
    proxy: place.site_proxy,
  }
  const section =
    place.section_path === null ? null : { path: place.section_path, isDefault: place.section_is_default ?? false }
  const siteSpace = { path: site_space_path, isDefault: place.site_space_is_default ?? false }
  return addressBelow(siteAddress(hosts, site, key), section, siteSpace)
}
