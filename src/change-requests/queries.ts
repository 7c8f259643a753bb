import { isOpenTo } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { ChangeRequestRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'
import { type Opened, type OpenedRow, asOpened, openedColumns } from '../revisions/opened.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Person } from '../users/present.ts'
import { asPerson } from '../users/queries.ts'

export type Status = ChangeRequestRow['status']

export const statuses = ['draft', 'open', 'archived', 'merged'] as const satisfies Status[]

/** A change request with everything shown about it: its creator, and the heads of its branch and of main. */
export type ChangeRequest = ChangeRequestRow & {
  creator: Person | null
  head_id: string
  head_seq: number
  base_seq: number
  main_id: string
  main_head_id: string
  main_head_seq: number
  comments: number
}

/** Whether main has moved past the base of the branch. A merged change request is never outdated. */
export function isOutdated({ status, base_seq, main_head_seq }: ChangeRequest): boolean {
  return status !== 'merged' && base_seq < main_head_seq
}

/** The head of main when the row was read. */
export function mainHeadOf({ organization_id, main_id, main_head_seq, main_head_id }: ChangeRequest): Revision {
  return { organizationId: organization_id, lineId: main_id, seq: main_head_seq, id: main_head_id, base: undefined }
}

/** The head of the branch when the row was read. */
export function branchHeadOf({
  organization_id,
  line_id,
  head_seq,
  head_id,
  main_id,
  base_seq,
}: ChangeRequest): Revision {
  const base = { lineId: main_id, seq: base_seq }
  return { organizationId: organization_id, lineId: line_id, seq: head_seq, id: head_id, base }
}

const columns = sql`r.organization_id, r.id, r.space_id, r.number, r.line_id, r.status, r.subject, r.description,
  r.created_by, r.created_at, r.updated_at, r.revision_initial, r.revision_ancestor, r.revision_merged`

const openComments = sql`coalesce((select sum(n.comments) from request_counter_slots n
  where n.organization_id = r.organization_id and n.change_request_id = r.id), 0)`

export const all = sql`${columns}, ${asPerson(sql`u`)} as creator, b.head_id, b.head_seq, b.base_seq, m.id as main_id,
  m.head_id as main_head_id, m.head_seq as main_head_seq, ${openComments} as comments`

/**
 * Both lines are looked up by key (the limits): with plain joins, all lines of a large organization may be read for one
 * row.
 */
export const joined = sql`change_requests r
  cross join lateral (select * from lines b where b.organization_id = r.organization_id and b.id = r.line_id limit 1) b
  cross join lateral (select * from lines m where m.organization_id = b.organization_id and m.id = b.main_id limit 1) m
  left join users u on u.id = r.created_by`

/** Finds a change request by id, or by its number in the space: an all-digit name is a number. */
export async function findChangeRequest(
  db: Db,
  organizationId: string,
  spaceId: string,
  idOrNumber: string,
): Promise<ChangeRequest | undefined> {
  return db.find(sql<ChangeRequest>`
    select ${all} from ${joined}
    where r.organization_id = ${organizationId} and r.space_id = ${spaceId} and ${named(idOrNumber)}`)
}

/** The same, if only the space is known. */
export async function findChangeRequestIn(
  db: Db,
  spaceId: string,
  idOrNumber: string,
): Promise<ChangeRequest | undefined> {
  return db.find(sql<ChangeRequest>`
    select ${all} from ${joined}
    where r.organization_id = (select s.organization_id from spaces s where s.id = ${spaceId}) and r.space_id = ${spaceId}
      and ${named(idOrNumber)}`)
}

/**
 * Finds a change request by id or number, with what a write to its content starts from: the entries that the write
 * names.
 */
export async function findToEdit(
  db: Db,
  organizationId: string,
  spaceId: string,
  idOrNumber: string,
  entries: readonly string[],
): Promise<{ changeRequest: ChangeRequest; branch: Opened } | undefined> {
  const found = await db.find(sql<ChangeRequest & OpenedRow>`
    select ${all}, ${openedColumns(sql`b`, entries)} from ${joined}
    where r.organization_id = ${organizationId} and r.space_id = ${spaceId} and ${named(idOrNumber)}`)
  if (!found) return undefined
  const line = { organizationId, id: found.line_id, spaceId, head: branchHeadOf(found) }
  return { changeRequest: found, branch: asOpened(line, entries, found) }
}

/** Matches the change request `r` of a space by its number or id. */
export const named = (idOrNumber: string) =>
  /^\d{1,9}$/.test(idOrNumber) ? sql`r.number = ${Number(idOrNumber)}` : sql`r.id = ${idOrNumber}`

export interface ChangeRequestFilter {
  statuses: Status[]
  orderBy: 'updatedAt' | 'createdAt'
  creator?: string
  contributor?: string
  requestedReviewer?: string
}

export async function listChangeRequests(
  db: Db,
  organizationId: string,
  spaceId: string,
  filter: ChangeRequestFilter,
  page: Page,
) {
  const matching = sql`r.organization_id = ${organizationId} and r.space_id = ${spaceId} ${meets(organizationId, filter)}`
  return listMatching(db, organizationId, matching, filter, page)
}

/** Lists those of all spaces that the viewer may see; `within` selects the ids of the spaces to include. */
export async function listChangeRequestsOfSpaces(
  db: Db,
  organizationId: string,
  viewerId: string,
  filter: ChangeRequestFilter & { space?: string; within?: Statement },
  page: Page,
) {
  const matching = sql`r.organization_id = ${organizationId} ${meets(organizationId, filter)}
    ${filter.space === undefined ? nothing : sql`and r.space_id = ${filter.space}`}
    ${filter.within === undefined ? nothing : sql`and r.space_id in (${filter.within})`}
    and exists (select from spaces s
      where s.organization_id = ${organizationId} and s.id = r.space_id and s.deleted_at is null)
    and ${isOpenTo(organizationId, viewerId, sql`r.space_id`)}`
  return listMatching(db, organizationId, matching, filter, page)
}

/** Picks the few rows that are shown before it joins everything shown about them. */
async function listMatching(
  db: Db,
  organizationId: string,
  matching: Statement,
  filter: ChangeRequestFilter,
  page: Page,
) {
  const sorted = filter.orderBy === 'createdAt' ? sql`r.created_at` : sql`r.updated_at`
  const inOrder = sql`order by ${sorted} desc, r.id desc`
  const after = behind(page, sql`${sorted}, r.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ChangeRequest>`with picked as materialized (
        select r.id from change_requests r where ${matching} ${after} ${inOrder} limit ${page.limit + 1})
      select ${all} from ${joined} where r.organization_id = ${organizationId} and r.id in (select id from picked)
      ${inOrder}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from change_requests r where ${matching}`.asSlow()),
  ])
  return { rows, count }
}

function meets(
  organizationId: string,
  { statuses, creator, contributor, requestedReviewer }: ChangeRequestFilter,
): Statement {
  // A single status is compared with `=`: only then does the index provide the order as well.
  const status = statuses.length === 1 ? sql`r.status = ${statuses[0]}` : sql`r.status = any (${statuses}::text[])`
  return sql`and ${status}
    ${creator === undefined ? nothing : sql`and r.created_by = ${creator}`}
    ${contributor === undefined ? nothing : sql`and ${isOneOf(organizationId, sql`contributors`, contributor)}`}
    ${requestedReviewer === undefined ? nothing : sql`and ${isOneOf(organizationId, sql`requested_reviewers`, requestedReviewer)}`}`
}

/**
 * As an array of ids, so that those are looked up. As a condition on each row, all change requests of the organization
 * would be scanned.
 */
const isOneOf = (organizationId: string, table: Statement, userId: string) => sql`r.id = any (array(
  select x.change_request_id from ${table} x where x.organization_id = ${organizationId} and x.user_id = ${userId}))`

export interface ChangeRequestDraft {
  organizationId: string
  spaceId: string
  id: string
  lineId: string
  subject: string
  description: string | null
  createdBy: string | null
  revisionInitial: string
}

/**
 * Inserts a change request with the next number of its space. The number is taken last, since others who create one in
 * this space wait for it until the transaction ends. That is also why there are no gaps: a rollback gives the number
 * back.
 */
export async function insertChangeRequest(tx: Transaction, draft: ChangeRequestDraft): Promise<void> {
  const { organizationId, spaceId } = draft
  await tx.run(sql`
    with counted as (
      insert into space_counters (organization_id, space_id, last_number) values (${organizationId}, ${spaceId}, 1)
      on conflict (organization_id, space_id) do update set last_number = space_counters.last_number + 1
      returning last_number)
    insert into change_requests (organization_id, id, space_id, number, line_id, subject, description, created_by,
      revision_initial)
    select ${organizationId}, ${draft.id}, ${spaceId}, counted.last_number, ${draft.lineId}, ${draft.subject},
      ${draft.description}, ${draft.createdBy}, ${draft.revisionInitial} from counted`)
}

export async function updateChangeRequest(
  tx: Transaction,
  row: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
  changes: Partial<Pick<ChangeRequestRow, 'status' | 'subject' | 'description'>>,
): Promise<void> {
  const { status, subject, description } = changes
  await tx.run(sql`
    update change_requests set updated_at = now()
      ${status === undefined ? nothing : sql`, status = ${status}`}
      ${subject === undefined ? nothing : sql`, subject = ${subject}`}
      ${description === undefined ? nothing : sql`, description = ${description}`}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** Marks the change request as changed, since lists sort by that. Returns the new time. */
export async function touchChangeRequest(
  tx: Transaction,
  row: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
): Promise<Date> {
  const { updated_at } = await tx.one(sql<{ updated_at: Date }>`
    update change_requests set updated_at = now() where organization_id = ${row.organization_id} and id = ${row.id}
    returning updated_at`)
  return updated_at
}

/**
 * The same, as a condition of a write to the content (`sendCommit`): the change request must be neither merged nor
 * archived. Everything that changes its status locks the branch first, so the order is the same here.
 */
export function touchUnlessClosed({ organization_id, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>) {
  return sql<{ updated_at: Date }>`
    update change_requests r set updated_at = now() from line
    where r.organization_id = ${organization_id} and r.id = ${id} and r.status in ('draft', 'open')
    returning r.updated_at`
}

/** Stores the main revision that the branch was last updated to. */
export function setAncestor(tx: Transaction, row: ChangeRequestRow, revisionId: string): void {
  tx.runLater(sql`
    update change_requests set revision_ancestor = ${revisionId}, updated_at = now()
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}
