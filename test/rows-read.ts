import type { Database } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { type Transaction, nobody, transaction } from '../src/db/transaction.ts'

/** How many rows of a table are read through its indexes. */
export function rowsReadOf(db: Database, table: string, read: (tx: Transaction) => Promise<unknown>): Promise<number> {
  return transaction(db, nobody, async (tx) => {
    const count = () =>
      tx.one(sql<{ rows: number }>`select idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = ${table}`)
    const before = await count()
    await read(tx)
    return (await count()).rows - before.rows
  })
}
