import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/** The one organization of an installation that has no other. */
export async function findSoleOrganization(db: Db): Promise<string | undefined> {
  const rows = await db.all(sql<{ id: string }>`select id from organizations order by id limit 2`)
  return rows.length === 1 ? rows[0]!.id : undefined
}
