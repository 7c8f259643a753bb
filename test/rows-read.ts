import type { Database, Db } from '../src/db/connect.ts'
import { type Statement, sql } from '../src/db/sql.ts'
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

interface Step {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Step[]
}

/**
 * How many rows the statements handle by their plans, in each step and each time that it is repeated: for what no table
 * tells, such as a look at all of an interim result for every row of another one.
 */
export async function rowsHandled(db: Database, read: (db: Db) => Promise<unknown>): Promise<number> {
  let rows = 0
  const explained = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    const [plan] = await db.all(
      sql<{ 'QUERY PLAN': [{ Plan: Step }] }>`explain (analyze, timing off, format json) ${statement}`.asSlow(),
    )
    rows += rowsOf(plan!['QUERY PLAN'][0].Plan)
    return db.all(statement)
  }
  await read({
    all: explained,
    find: async (statement) => (await explained(statement))[0],
    one: async (statement) => (await explained(statement))[0]!,
    run: (statement) => db.run(statement),
    remember: (_what, _key, find) => find(),
  })
  return rows
}

const rowsOf = (step: Step): number =>
  step['Actual Loops'] *
    (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0)) +
  (step.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
