import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { OpenAPISpecRow, OpenAPIVersionRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'

const columns = sql`v.organization_id, v.spec_id, v.id, v.document_blob, v.externals_blob, v.externals, v.source_blob,
  v.format, v.created_at`

export async function findVersion(db: Db, spec: OpenAPISpecRow, id: string): Promise<OpenAPIVersionRow | undefined> {
  return db.find(sql<OpenAPIVersionRow>`
    select ${columns} from openapi_spec_versions v
    where v.organization_id = ${spec.organization_id} and v.spec_id = ${spec.id} and v.id = ${id}`)
}

/** Finds a version of any specification of an organization. */
export async function findVersionById(
  db: Db,
  organizationId: string,
  id: string,
): Promise<OpenAPIVersionRow | undefined> {
  return db.find(sql<OpenAPIVersionRow>`
    select ${columns} from openapi_spec_versions v where v.organization_id = ${organizationId} and v.id = ${id}`)
}

/** Finds the version of a public specification that anyone may download. */
export async function findPublicVersion(
  db: Db,
  specId: string,
): Promise<(OpenAPIVersionRow & { slug: string }) | undefined> {
  return db.find(sql<OpenAPIVersionRow & { slug: string }>`
    select ${columns}, s.slug from openapi_specs s join openapi_spec_versions v
      on v.organization_id = s.organization_id and v.spec_id = s.id and v.id = s.last_version
    where s.id = ${specId} and s.visibility = 'public'`)
}

/** Lists the versions, newest first. */
export async function listVersions(db: Db, spec: OpenAPISpecRow, page: Page) {
  const matching = sql`from openapi_spec_versions v
    where v.organization_id = ${spec.organization_id} and v.spec_id = ${spec.id}`
  const after = behind(page, sql`v.created_at, v.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<OpenAPIVersionRow>`
        select ${columns} ${matching} ${after} order by v.created_at desc, v.id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

export async function insertVersion(db: Db, row: Omit<OpenAPIVersionRow, 'created_at'>): Promise<void> {
  await db.run(sql`
    insert into openapi_spec_versions
      (organization_id, spec_id, id, document_blob, externals_blob, externals, source_blob, format)
    values (${row.organization_id}, ${row.spec_id}, ${row.id}, ${row.document_blob}, ${row.externals_blob},
      ${row.externals}, ${row.source_blob}, ${row.format})`)
}
