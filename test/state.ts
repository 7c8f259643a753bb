import type { Database } from '../src/db/connect.ts'

const statements = new WeakMap<Database, Promise<string>>()

/**
 * A digest of every row in the database: to tell whether anything changed. That somebody was refused is no change, nor is
 * with which token, nor that a reader read something.
 */
export async function stateOf(db: Database): Promise<string> {
  if (!statements.has(db)) statements.set(db, digestEverything(db))
  // Named, so that it is planned once: that takes longer than doing it.
  const { rows } = await db.pool.query<{ digest: string }>({ name: 'state', text: await statements.get(db)! })
  return rows
    .map((row) => row.digest)
    .toSorted()
    .join('\n')
}

async function digestEverything(db: Database): Promise<string> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'token_uses'
       and tablename not in ('site_page_views', 'site_searches', 'site_missing_paths')
     order by 1`,
  )
  return rows
    .map(
      ({ name }) =>
        `select '${name} ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from ${name} t
        ${name === 'changes' ? `where action <> 'access.denied'` : ''}`,
    )
    .join(' union all ')
}
