import type { Db } from '../../db/connect.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'
import { siteColumns } from '../../sites/access.ts'
import { type FontRow, fontsOfSite } from '../../sites/fonts/queries.ts'
import { opensNow } from '../../sites/share-links/keys.ts'
import type { GroupRow, LinkRow, PlacedSpace, SectionRow } from '../../sites/structure/structure.ts'

/** All cached data of a site, as it was in the database at one moment. */
export interface SiteRows {
  site: SiteRow
  organization: { hostname: string; title: string }
  groups: GroupRow[]
  sections: SectionRow[]
  links: LinkRow[]
  siteSpaces: (PlacedSpace & SpaceOfSite)[]
  redirects: RedirectRow[]
  shareKeys: string[]
  /** Share links that ask for a password first: the hash of the key, and the link. */
  lockedKeys: { hash: string; id: string }[]
  /** How long these keys are valid if nobody changes them: until the next link expires. Null if none expires. */
  shareKeysHoldMs: number | null
  hasFormerPlaces: boolean
  /** Ids of the pictures that were uploaded for it. */
  pictures: string[]
  fonts: FontOfSite[]
}

/** What a site needs of a font. */
export type FontOfSite = Pick<FontRow, 'id' | 'family' | 'faces'>

/** What a site needs of a space besides its place. */
export interface SpaceOfSite {
  customization: Record<string, unknown> | null
  space_emoji: string | null
  space_icon: string | null
  space_language: string | null
  line_id: string
  head_seq: number
  head_id: string
}

export interface RedirectRow {
  id: string
  source: string
  match: string
  destination: unknown
  capture_wildcard: boolean
  permanent: boolean
  draft: boolean
}

/** The same in every row of a site, so it is not sent with each. */
interface SiteKey {
  organization_id: string
  site_id: string
}

type Aggregated = SiteRow & {
  organization_hostname: string
  organization_title: string
  groups: Omit<GroupRow, keyof SiteKey>[]
  sections: Omit<SectionRow, keyof SiteKey>[]
  links: Omit<LinkRow, keyof SiteKey>[]
  site_spaces: Omit<PlacedSpace & SpaceOfSite, keyof SiteKey>[]
  redirects: RedirectRow[]
  share_keys: string[]
  locked_keys: SiteRows['lockedKeys']
  share_keys_hold_ms: number | null
  has_former_places: boolean
  pictures: string[]
  fonts: FontOfSite[]
}

/** Uses one statement, so that all of it is from the same moment. */
export async function readSiteRows(db: Db, siteId: string): Promise<SiteRows | undefined> {
  const ofSite = sql`x.organization_id = s.organization_id and x.site_id = s.id`
  const listed = (rows: Statement) => sql`(select coalesce(json_agg(y), '[]') from (${rows}) y)`
  const row = await db.find(sql<Aggregated>`
    select ${siteColumns}, o.hostname as organization_hostname, o.title as organization_title,
      ${listed(sql`select x.id, x.title, x.icon, x.position from site_section_groups x where ${ofSite}`)} as groups,
      ${listed(sql`select x.id, x.group_id, x.title, x.description, x.icon, x.path,
        x.condition, x.draft, x.position, x.is_default from site_sections x where ${ofSite}`)} as sections,
      ${listed(sql`select x.id, x.group_id, x.title, x.url, x.description, x.icon, x.condition, x.draft, x.position
        from site_external_links x where ${ofSite}`)} as links,
      ${listed(sql`select x.id, x.section_id, x.space_id, x.title, x.path, x.condition, x.draft,
          x.position, x.is_default, x.customization, p.*, l.*
        from site_spaces x ${eachWith(sql`select p.title as space_title, p.emoji as space_emoji, p.icon as space_icon,
            p.language as space_language, p.deleted_at is not null as in_trash from spaces p
          where p.organization_id = x.organization_id and p.id = x.space_id`)} p
        ${eachWith(sql`select l.id as line_id, l.head_seq, l.head_id from lines l
          where l.organization_id = x.organization_id and l.space_id = x.space_id and l.main_id is null`)} l
        where ${ofSite}`)} as site_spaces,
      ${listed(sql`select x.id, x.source, x.match, x.destination, x.capture_wildcard, x.permanent, x.draft
        from site_redirects x where ${ofSite}`)} as redirects,
      k.keys as share_keys, k.locked as locked_keys, k.hold_ms as share_keys_hold_ms,
      exists (select from former_site_paths x where ${ofSite}) as has_former_places,
      array(select x.id from site_pictures x where ${ofSite})::text[] as pictures,
      ${listed(fontsOfSite)} as fonts
    from sites s join organizations o on o.id = s.organization_id
    cross join lateral (
      select coalesce(array_agg(coalesce(l.opened_hash, l.key_hash)), '{}') as keys,
        coalesce(jsonb_agg(jsonb_build_object('hash', l.key_hash, 'id', l.id))
          filter (where l.password_hash is not null), '[]') as locked,
        (extract(epoch from min(l.expires_at) - clock_timestamp()) * 1000)::float8 as hold_ms
      from share_links l where l.organization_id = s.organization_id and l.site_id = s.id and ${opensNow}) k
    where s.id = ${siteId}`)
  if (!row) return undefined
  const { organization_hostname, organization_title, groups, sections, links, site_spaces, ...more } = row
  const { redirects, share_keys, locked_keys, share_keys_hold_ms, has_former_places, pictures, fonts, ...site } = more
  const key = { organization_id: site.organization_id, site_id: site.id }
  return {
    site,
    organization: { hostname: organization_hostname, title: organization_title },
    groups: groups.map((row) => ({ ...key, ...row })),
    sections: sections.map((row) => ({ ...key, ...row })),
    links: links.map((row) => ({ ...key, ...row })),
    siteSpaces: site_spaces.map((row) => ({ ...key, ...row })),
    redirects,
    shareKeys: share_keys,
    lockedKeys: locked_keys,
    shareKeysHoldMs: share_keys_hold_ms,
    hasFormerPlaces: has_former_places,
    pictures,
    fonts,
  }
}

/** Looked up for each row. With any other join, every row of the organization was read for each of them. */
const eachWith = (one: Statement) => sql`cross join lateral (${one} limit 1)`

export interface LateNews {
  lines: { id: string; seq: number }[]
  sites: { id: string; version: number }[]
}

/** Returns what changed in the last seconds, no matter which node made the change. */
export async function listLateNews(db: Db, seconds: number): Promise<LateNews> {
  return db.one(
    sql<LateNews>`
    select (select coalesce(jsonb_agg(jsonb_build_object('id', line_id, 'seq', seq)), '[]') from (
        select r.line_id, max(r.seq) as seq from revisions r
        where r.created_at > now() - make_interval(secs => ${seconds}) and r.base_seq is null
        group by r.line_id) late) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'version', version)), '[]') from sites
        where updated_at > now() - make_interval(secs => ${seconds})) as sites`.asSlow(),
  )
}

export interface LineKey {
  organizationId: string
  lineId: string
}

/**
 * Returns the current state of these sites and lines. Deleted ones are missing. Each line is looked up by its key,
 * because a join would read all lines.
 */
export async function listStates(db: Db, siteIds: string[], lines: LineKey[]): Promise<LateNews> {
  return db.one(
    sql<LateNews>`
    select (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'seq', l.head_seq)), '[]')
        from unnest(${lines.map((line) => line.organizationId)}::uuid[], ${lines.map((line) => line.lineId)}::uuid[])
          held (organization_id, id)
        ${eachWith(sql`select l.id, l.head_seq from lines l
          where l.organization_id = held.organization_id and l.id = held.id`)} l) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'version', version)), '[]') from sites
        where id = any (${siteIds}::uuid[])) as sites`.asSlow(),
  )
}
