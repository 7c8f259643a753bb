import { Readable } from 'node:stream'
import type pg from 'pg'

/** Rows that are read or written at once. Some of them are a megabyte. */
const batch = 200

/**
 * All tables of ours, by name. The tables of the job queue are created anew; waiting mail is sent by the installation
 * in which it was written.
 */
export async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('migrations', 'mails')
    order by 1`)
  return rows.map(({ name }) => name)
}

/** The rows of a table as JSON, one per line, as fast as they are read. Requires a transaction. */
export function tableLines(client: pg.ClientBase, table: string): Readable {
  return Readable.from(linesOf(client, table), { objectMode: false })
}

async function* linesOf(client: pg.ClientBase, table: string): AsyncGenerator<string> {
  await client.query(`declare rows no scroll cursor for select row_to_json(t)::text as line from ${quoted(table)} t`)
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batch} from rows`)
    if (rows.length === 0) break
    yield rows.map(({ line }) => `${line}\n`).join('')
  }
  await client.query('close rows')
}

/** A migration may have inserted rows. An empty table is skipped, because a delete could be refused there. */
export async function clearTable(client: pg.ClientBase, table: string): Promise<void> {
  const { rowCount } = await client.query(`select from ${quoted(table)} limit 1`)
  if (rowCount) await client.query(`delete from ${quoted(table)}`)
}

/** Fills an empty table. Generated columns are left out. */
export async function fillTable(client: pg.ClientBase, table: string, lines: AsyncIterable<string>): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const columns = rows.map(({ name }) => quoted(name)).join(', ')
  const name = quoted(table)
  const insert = `insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, $1::json)`
  let count = 0
  let waiting: string[] = []
  const flush = async () => {
    if (waiting.length > 0) await client.query(insert, [`[${waiting.join(',')}]`])
    count += waiting.length
    waiting = []
  }
  for await (const line of lines) {
    waiting.push(line)
    if (waiting.length === batch) await flush()
  }
  await flush()
  return count
}

/** Drops the foreign keys, so that rows can be inserted in any order, and returns a function that adds them again. */
export async function looseTables(client: pg.ClientBase): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where c.contype = 'f' and n.nspname = current_schema() and c.conparentid = 0 order by 1, 2`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  return async () => {
    for (const { table, name, definition } of rows) {
      await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    }
  }
}

/** Sequences continue after the last number that was used. */
export async function settleSequences(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select t.oid::regclass::text as table, a.attname as column, pg_get_serial_sequence(t.oid::regclass::text, a.attname) as sequence
    from pg_class t join pg_namespace n on n.oid = t.relnamespace
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = current_schema() and t.relkind in ('r', 'p')
      and pg_get_serial_sequence(t.oid::regclass::text, a.attname) is not null`)
  for (const { table, column, sequence } of rows) {
    await client.query(`select setval($1, coalesce(max(${quoted(column)}), 0) + 1, false) from ${table}`, [sequence])
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
