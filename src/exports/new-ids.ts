import { type Statement, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'

const anId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * Replaces old ids by the ones that things have here. Ids are replaced wherever they appear: in a column, in a look, in
 * the address of a link.
 */
export function withNewIds<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  return JSON.parse(JSON.stringify(value).replace(anId, (id) => ids.get(id) ?? id)) as Value
}

/** The id it had, unless this table has it already. */
export async function freeId(tx: Transaction, table: Statement, id: string): Promise<string> {
  return (await tx.find(sql`select from ${table} where id = ${id}`)) ? newId() : id
}
