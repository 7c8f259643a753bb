import type { Membership } from '../access/caller.ts'
import { roleOnSite } from '../access/site-roles.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { SiteRow, SpaceRow } from '../db/tables.ts'
import { type Hosts, addressBelow, siteAddress } from './addresses.ts'
import { opensNow } from './share-links/keys.ts'

/** Where a space is published: in the most open of the published sites that hold it. All null where in none. */
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
  /** Whether the key that was asked with opens this site. */
  site_opened: boolean | null
}

/** What `publishedPlaces` adds to a space. As columns: made into JSON, two hundred of them took a millisecond more. */
export const publishedPlace = sql`published.site_visibility, published.site_organization, published.site_basename,
  published.site_hostname, published.site_proxy, published.section_path, published.section_is_default,
  published.site_space_path, published.site_space_is_default, published.site_opened`

/**
 * To be joined to spaces `s`. `of` says which spaces are meant, as a condition on `x.organization_id` and `x.space_id`:
 * joined one by one, two hundred of them took fifty milliseconds. Worked out once, whatever the planner thinks of it.
 *
 * While the default of a level is in the trash another one stands in for it, at the address of the level. This here
 * names that one by its path, which leads there as well, and spares every reader the look at its siblings.
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
 * The published sites that show a space, the most open first, as far as a member may see them: what is open to all, they
 * may. Those that a secret link opens are left out: they have no address without the secret.
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

/** Where one space is published, whoever asks. */
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

/** The addresses that readers have for it. `shareKey` is the one that the place was asked for with. */
export function publishedUrls(hosts: Hosts, place: PublishedPlace, shareKey?: string): PublishedUrls {
  const published = publishedAddress(hosts, place, shareKey)
  return {
    ...(published !== undefined && { published }),
    ...(published !== undefined && place.site_visibility === 'public' && { public: published }),
  }
}

/** What a secret link opens has no address without the secret. */
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
