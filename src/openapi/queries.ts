import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { OpenAPISpecRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'
import type { Revision } from '../revisions/revision.ts'

const columns = sql`s.organization_id, s.id, s.slug, s.source_url, s.source_blob, s.visibility, s.state, s.asked,
  s.last_version, s.last_processed_at, s.last_error, s.last_error_message, s.created_at, s.updated_at`

export async function findSpec(db: Db, organizationId: string, slug: string): Promise<OpenAPISpecRow | undefined> {
  return db.find(sql<OpenAPISpecRow>`
    select ${columns} from openapi_specs s where s.organization_id = ${organizationId} and s.slug = ${slug}`)
}

export async function lockSpec(
  tx: Transaction,
  organizationId: string,
  slug: string,
): Promise<OpenAPISpecRow | undefined> {
  return tx.find(sql<OpenAPISpecRow>`
    select ${columns} from openapi_specs s where s.organization_id = ${organizationId} and s.slug = ${slug} for update`)
}

/** Lists the specifications, oldest first. */
export async function listSpecs(db: Db, organizationId: string, page: Page) {
  const matching = sql`from openapi_specs s where s.organization_id = ${organizationId}`
  const after = behind(page, sql`s.created_at, s.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<OpenAPISpecRow>`
        select ${columns} ${matching} ${after} order by s.created_at, s.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

/** The source of a specification: an address or a stored text. */
export type StoredSource = { url: string } | { blob: string }

export const sourceOf = ({ source_url: url, source_blob: blob }: OpenAPISpecRow): StoredSource =>
  url === null ? { blob: blob! } : { url }

const urlOf = (source: StoredSource) => ('url' in source ? source.url : null)
const blobOf = (source: StoredSource) => ('blob' in source ? source.blob : null)

/** Returns whether the slug was free. */
export async function insertSpec(
  db: Db,
  { organizationId, id, slug, source }: { organizationId: string; id: string; slug: string; source: StoredSource },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into openapi_specs (organization_id, id, slug, source_url, source_blob)
    values (${organizationId}, ${id}, ${slug}, ${urlOf(source)}, ${blobOf(source)})
    on conflict (organization_id, slug) do nothing`)
  return inserted === 1
}

/** Changes the source and makes it due at once. If it is being read right now, that result is discarded. */
export async function updateSource(db: Db, spec: OpenAPISpecRow, source: StoredSource): Promise<void> {
  await db.run(sql`
    update openapi_specs set source_url = ${urlOf(source)}, source_blob = ${blobOf(source)}, state = 'pending',
      asked = asked + 1, due_at = now(), updated_at = now()
    where organization_id = ${spec.organization_id} and id = ${spec.id}`)
}

export async function updateVisibility(db: Db, spec: OpenAPISpecRow, visibility: string): Promise<void> {
  await db.run(sql`
    update openapi_specs set visibility = ${visibility}, updated_at = now()
    where organization_id = ${spec.organization_id} and id = ${spec.id}`)
}

export async function deleteSpec(db: Db, spec: OpenAPISpecRow): Promise<void> {
  await db.run(sql`delete from openapi_specs where organization_id = ${spec.organization_id} and id = ${spec.id}`)
}

/** Lists the newest versions of specifications, by slug or by the address they are fetched from. */
export async function listNewest(db: Db, organizationId: string, names: readonly string[]) {
  return db.all(sql<NewestVersion>`
    select s.slug, s.source_url, v.spec_id, v.id, v.document_blob
    from openapi_specs s join openapi_spec_versions v
      on v.organization_id = s.organization_id and v.spec_id = s.id and v.id = s.last_version
    where s.organization_id = ${organizationId} and (s.slug = any (${names}::text[]) or s.source_url = any (${names}::text[]))
    order by s.created_at, s.id`)
}

/** Returns the language of the space that a line belongs to. */
export async function findLanguageOfLine(db: Db, organizationId: string, lineId: string): Promise<string | null> {
  const found = await db.find(sql<{ language: string | null }>`
    select s.language from lines l
    join spaces s on s.organization_id = l.organization_id and s.id = l.space_id
    where l.organization_id = ${organizationId} and l.id = ${lineId}`)
  return found?.language ?? null
}

/** Returns a stamp of the current content of all specifications of an organization. */
export async function findStamp(db: Db, organizationId: string): Promise<string> {
  const { stamp } = await db.one(sql<{ stamp: string | null }>`
    select md5(string_agg(slug || ' ' || last_version, ' ' order by slug)) as stamp
    from openapi_specs where organization_id = ${organizationId}`)
  return stamp ?? ''
}

/** Whether a line, or the one below it, ever had a computed page. Answered from an index. */
export async function hasComputedPages(db: Db, { organizationId, lineId, base }: Revision): Promise<boolean> {
  const lines = base ? [lineId, base.lineId] : [lineId]
  const { found } = await db.one(sql<{ found: boolean }>`
    select exists (select from entries
      where organization_id = ${organizationId} and line_id = any (${lines}::uuid[])
        and kind = 1 and data ->> 'type' = 'computed') as found`)
  return found
}

export interface NewestVersion {
  slug: string
  source_url: string | null
  spec_id: string
  id: string
  document_blob: string
}
