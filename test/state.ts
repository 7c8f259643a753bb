import type { Database } from '../src/db/connect.ts'

const statements = new WeakMap<Database, Promise<string>>()

/**
 * Returns a digest of every row in the database, to find out whether anything changed. Records of refused access, of
 * the use of tokens and of what readers read do not count.
 */
export async function stateOf(db: Database): Promise<string> {
  if (!statements.has(db)) statements.set(db, digestEverything(db))
  // A named statement is planned only once. Planning takes longer than running it.
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
