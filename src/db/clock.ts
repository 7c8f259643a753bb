import type { Db } from './connect.ts'
import { sql } from './sql.ts'

/** What time it is for the database, by whose clock all ends are judged: those of nodes may differ. */
export async function readClock(db: Db): Promise<Date> {
  const { now } = await db.one(sql<{ now: Date }>`select clock_timestamp() as now`)
  return now
}
