import type { Db } from './connect.ts'
import { sql } from './sql.ts'

/**
 * Returns the current time of the database. All expiry times are judged by its clock, because those of nodes may
 * differ.
 */
export async function readClock(db: Db): Promise<Date> {
  const { now } = await db.one(sql<{ now: Date }>`select clock_timestamp() as now`)
  return now
}
