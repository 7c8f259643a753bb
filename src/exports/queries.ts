import { spaceColumns } from '../access/content.ts'
import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import { type Thing, grantTables } from '../grants/queries.ts'
import { usersIn } from '../spaces/merge-rules.ts'
import type { TeamRole } from '../teams/schema.ts'

/** A row as JSON, without its organization: it may be restored into another one. */
export type JsonRow = Record<string, unknown>

/** The next space of an organization after `after`, in the order of their ids. */
export async function findNextSpaceToExport(
  db: Db,
  organizationId: string,
  after: string,
): Promise<SpaceRow | undefined> {
  return db.find(
    sql<SpaceRow>`
    select ${spaceColumns} from spaces s
    where s.organization_id = ${organizationId} and s.deleted_at is null and s.id > ${after}
    order by s.id limit 1`.asSlow(),
  )
}

export async function listCollectionsToExport(db: Db, organizationId: string): Promise<JsonRow[]> {
  return rowsOf(db, sql`select * from collections where organization_id = ${organizationId} order by created_at, id`)
}

/** Comments on a space itself, and their replies. */
export async function listCommentsToExport(db: Db, { organization_id, id }: SpaceRow, after: string, limit: number) {
  return rowsOf(
    db,
    sql`select * from comments where organization_id = ${organization_id} and space_id = ${id}
      and change_request_id is null and id > ${after} order by id limit ${limit}`,
  )
}

export async function listReactionsToExport(db: Db, organizationId: string, commentIds: string[]): Promise<JsonRow[]> {
  return rowsOf(
    db,
    sql`select * from comment_reactions where organization_id = ${organizationId}
      and comment_id = any (${commentIds}::uuid[]) order by comment_id, reacted_at`,
  )
}

export async function listFormerPaths(db: Db, { organization_id, id }: SpaceRow): Promise<JsonRow[]> {
  return rowsOf(
    db,
    sql`select path, entry, moved_at from former_paths where organization_id = ${organization_id} and space_id = ${id}`,
  )
}

export interface ExportedPerson {
  id: string
  email: string
  displayName: string
}

/** Everybody who wrote or resolved a comment, reacted, was granted a role on the space, or is named by its rules. */
export async function listPeople(
  db: Db,
  { organization_id, id, merge_rules: rules }: SpaceRow,
): Promise<ExportedPerson[]> {
  const here = sql`organization_id = ${organization_id} and space_id = ${id}`
  return db.all(
    sql<ExportedPerson>`
    select u.id, u.email, u.display_name as "displayName" from users u where u.id in (
      select author_id from comments where ${here} union select resolved_by from comments where ${here}
      union select user_id from comment_reactions where ${here} union select user_id from member_grants where ${here}
      union select unnest(${usersIn(rules)}::uuid[]))
    order by u.email`.asSlow(),
  )
}

/** A person in an archive. Older archives contain only the address, and no id. */
export interface ExportedName {
  id?: string
  email: string
  displayName?: string
}

/** Who was granted which role on a space, a collection or a site. A role of null is an explicit "no access". */
export interface ExportedGrants {
  members: (ExportedName & { role: Role | null })[]
  teams: { id?: string; title: string; role: Role | null }[]
}

/** The grants on one thing, or on all things of a type in the organization, by the id of the thing. */
export async function listGrants(
  db: Db,
  organizationId: string,
  type: Thing['type'],
  id?: string,
): Promise<Record<string, ExportedGrants>> {
  const { members, teams, column, key } = grantTables[type]
  const given = sql`g.organization_id = ${organizationId}
    and ${id === undefined ? sql`g.${column} is not null` : sql`g.${key} = ${id}`}`
  const toMembers = await db.all(
    sql<{ thing: string } & ExportedGrants['members'][number]>`
    select g.${column} as thing, u.id, u.email, u.display_name as "displayName", g.role
    from ${members} g join users u on u.id = g.user_id where ${given} order by u.email, u.id`.asSlow(),
  )
  const toTeams = await db.all(
    sql<{ thing: string } & ExportedGrants['teams'][number]>`
    select g.${column} as thing, t.id, t.title, g.role
    from ${teams} g join teams t on t.organization_id = g.organization_id and t.id = g.team_id
    where ${given} order by t.title, t.id`.asSlow(),
  )
  const grants: Record<string, ExportedGrants> = {}
  const on = (thing: string) => (grants[thing] ??= { members: [], teams: [] })
  for (const { thing, ...grant } of toMembers) on(thing).members.push(grant)
  for (const { thing, ...grant } of toTeams) on(thing).teams.push(grant)
  return grants
}

export type ExportedMember = ExportedName & { role: Role | null }

export interface ExportedTeam {
  id?: string
  title: string
  /** Older archives contain only addresses, and no ids. */
  members: (string | (ExportedName & { role: TeamRole }))[]
}

/** The organization with its members and teams. */
export async function findOrganizationToExport(db: Db, organizationId: string) {
  const [organization, members, teams] = await Promise.all([
    db.one(sql<JsonRow>`
      select o.id, o.title, o.hostname, o.default_role as "defaultRole", o.sso, o.ai, o.invite_links as "inviteLinks",
        o.merge_rules as "mergeRules", o.default_site_id as "defaultSite",
        array(select d.domain from email_domains d where d.organization_id = o.id order by d.domain) as "emailDomains"
      from organizations o where o.id = ${organizationId}`),
    db.all(
      sql<ExportedMember>`
      select u.id, u.email, u.display_name as "displayName", m.role from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} order by m.joined_at, u.id`.asSlow(),
    ),
    db.all(
      sql<ExportedTeam>`
      select t.id, t.title, coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email, 'displayName', u.display_name,
        'role', m.role) order by m.added_at, u.id) filter (where u.id is not null), '[]') as members
      from teams t left join team_members m on m.organization_id = t.organization_id and m.team_id = t.id
      left join users u on u.id = m.user_id where t.organization_id = ${organizationId}
      group by t.id, t.title, t.created_at order by t.title, t.created_at, t.id`.asSlow(),
    ),
  ])
  return { ...organization, members, teams }
}

/** The tables that a site consists of, referenced tables first. Secrets are left out. */
export const siteTables = [
  ...(['sites', 'site_section_groups', 'site_sections', 'site_external_links', 'site_spaces'] as const),
  ...(['former_site_paths', 'site_redirects', 'site_pictures'] as const),
]

export async function listSiteRows(db: Db, organizationId: string): Promise<Record<string, JsonRow[]>> {
  const rows: Record<string, JsonRow[]> = {}
  for (const table of siteTables) {
    rows[table] = await rowsOf(db, sql`select * from ${names[table]} where organization_id = ${organizationId}`)
  }
  for (const site of rows['sites']!) delete site['auth_key']
  return rows
}

export async function listFontRows(db: Db, organizationId: string): Promise<Record<string, JsonRow[]>> {
  const of = (table: 'fonts' | 'font_faces') =>
    rowsOf(db, sql`select * from ${names[table]} where organization_id = ${organizationId}`)
  return { fonts: await of('fonts'), font_faces: await of('font_faces') }
}

const names = {
  sites: sql`sites`,
  site_section_groups: sql`site_section_groups`,
  site_sections: sql`site_sections`,
  site_external_links: sql`site_external_links`,
  site_spaces: sql`site_spaces`,
  former_site_paths: sql`former_site_paths`,
  site_redirects: sql`site_redirects`,
  site_pictures: sql`site_pictures`,
  fonts: sql`fonts`,
  font_faces: sql`font_faces`,
  comments: sql`comments`,
  comment_reactions: sql`comment_reactions`,
  former_paths: sql`former_paths`,
  collections: sql`collections`,
} satisfies Record<string, Statement>

async function rowsOf(db: Db, statement: Statement): Promise<JsonRow[]> {
  const found = await db.all(
    sql<{ row: JsonRow }>`select to_jsonb(x) - 'organization_id' as row from (${statement}) x`.asSlow(),
  )
  return found.map(({ row }) => row)
}

/** Inserts rows unchanged, except for their organization. Generated columns are left out. */
export async function insertRows(
  db: Db,
  table: keyof typeof names,
  organizationId: string,
  rows: readonly JsonRow[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = await db.all(sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`)
  // Columns that a row does not have get the default of the table. All of these names are our own.
  const saidBy = (row: JsonRow) =>
    columns
      .map(({ name }) => name)
      .filter((name) => name === 'organization_id' || row[name] !== undefined)
      .map((name) => `"${name}"`)
      .join(', ')
  for (const [list, alike] of Map.groupBy(rows, saidBy)) {
    const text = [`insert into `, ` (${list}) select ${list} from jsonb_populate_recordset(null::`, `, `, `::jsonb)`]
    const strings = Object.assign(text, { raw: text }) as unknown as TemplateStringsArray
    const json = JSON.stringify(alike.map((row) => ({ ...row, organization_id: organizationId })))
    await db.run(sql(strings, names[table], names[table], json).asSlow())
  }
}
