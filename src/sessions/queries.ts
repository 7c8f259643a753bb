import { isAtHome } from '../access/caller.ts'
import type { Role } from '../access/roles.ts'
import { insistsOnSso } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'

export interface SessionRow {
  id: string
  user_id: string
  /** If set, the session gives rights in that organization only. */
  organization_id: string | null
  method: 'code' | 'invite' | 'saml' | 'oidc'
  address: string
  user_agent: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

export const lifeDays = 30
const idleDays = 7

const columns = sql`s.id, s.user_id, s.organization_id, s.method, s.address, s.user_agent, s.created_at, s.last_seen_at,
  s.expires_at`

/**
 * Whether session `s` is valid, by the database's clock. A session for a single organization ends with the membership
 * there. If it was opened with a code, it also ends when single sign-on becomes the only way in.
 */
export const live = sql`s.expires_at > now() and s.last_seen_at > now() - make_interval(days => ${idleDays})
  and (s.organization_id is null or exists (select from members m
    where m.organization_id = s.organization_id and m.user_id = s.user_id and not m.disabled
      and (s.method = 'saml' or not ${insistsOnSso(sql`m`)})))`

export async function insertSession(
  db: Db,
  row: {
    id: string
    userId: string
    organizationId: string | null
    secretHash: Buffer
    method: SessionRow['method']
    address: string
    userAgent: string
  },
): Promise<SessionRow> {
  return db.one(sql<SessionRow>`
    insert into sessions as s (id, user_id, organization_id, secret_hash, method, address, user_agent, expires_at)
    values (${row.id}, ${row.userId}, ${row.organizationId}, ${row.secretHash}, ${row.method}, ${row.address},
      ${row.userAgent}, now() + make_interval(days => ${lifeDays}))
    returning ${columns}`)
}

export type FoundSession = Pick<SessionRow, 'organization_id'> &
  Omit<UserRow, 'id'> & { session_id: string; user_id: string; is_stale: boolean }

export async function findLiveSession(db: Db, secretHash: Buffer): Promise<FoundSession | undefined> {
  return db.find(sql<FoundSession>`
    select s.id as session_id, s.organization_id, s.last_seen_at < now() - interval '5 minutes' as is_stale,
      u.id as user_id, u.email, u.email_verified, u.display_name, u.photo_url, u.instance_admin, u.disabled, u.created_at
    from sessions s join users u on u.id = s.user_id
    where s.secret_hash = ${secretHash} and ${live} and not u.disabled and ${isAtHome}`)
}

export async function markSeen(db: Db, id: string): Promise<void> {
  await db.run(sql`update sessions set last_seen_at = now() where id = ${id}`)
}

export async function listSessionsOf(db: Db, userId: string, page: Page) {
  const own = sql`from sessions s where s.user_id = ${userId} and ${live}`
  const after = behind(page, sql`s.created_at, s.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(sql<SessionRow>`
      select ${columns} ${own} ${after} order by s.created_at desc, s.id desc limit ${page.limit + 1}`),
    db.one(sql<{ count: number }>`select count(*) ${own}`),
  ])
  return { rows, count }
}

export async function findSessionOf(db: Db, userId: string, id: string): Promise<SessionRow | undefined> {
  return db.find(sql<SessionRow>`
    select ${columns} from sessions s where s.id = ${id} and s.user_id = ${userId} and ${live}`)
}

export async function deleteSession(db: Db, userId: string, id: string): Promise<SessionRow | undefined> {
  return db.find(sql<SessionRow>`
    delete from sessions s where s.id = ${id} and s.user_id = ${userId} returning ${columns}`)
}

export async function deleteSessionsOf(db: Db, userId: string, but: string | null): Promise<SessionRow[]> {
  return db.all(sql<SessionRow>`
    delete from sessions s where s.user_id = ${userId} and s.id is distinct from ${but}::uuid returning ${columns}`)
}

const mostPlaces = 50

/**
 * Lists the organizations that a session without an organization gives access to, through tokens: those where single
 * sign-on is not the only way in.
 */
export async function listPlacesOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.all(sql<{ organization_id: string }>`
    select m.organization_id from members m
    where m.user_id = ${userId} and not m.disabled and not ${insistsOnSso(sql`m`)}
    order by m.organization_id limit ${mostPlaces}`)
  return rows.map((row) => row.organization_id)
}

/** An organization as its member sees it on the account page. */
export interface OwnPlace {
  id: string
  title: string
  hostname: string
  role: Role | null
  /** Whether the member can only get in by single sign-on. */
  only_sso: boolean
}

/** For a session of one organization, lists only that one. */
export async function listPlacesOfSession(
  db: Db,
  session: { user: UserRow; organizationId: string | null },
): Promise<OwnPlace[]> {
  return db.all(sql<OwnPlace>`
    select o.id, o.title, o.hostname, m.role,
      ${insistsOnSso(sql`m`)} and ${session.organizationId}::uuid is null as only_sso
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${session.user.id} and not m.disabled
      and (${session.organizationId}::uuid is null or o.id = ${session.organizationId})
    order by lower(o.title), o.id limit 200`)
}
