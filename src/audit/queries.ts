import type { Db } from '../db/connect.ts'
import { type Statement, join, nothing, sql } from '../db/sql.ts'
import type { ChangeRow, UserRow } from '../db/tables.ts'
import type { Page } from '../http/paging.ts'
import { isId } from '../ids.ts'

/** An entry of the record, with who is behind it as they are called now. */
export type AuditEntry = ChangeRow & {
  actor_name: UserRow['display_name'] | null
  actor_email: UserRow['email'] | null
}

export interface AuditFilter {
  from?: string | undefined
  to?: string | undefined
  action?: string | undefined
  actor?: string | undefined
  target?: string | undefined
}

const columns = sql`c.organization_id, c.id, c.at, c.action, c.actor_id, c.token_id, c.target_type, c.target_id, c.fields,
  c.details, c.request_id, c.address, u.display_name as actor_name, u.email as actor_email`

export async function findAuditEntry(db: Db, organizationId: string, id: string): Promise<AuditEntry | undefined> {
  return db.find(sql<AuditEntry>`
    select ${columns} from changes c left join users u on u.id = c.actor_id
    where c.organization_id = ${organizationId} and c.id = ${id}`)
}

/** The newest first. */
export async function listAuditEntries(db: Db, organizationId: string, filter: AuditFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    listEntriesBefore(db, organizationId, [filter], page.after?.[0] as string | undefined, page.limit + 1),
    db.one(sql<{ count: number }>`select count(*) from changes c where ${matches(organizationId, filter)}`.asSlow()),
  ])
  return { rows, count }
}

/**
 * The newest of those that are older than an entry and that one of the filters matches; no two of them match the same. Each
 * is asked for by itself: the index finds the newest of one action, and not of several. Who is behind each is looked up by key
 * (the limit): of a large batch, as exports read them, everybody with an account was read for each.
 */
export async function listEntriesBefore(
  db: Db,
  organizationId: string,
  filters: AuditFilter[],
  before: string | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  if (filters.length === 0) return []
  const older = before === undefined ? nothing : sql`and c.id < ${before}::uuid`
  const newest = filters.map(
    (filter) => sql`
      (select c.* from changes c where ${matches(organizationId, filter)} ${older} order by c.id desc limit ${limit})`,
  )
  return db.all(
    sql<AuditEntry>`
      select ${columns} from (
        select * from (${join(newest, sql` union all `)}) c order by c.id desc limit ${limit}) c
      left join lateral (select display_name, email from users where id = c.actor_id limit 1) u on true
      order by c.id desc`.asSlow(),
  )
}

/** Who has this id or this address, of those who are members or have done something here. One address may be that of two. */
export async function listActorsNamed(
  db: Db,
  organizationId: string,
  name: string,
): Promise<Pick<UserRow, 'id' | 'email'>[]> {
  const isNamed = isId(name) ? sql`u.id = ${name}` : sql`lower(u.email) = lower(${name})`
  return db.all(sql<Pick<UserRow, 'id' | 'email'>>`
    select u.id, u.email from users u
    where ${isNamed} and (
      exists (select from members m where m.organization_id = ${organizationId} and m.user_id = u.id)
      or exists (select from changes c where c.organization_id = ${organizationId} and c.actor_id = u.id))`)
}

function matches(organizationId: string, { from, to, action, actor, target }: AuditFilter): Statement {
  return sql`c.organization_id = ${organizationId}
    ${from === undefined ? nothing : sql`and c.at >= ${from}::timestamptz and c.id >= ${firstIdAt(from, -slackMs)}::uuid`}
    ${to === undefined ? nothing : sql`and c.at < ${to}::timestamptz and c.id < ${firstIdAt(to, slackMs)}::uuid`}
    ${action === undefined ? nothing : sql`and c.action = ${action}`}
    ${actor === undefined ? nothing : sql`and c.actor_id = ${actor}`}
    ${target === undefined ? nothing : sql`and c.target_id = ${target}`}`
}

/**
 * Ids are made in order of time, so they bound what has to be looked at. But they are made by our clock and in the
 * middle of a transaction, while `at` is its beginning by the clock of the database.
 */
const slackMs = 10 * 60_000

/** Below every id that is made at a moment or later. */
function firstIdAt(time: string, moreMs: number): string {
  const ms = Math.max(0, Date.parse(time) + moreMs)
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
