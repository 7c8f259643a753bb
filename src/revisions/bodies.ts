import { hash } from 'node:crypto'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { movedAway } from './revision.ts'

/** Returns the key of a body. Identical texts are stored once. */
export function bodyHash(markdown: string): string {
  return hash('sha256', markdown, 'base64url')
}

export async function findBody(db: Db, organizationId: string, doc: string): Promise<string> {
  const found = await db.find(sql<{ markdown: string }>`
    select markdown from documents where organization_id = ${organizationId} and hash = ${doc}`)
  if (!found) throw movedAway()
  return found.markdown
}

export async function listBodies(
  db: Db,
  organizationId: string,
  docs: string[],
): Promise<{ hash: string; markdown: string }[]> {
  if (docs.length === 0) return []
  return db.all(
    sql<{ hash: string; markdown: string }>`
    select hash, markdown from documents where organization_id = ${organizationId} and hash = any (${docs}::text[])`.asLong(),
  )
}
