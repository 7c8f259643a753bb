import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { InviteRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import { membersAddressed } from '../organizations/members.queries.ts'
import { hashOf } from '../secrets.ts'

const columns = sql`i.id, i.organization_id, i.email, i.role, i.sso, i.space_id, i.collection_id, i.secret_sealed,
  i.created_at, i.expires_at`
const unexpired = sql`(i.expires_at is null or i.expires_at > now())`

/** A space in the trash counts as deleted: invites to it do not work. */
const leadsSomewhere = sql`(i.space_id is null or exists (select from spaces s
  where s.organization_id = i.organization_id and s.id = i.space_id and s.deleted_at is null))`

/**
 * Links can be used by everyone who has them. Invites for an address can be used by one person, who has not done so
 * yet.
 */
const kinds = { link: sql`i.email is null`, address: sql`i.email is not null and ${unexpired}` }

export type InviteKind = keyof typeof kinds

/** Lists the invites of an organization; with `only`, those to one target that grant no more than the given roles. */
export async function listInvites(
  db: Db,
  organizationId: string,
  kind: InviteKind,
  page: Page,
  only?: { to: Content; giving: Role[] },
) {
  const invites = sql`from invites i where i.organization_id = ${organizationId} and ${kinds[kind]} and ${leadsSomewhere}
    ${only ? sql`and ${leadsTo(only.to)} and (i.role is null or i.role::text = any (${only.giving}::text[]))` : nothing}`
  const after = behind(page, sql`i.created_at, i.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(sql<InviteRow>`
      select ${columns} ${invites} ${after} order by i.created_at desc, i.id desc limit ${page.limit + 1}`),
    db.one(sql<{ count: number }>`select count(*) ${invites}`),
  ])
  return { rows, count }
}

const leadsTo = ({ type, id }: Content) => (type === 'space' ? sql`i.space_id = ${id}` : sql`i.collection_id = ${id}`)

export async function findInvite(db: Db, organizationId: string, id: string): Promise<InviteRow | undefined> {
  return db.find(sql<InviteRow>`
    select ${columns} from invites i where i.id = ${id} and i.organization_id = ${organizationId} and ${unexpired}
      and ${leadsSomewhere}`)
}

export async function lockInvite(db: Db, organizationId: string, id: string): Promise<InviteRow | undefined> {
  return db.find(sql<InviteRow>`
    select ${columns} from invites i where i.id = ${id} and i.organization_id = ${organizationId} and ${unexpired}
      and ${leadsSomewhere} for update`)
}

/** An invite that a person wants to accept. */
export type OpenInvite = InviteRow & {
  /** Whether the invite is for this address. A link fits every address. */
  fits: boolean
  /** Whether the organization accepts invite links at the moment. */
  invite_links: boolean
  /** Whether people who use it can only join by single sign-on. */
  only_sso: boolean
}

/** Locks the invite, so that if two requests accept an e-mail invite at once, the second finds it gone. */
export async function lockOpenInvite(db: Db, secret: string, address: string): Promise<OpenInvite | undefined> {
  return db.find(sql<OpenInvite>`
    select ${columns}, i.email is null or lower(i.email) = lower(${address}) as fits, o.invite_links,
      i.sso and o.sso as only_sso
    from invites i join organizations o on o.id = i.organization_id
    where i.secret_hash = ${hashOf(secret)} and ${unexpired} and ${leadsSomewhere} for update of i`)
}

/** Finds and locks the invite for the address of a person who signs in through single sign-on. */
export async function lockSsoInvite(db: Db, organizationId: string, address: string): Promise<InviteRow | undefined> {
  return db.find(sql<InviteRow>`
    select ${columns} from invites i
    where i.organization_id = ${organizationId} and lower(i.email) = lower(${address}) and i.email is not null and i.sso
      and ${unexpired} for update`)
}

/** The target of an invite, if it is not the whole organization. */
export interface Content {
  type: 'space' | 'collection'
  id: string
}

const idOf = (type: Content['type'], to: Content | undefined) => (to?.type === type ? to.id : null)

export interface NewInvite {
  id: string
  email: string | null
  role: Role | null
  secretHash: Buffer
  secretSealed: Buffer
}

/**
 * Inserts many invites at once. Those for an address expire, and replace an existing invite for the same address. If an
 * address is given twice, the later entry wins. Rows are inserted in the order of addresses, so that two callers who
 * invite the same people do not deadlock.
 */
export async function insertInvites(
  db: Db,
  common: { organizationId: string; sso: boolean; createdBy: string | null; to?: Content },
  invites: NewInvite[],
): Promise<InviteRow[]> {
  const each = <Name extends keyof NewInvite>(name: Name) => invites.map((invite) => invite[name])
  return db.all(sql<InviteRow>`
    insert into invites as i (id, organization_id, email, role, sso, space_id, collection_id, secret_hash, secret_sealed,
      created_by, expires_at)
    select distinct on (coalesce(lower(email), id::text)) id, ${common.organizationId}::uuid, email, role,
      ${common.sso}::boolean, ${idOf('space', common.to)}::uuid, ${idOf('collection', common.to)}::uuid, secret_hash,
      secret_sealed, ${common.createdBy}::uuid,
      case when email is not null then now() + interval '30 days' end
    from unnest(${each('id')}::uuid[], ${each('email')}::text[], ${each('role')}::text[],
      ${each('secretHash')}::bytea[], ${each('secretSealed')}::bytea[])
      with ordinality as given (id, email, role, secret_hash, secret_sealed, place)
    order by coalesce(lower(email), id::text), place desc
    on conflict (organization_id, lower(email)) where email is not null do update
    set id = excluded.id, email = excluded.email, role = excluded.role, sso = excluded.sso,
      secret_hash = excluded.secret_hash, secret_sealed = excluded.secret_sealed, created_by = excluded.created_by,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    returning ${columns}`)
}

/** Returns which of the addresses belong to members, and whether these are guests, who could still receive a role. */
export async function listMembersAmong(db: Db, organizationId: string, addresses: string[]) {
  const rows = await db.all(sql<{ address: string; is_guest: boolean }>`
    select m.address, bool_and(m.role is null and not m.disabled) as is_guest
    from ${membersAddressed(organizationId, addresses)} m group by m.address`)
  return new Map(rows.map((row) => [row.address, row]))
}

export async function updateInviteRole(db: Db, id: string, role: Role | null): Promise<void> {
  await db.run(sql`update invites set role = ${role} where id = ${id}`)
}

export async function deleteInvite(db: Db, id: string): Promise<void> {
  await db.run(sql`delete from invites where id = ${id}`)
}

export async function deleteInvitesTo(db: Db, organizationId: string, address: string): Promise<InviteRow[]> {
  return db.all(sql<InviteRow>`
    delete from invites i where i.organization_id = ${organizationId} and i.email is not null
      and lower(i.email) = lower(${address}) returning ${columns}`)
}

/**
 * Counts a use of a link by the database's clock. A minute begins with the first use after the previous minute ended.
 */
export async function countUse(db: Db, inviteId: string): Promise<{ uses: number; seconds_left: number }> {
  return db.one(sql<{ uses: number; seconds_left: number }>`
    insert into invite_uses as n (invite_id, minute, uses) values (${inviteId}, now(), 1)
    on conflict (invite_id) do update set
      uses = case when now() < n.minute + interval '1 minute' then n.uses + 1 else 1 end,
      minute = case when now() < n.minute + interval '1 minute' then n.minute else now() end
    returning n.uses, ceil(extract(epoch from n.minute + interval '1 minute' - now()))::int as seconds_left`)
}
