import { type Membership, type StandingRow, organizationColumns as columns, standingColumns } from '../access/caller.ts'
import { tokenOpens } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { OrganizationRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import { isId } from '../ids.ts'

export async function findOrganization(db: Db, id: string): Promise<OrganizationRow | undefined> {
  return db.find(sql<OrganizationRow>`select ${columns} from organizations o where o.id = ${id}`)
}

/** Finds an organization by id or hostname, as an operator names it. */
export async function findOrganizationByName(db: Db, name: string): Promise<OrganizationRow | undefined> {
  const isNamed = isId(name) ? sql`o.id = ${name}` : sql`o.hostname = ${name}`
  return db.find(sql<OrganizationRow>`select ${columns} from organizations o where ${isNamed}`)
}

/** Lists the names of some organizations, oldest first. */
export function listOrganizationNames(db: Db, limit: number): Promise<{ hostname: string; title: string }[]> {
  return db.all(sql<{ hostname: string; title: string }>`
    select hostname, title from organizations order by created_at, id limit ${limit}`)
}

/** Returns the oldest organization. */
export async function findFirstOrganization(db: Db): Promise<string | undefined> {
  return (await db.find(sql<{ id: string }>`select id from organizations order by created_at, id limit 1`))?.id
}

/**
 * Locks the row, so that reading and writing it is consistent. Not `for update`: transactions that add something to the
 * organization would wait for this one, and if they hold a site, this one for them.
 */
export async function lockOrganization(db: Db, id: string): Promise<OrganizationRow> {
  return db.one(sql<OrganizationRow>`select ${columns} from organizations o where o.id = ${id} for no key update of o`)
}

type OwnOrganization = OrganizationRow & StandingRow

/** Lists the organizations in which this person, with this token, is a member. */
export async function listOwnOrganizations(db: Db, userId: string, tokenId: string, page: Page) {
  const own = sql`from organizations o
    join members m on m.organization_id = o.id and m.user_id = ${userId} and not m.disabled
    where ${tokenOpens(sql`m`, tokenId)}`
  const after = behind(page, sql`o.created_at, o.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(sql<OwnOrganization>`
      select ${columns}, ${standingColumns} ${own} ${after} order by o.created_at, o.id limit ${page.limit + 1}`),
    db.one(sql<{ count: number }>`select count(*) ${own}`),
  ])
  return { rows: rows.map((row) => asMembership(row, userId)), count }
}

/** Returns what a member may do in an organization. */
export async function findMembership(db: Db, organizationId: string, userId: string): Promise<Membership | undefined> {
  const found = await db.find(sql<OwnOrganization>`
    select ${columns}, ${standingColumns}
    from organizations o join members m on m.organization_id = o.id and m.user_id = ${userId} and not m.disabled
    where o.id = ${organizationId}`)
  return found && asMembership(found, userId)
}

function asMembership(row: OwnOrganization, userId: string): Membership {
  const { role, owns_team: ownsTeam, default_site: defaultSite, ...organization } = row
  return { organization, userId, role, ownsTeam, defaultSite }
}

export async function insertOrganization(
  db: Db,
  row: { id: string; title: string; hostname: string },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into organizations (id, title, hostname) values (${row.id}, ${row.title}, ${row.hostname})
    on conflict (hostname) do nothing`)
  return inserted === 1
}

export async function updateOrganization(db: Db, row: OrganizationRow): Promise<void> {
  await db.run(sql`
    update organizations set title = ${row.title}, hostname = ${row.hostname}, default_role = ${row.default_role},
      logo = ${row.logo}, sso = ${row.sso}, ai = ${row.ai}, invite_links = ${row.invite_links},
      merge_rules = ${row.merge_rules}::jsonb, default_site_id = ${row.default_site_id}
    where id = ${row.id}`)
}

/** Replaces the whole list. A domain that belongs to another organization makes the statement fail. */
export async function replaceEmailDomains(db: Db, organizationId: string, domains: string[]): Promise<void> {
  await db.run(sql`delete from email_domains where organization_id = ${organizationId} and domain <> all (${domains})`)
  await db.run(sql`
    insert into email_domains (domain, organization_id) select wanted.domain, ${organizationId} from unnest(${domains}::text[]) as wanted (domain)
    where not exists (select from email_domains e where e.domain = wanted.domain and e.organization_id = ${organizationId})`)
}

export async function findOrganizationOfDomain(db: Db, domain: string): Promise<string | undefined> {
  const row = await db.find(sql<{ organization_id: string }>`
    select organization_id from email_domains where domain = ${domain}`)
  return row?.organization_id
}
