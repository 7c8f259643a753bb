import pg from 'pg'
import type { Database, Db } from '../src/db/connect.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { type Transaction, nobody, transaction } from '../src/db/transaction.ts'

/** Returns how many rows of a table are read. */
export function rowsReadOf(db: Database, table: string, read: (tx: Transaction) => Promise<unknown>): Promise<number> {
  return transaction(db, nobody, async (tx) => {
    const count = () =>
      tx.one(sql<{ rows: number }>`
        select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = ${table}`)
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
 * Returns how many rows the statements handle according to their plans, in each step and each repetition of it. This
 * shows what the statistics of tables do not, such as reading a whole interim result for every row of another one. Each
 * statement is planned in the same way as when it is sent.
 */
export async function rowsHandled(db: Database, read: (db: Db) => Promise<unknown>): Promise<number> {
  let rows = 0
  const explained = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    rows += rowsOf(await (statement.isPlannedAnew ? plannedAnew(db, statement) : plannedOnce(db, statement)))
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

interface Explained {
  'QUERY PLAN': [{ Plan: Step }]
}

async function plannedAnew(db: Database, statement: Statement): Promise<Step> {
  const explained = await db.one(sql<Explained>`explain (analyze, timing off, format json) ${statement}`.asSlow())
  return explained['QUERY PLAN'][0].Plan
}

/** Plans the statement without its values: explaining it with the values included would plan it for them. */
async function plannedOnce(db: Database, statement: Statement): Promise<Step> {
  const { text, values } = statement.compile()
  const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
  return db.withClient(async (client) => {
    await client.query(`prepare planned_once as ${text}`)
    try {
      const { rows } = await client.query<Explained>(
        `explain (analyze, timing off, format json) execute planned_once ${given}`,
      )
      return rows[0]!['QUERY PLAN'][0].Plan
    } finally {
      await client.query('deallocate planned_once')
    }
  })
}

/** Formats ids, numbers and words, or arrays of them. */
function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`)
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value))
}

const rowsOf = (step: Step): number =>
  step['Actual Loops'] *
    (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0)) +
  (step.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
