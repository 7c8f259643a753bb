import type { Database } from '../../src/db/connect.ts'

/**
 * Detects cheaply whether anything was changed: every row that is written leaves a mark in the same transaction, so
 * what is rolled back leaves none. Records of a refusal and of the token that was used are not changes, nor are the
 * records of background work.
 */
export class Touched {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  static async watch(db: Database): Promise<Touched> {
    const { rows } = await db.pool.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'token_uses'
       and tablename not in ('site_page_views', 'site_searches', 'site_missing_paths')
       order by 1`,
    )
    await db.pool.query(`
      create table touched (id bigint generated always as identity primary key, name text not null);
      create function touch() returns trigger language plpgsql as $$ begin
        insert into touched (name) values (tg_table_name);
        return null;
      end $$;
      ${rows.map(({ name }) => triggersOf(name)).join('\n')}`)
    return new Touched(db)
  }

  /** The last mark so far. */
  async mark(): Promise<number> {
    const { rows } = await this.#db.pool.query<{ id: number }>({
      name: 'touched',
      text: 'select coalesce(max(id), 0)::int as id from touched',
    })
    return rows[0]!.id
  }

  /** The number of requested jobs that are not done yet. */
  async pending(): Promise<number> {
    const { rows } = await this.#db.pool.query<{ count: number }>(`
      select (select count(*) from git_operations where state in ('waiting', 'running'))
        + (select count(*) from import_runs where status in ('pending', 'in-progress'))
        + (select count(*) from openapi_specs where state <> 'complete') as count`)
    return rows[0]!.count
  }

  /** The tables that were written to since this mark. */
  async since(mark: number): Promise<string[]> {
    const { rows } = await this.#db.pool.query<{ name: string }>('select distinct name from touched where id > $1', [
      mark,
    ])
    return rows.map(({ name }) => name).toSorted()
  }
}

function triggersOf(name: string): string {
  const noted = name === 'changes' ? `when (new.action !~ '^(access.denied|space.git-|import-run|openapi-spec)')` : ''
  const made = (event: string, condition: string) =>
    `create trigger touched_${event} after ${event} on ${name} for each row ${condition} execute function touch();`
  return [made('insert', noted), made('update', 'when (old.* is distinct from new.*)'), made('delete', '')].join('\n')
}
