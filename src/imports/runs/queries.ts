import { isOpenTo } from '../../access/content.ts'
import type { Db } from '../../db/connect.ts'
import { nothing, sql } from '../../db/sql.ts'
import type { ImportRunRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Page, behind } from '../../http/paging.ts'
import { firstByTurns, turnsIn } from '../../jobs/by-turns.ts'
import type { Person } from '../../users/present.ts'
import { asPerson } from '../../users/queries.ts'
import type { Skipped } from '../collected.ts'

export type ImportRun = ImportRunRow & { creator: Person | null }

const listed = sql`r.organization_id, r.id, r.space_id, r.change_request_id, r.page_id, r.site_id, r.source, r.status, r.reason,
  r.created_by, r.token_id, r.session_id, r.attempts, r.due_at, r.found, r.done, r.imported, r.total, r.revision, r.created_at, r.updated_at,
  r.started_at, r.completed_at, ${asPerson(sql`u`)} as creator`

const joined = sql`import_runs r left join users u on u.id = r.created_by`

export async function insertRun(
  tx: Transaction,
  row: Pick<
    ImportRunRow,
    'organization_id' | 'id' | 'space_id' | 'change_request_id' | 'page_id' | 'site_id' | 'source' | 'session_id'
  >,
): Promise<void> {
  await tx.run(sql`
    insert into import_runs (organization_id, id, space_id, change_request_id, page_id, site_id, source, created_by, token_id, session_id)
    values (${row.organization_id}, ${row.id}, ${row.space_id}, ${row.change_request_id}, ${row.page_id}, ${row.site_id},
      ${row.source}::jsonb, ${tx.by.actorId}, ${tx.by.tokenId}, ${row.session_id})`)
}

export async function findRun(db: Db, organizationId: string, id: string): Promise<ImportRun | undefined> {
  return db.find(sql<ImportRun>`
    select ${listed}, r.pages, r.skipped from ${joined} where r.organization_id = ${organizationId} and r.id = ${id}`)
}

export async function lockRun(tx: Transaction, organizationId: string, id: string): Promise<ImportRun | undefined> {
  await tx.run(sql`select from import_runs where organization_id = ${organizationId} and id = ${id} for update`)
  return findRun(tx, organizationId, id)
}

export interface RunFilter {
  space?: string
  /** Its id, or its number in the space. */
  changeRequest?: string | number
  site?: string
  status?: ImportRunRow['status'] | 'active'
}

/** Lists runs of spaces that the viewer may see, newest first, without their pages. */
export async function listRuns(db: Db, organizationId: string, viewerId: string, filter: RunFilter, page: Page) {
  const { space, changeRequest, site, status } = filter
  const statuses = status === 'active' ? ['pending', 'in-progress'] : status === undefined ? undefined : [status]
  const matching = sql`r.organization_id = ${organizationId}
    ${space === undefined ? nothing : sql`and r.space_id = ${space}`}
    ${typeof changeRequest === 'string' ? sql`and r.change_request_id = ${changeRequest}` : nothing}
    ${
      typeof changeRequest === 'number'
        ? sql`and r.change_request_id = (select c.id from change_requests c
            where c.organization_id = ${organizationId} and c.space_id = r.space_id and c.number = ${changeRequest})`
        : nothing
    }
    ${site === undefined ? nothing : sql`and r.site_id = ${site}`}
    ${statuses === undefined ? nothing : sql`and r.status = any (${statuses}::text[])`}
    and exists (select from spaces s
      where s.organization_id = ${organizationId} and s.id = r.space_id and s.deleted_at is null)
    and ${isOpenTo(organizationId, viewerId, sql`r.space_id`)}`
  const after = behind(page, sql`r.created_at, r.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ImportRun>`select ${listed} from ${joined} where ${matching} ${after}
      order by r.created_at desc, r.id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from import_runs r where ${matching}`.asSlow()),
  ])
  return { rows, count }
}

/**
 * Takes the run that has waited longest, from the organization whose turn it is. If the process that took it never
 * comes back, the run is due again after two minutes.
 */
export async function takeDueRun(db: Db): Promise<ImportRunRow | undefined> {
  return db.find(sql<ImportRunRow>`
    update import_runs r set status = 'in-progress', attempts = attempts + 1, due_at = now() + interval '2 minutes',
      started_at = coalesce(started_at, now()), updated_at = now()
    where (r.organization_id, r.id) = (
      with ${turnsIn(sql`import_runs`, sql`status = 'in-progress'`, sql`started_at`)}
      select w.organization_id, w.id from import_runs w join turns on turns.organization_id = w.organization_id
      where w.due_at <= now()
      order by ${firstByTurns}, w.due_at limit 1 for update of w skip locked)
    returning r.*`)
}

const mine = ({ organization_id, id, attempts }: ImportRunRow) =>
  sql`organization_id = ${organization_id} and id = ${id} and attempts = ${attempts} and status = 'in-progress'`

export type RunPages = ImportRunRow['pages']

/** Records the progress of a run. Returns whether the run is still to be done by this process. */
export async function noteProgress(db: Db, run: ImportRunRow, pages: RunPages, done: number): Promise<boolean> {
  const updated = await db.run(sql`
    update import_runs set due_at = now() + interval '2 minutes', found = ${pages.length}, done = ${done},
      pages = ${JSON.stringify(pages)}::jsonb, updated_at = now() where ${mine(run)}`)
  return updated > 0
}

/** Makes the run due at once, for another process to take. */
export async function giveBack(db: Db, run: ImportRunRow): Promise<void> {
  await db.run(sql`
    update import_runs set status = 'pending', attempts = attempts - 1, due_at = now(), updated_at = now()
    where ${mine(run)}`)
}

/** Locks the run until the transaction ends. Returns false if the run was cancelled, or taken by another process. */
export async function holdRun(tx: Transaction, run: ImportRunRow): Promise<boolean> {
  return (await tx.find(sql`select from import_runs where ${mine(run)} for update`)) !== undefined
}

export interface RunOutcome {
  revision: string
  imported: number
  total: number
  pages: RunPages
  skipped: readonly Skipped[]
}

export async function setCompleted(tx: Transaction, run: ImportRunRow, outcome: RunOutcome): Promise<void> {
  const { revision, imported, total, pages, skipped } = outcome
  await tx.run(sql`
    update import_runs set status = 'completed', revision = ${revision}, imported = ${imported}, total = ${total},
      found = ${pages.length}, done = ${imported}, pages = ${JSON.stringify(pages)}::jsonb,
      skipped = ${JSON.stringify(skipped)}::jsonb, due_at = null, completed_at = now(), updated_at = now()
    where ${mine(run)}`)
}

export async function setEnded(
  tx: Transaction,
  { organization_id, id }: Pick<ImportRunRow, 'organization_id' | 'id'>,
  status: 'failed' | 'cancelled',
  reason: string | null,
): Promise<void> {
  await tx.run(sql`
    update import_runs set status = ${status}, reason = ${reason}, due_at = null, completed_at = now(), updated_at = now()
    where organization_id = ${organization_id} and id = ${id}`)
}
