import type { Db } from '../../db/connect.ts'
import { nothing, sql } from '../../db/sql.ts'
import type { ExportRunRow } from '../../db/tables.ts'
import { type Page, behind } from '../../http/paging.ts'
import { file, page, reusable } from '../../revisions/entries.ts'
import type { Person } from '../../users/present.ts'
import { asPerson } from '../../users/queries.ts'

export type ExportRun = ExportRunRow & { creator: Person | null }

/** A run that has not been updated for this long has lost the process that sent it. */
const isLost = sql`r.status = 'in-progress' and r.updated_at < now() - interval '1 minute'`

const columns = sql`r.organization_id, r.id, r.space_id, r.created_by,
  case when ${isLost} then 'failed' else r.status end as status, r.files, r.total_files, r.bytes,
  r.created_at, r.updated_at, case when ${isLost} then r.updated_at else r.completed_at end as completed_at,
  ${asPerson(sql`u`)} as creator`

const joined = sql`export_runs r left join users u on u.id = r.created_by`

export async function insertExportRun(
  db: Db,
  row: Pick<ExportRunRow, 'organization_id' | 'id' | 'space_id' | 'created_by' | 'total_files'>,
): Promise<void> {
  await db.run(sql`
    insert into export_runs (organization_id, id, space_id, created_by, total_files)
    values (${row.organization_id}, ${row.id}, ${row.space_id}, ${row.created_by}, ${row.total_files})`)
}

type Named = Pick<ExportRunRow, 'id'>

export async function noteExported(db: Db, { id }: Named, { files, bytes }: { files: number; bytes: number }) {
  await db.run(sql`
    update export_runs set files = ${files}, bytes = ${bytes}, updated_at = now() where id = ${id} and status = 'in-progress'`)
}

export async function endExportRun(
  db: Db,
  { id }: Named,
  status: 'completed' | 'failed',
  { files, bytes }: { files: number; bytes: number },
): Promise<void> {
  // The total was an estimate, and content may have been edited meanwhile. When the run is completed, all files have
  // been written.
  await db.run(sql`
    update export_runs set status = ${status}, files = ${files}, bytes = ${bytes}, updated_at = now(), completed_at = now(),
      total_files = case when ${status} = 'completed' then ${files} else total_files end
    where id = ${id} and status = 'in-progress'`)
}

export async function findExportRun(db: Db, organizationId: string, id: string): Promise<ExportRun | undefined> {
  return db.find(sql<ExportRun>`
    select ${columns} from ${joined} where r.organization_id = ${organizationId} and r.id = ${id}`)
}

/** The newest first; only those of `userId`, if given. */
export async function listExportRuns(db: Db, organizationId: string, userId: string | undefined, at: Page) {
  const matching = sql`r.organization_id = ${organizationId}
    ${userId === undefined ? nothing : sql`and r.created_by = ${userId}`}`
  const after = behind(at, sql`r.created_at, r.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ExportRun>`select ${columns} from ${joined} where ${matching} ${after}
      order by r.created_at desc, r.id desc limit ${at.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from export_runs r where ${matching}`),
  ])
  return { rows, count }
}

/** The latest exports of a space, or of a whole organization; only those of `userId`, if given. */
export async function listExportRunsOf(
  db: Db,
  { organization_id, id }: { organization_id: string; id: string | null },
  { userId, limit }: { userId?: string; limit: number },
): Promise<ExportRun[]> {
  return db.all(
    sql<ExportRun>`select ${columns} from ${joined}
      where r.organization_id = ${organization_id} and ${id === null ? sql`r.space_id is null` : sql`r.space_id = ${id}`}
        ${userId === undefined ? nothing : sql`and r.created_by = ${userId}`}
      order by r.created_at desc, r.id desc limit ${limit}`.asSlow(),
  )
}

/** How many pages, files and reusable contents there are to write, for one space or for all. */
export async function countToExport(db: Db, organizationId: string, spaceId?: string) {
  return db.one(
    sql<{ entries: number; spaces: number }>`
    select count(h.entry) as entries, count(distinct l.id) as spaces
    from spaces s join lines l on l.organization_id = s.organization_id and l.space_id = s.id and l.main_id is null
    left join heads h on h.organization_id = l.organization_id and h.line_id = l.id and h.state = 0
      and (h.kind in (${file}, ${reusable}) or (h.kind = ${page} and h.data ->> 'type' = 'document'))
    where s.organization_id = ${organizationId} and s.deleted_at is null
      ${spaceId === undefined ? nothing : sql`and s.id = ${spaceId}`}`.asSlow(),
  )
}
