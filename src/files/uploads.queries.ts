import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { BlobRow } from './blobs.queries.ts'

export const uploadKinds = ['customization_font', 'import_file', 'organization_file'] as const

export type UploadKind = (typeof uploadKinds)[number]

export interface UploadRow {
  organization_id: string
  key: string
  name: string
  content_type: string
  size: number
  kind: UploadKind
  blob: string | null
  used_at: Date | null
  /** Whether bytes may still be sent. */
  open: boolean
}

const columns = sql`u.organization_id, u.key, u.name, u.content_type, u.size, u.kind, u.blob, u.used_at, u.expires_at > now() as open`

export async function insertUpload(
  tx: Transaction,
  row: Pick<UploadRow, 'organization_id' | 'key' | 'name' | 'content_type' | 'size' | 'kind'>,
): Promise<void> {
  await tx.run(sql`
    insert into uploads (organization_id, key, name, content_type, size, kind, created_by, expires_at)
    values (${row.organization_id}, ${row.key}, ${row.name}, ${row.content_type}, ${row.size}, ${row.kind},
      ${tx.by.actorId}, now() + interval '1 hour')`)
}

/** Looked up by key alone: the holder of the signed address need not be a member of the organization. */
export async function findUpload(db: Db, key: string): Promise<UploadRow | undefined> {
  return db.find(sql<UploadRow>`select ${columns} from uploads u where u.key = ${key}`)
}

export async function lockUpload(tx: Transaction, key: string): Promise<UploadRow | undefined> {
  return tx.find(sql<UploadRow>`select ${columns} from uploads u where u.key = ${key} for update`)
}

export async function setUploadBlob(
  tx: Transaction,
  { organization_id, key }: Pick<UploadRow, 'organization_id' | 'key'>,
  hash: string,
): Promise<void> {
  await tx.run(sql`update uploads set blob = ${hash} where organization_id = ${organization_id} and key = ${key}`)
}

export type UploadedBlob = UploadRow & { bytes: BlobRow | null }

/** Returns uploads of an organization with the data about their bytes, locked until the transaction ends. */
export async function lockUploads(tx: Transaction, organizationId: string, keys: string[]): Promise<UploadedBlob[]> {
  if (keys.length === 0) return []
  return tx.all(sql<UploadedBlob>`
    select ${columns}, (select to_jsonb(b) from blobs b
      where b.organization_id = u.organization_id and b.hash = u.blob) as bytes
    from uploads u where u.organization_id = ${organizationId} and u.key = any (${keys}::uuid[])
    order by u.key for update of u`)
}

export function useUploads(tx: Transaction, organizationId: string, keys: string[]): void {
  if (keys.length === 0) return
  tx.runLater(sql`
    update uploads set used_at = now() where organization_id = ${organizationId} and key = any (${keys}::uuid[])`)
}

export async function deleteOldUploads(db: Db, limit: number): Promise<number> {
  return db.run(
    sql`delete from uploads where key in (
      select key from uploads where created_at < now() - interval '1 day' limit ${limit})`.asSlow(),
  )
}
