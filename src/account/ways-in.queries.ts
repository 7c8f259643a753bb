import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/** Finds the only organization of an installation. Undefined unless there is exactly one. */
export async function findSoleOrganization(db: Db): Promise<string | undefined> {
  const rows = await db.all(sql<{ id: string }>`select id from organizations order by id limit 2`)
  return rows.length === 1 ? rows[0]!.id : undefined
}
