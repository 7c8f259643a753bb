import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Explained } from '../explained.ts'
import { type Database, asUnavailable } from './connect.ts'
import { Transaction, nobody } from './transaction.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))
/** Any fixed number will do: all Lectern processes of a database queue for this lock while they migrate. */
const lockNumber = 5_711_032
const oldestServer = 150_000

export interface MigrateOptions {
  /** Called before migrations are applied to a database that already has some, with the names of those to come. */
  onUpgrade?: (names: string[]) => void
  /** Applies only these migrations: a backup is restored into the tables that it was made from. */
  only?: readonly string[]
}

/**
 * Brings the database up to date and runs `then` (the records of a first start), all in one transaction under one lock:
 * several processes may start at once, and nothing is left half done. Returns the names of the migrations it applied.
 */
export async function migrate(
  db: Database,
  then: (tx: Transaction) => Promise<void> = async () => {},
  options: MigrateOptions = {},
) {
  return db.withClient(async (client) => {
    const tx = new Transaction(client, nobody, db)
    tx.later(client.query('begin'))
    try {
      // Migrating a large table may take long, and so may waiting for another process that migrates.
      await client.query(`set local statement_timeout = 0; select pg_advisory_xact_lock(${lockNumber})`)
      await refuseUnfit(client)
      const applied = await applyMissing(client, options)
      await then(tx)
      await tx.commit()
      return applied
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw asUnavailable(explained(error))
    }
  })
}

async function refuseUnfit(client: pg.ClientBase) {
  const { rows } = await client.query<{ version: number; text: string; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as text,
      current_setting('server_encoding') as encoding`,
  )
  const { version, text, encoding } = rows[0]!
  if (version < oldestServer) {
    throw new Explained(`Lectern needs PostgreSQL 15 or newer, but this server is ${text}.`)
  }
  if (encoding !== 'UTF8') {
    throw new Explained(
      `The encoding of the database must be UTF8, but is ${encoding}. Create another one: createdb --encoding UTF8 --template template0 lectern`,
    )
  }
}

/** Turns errors that an operator can fix into ones that say how. */
function explained(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code === '42501') {
    return new Explained(
      `The user of DATABASE_URL is not allowed to create tables in its database (${message}). Make it the owner: alter database … owner to …`,
      { cause: error },
    )
  }
  if (code === '42P07' || code === '42710') {
    return new Explained(
      `This database contains something else (${message}). Lectern needs its own: set DATABASE_URL to an empty one.`,
      { cause: error },
    )
  }
  return error
}

async function applyMissing(client: pg.ClientBase, { onUpgrade, only }: MigrateOptions): Promise<string[]> {
  await client.query(`create table if not exists migrations (
    name text collate "C" primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const applied = await listApplied(client)
  const ours = await readMigrations()
  refuseNewerDatabase(applied, ours)

  const missing = ours.filter(({ name }) => !applied.has(name) && (only?.includes(name) ?? true))
  const names = missing.map(({ name }) => name)
  if (applied.size > 0 && names.length > 0) onUpgrade?.(names)
  for (const { name, text, checksum } of missing) {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
  return names
}

async function listApplied(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

function refuseNewerDatabase(applied: Map<string, string>, ours: Migration[]) {
  const byName = new Map(ours.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of applied) {
    const known = byName.get(name)
    if (!known) {
      throw new Explained(
        `This database was set up by a newer Lectern (it has migration ${name}). Start that version, or restore a backup made with this one.`,
      )
    }
    if (known.checksum !== checksum) {
      throw new Explained(`Migration ${name} is not the one this database was set up with. Restore the original file.`)
    }
  }
}

interface Migration {
  name: string
  text: string
  checksum: string
}

/** The names of the migrations of this version, in order. */
export async function listMigrations(): Promise<string[]> {
  return (await readMigrations()).map(({ name }) => name)
}

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(folder + file, 'utf8')
      return { name: file.slice(0, -4), text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
