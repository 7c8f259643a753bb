import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import type { EmbeddedDatabase } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

/** A migrated database that test files clone in a tenth of a second. */
export async function makeTemplate(server: string) {
  const name = await createDatabase(server)
  const db = new Database({ connectionString: at(server, name) }, readConfig({}).limits)
  await migrate(db)
  await db.close()
  return { name, drop: () => dropDatabase(server, name) }
}

/**
 * The address of an embedded database, for code that expects a URL. There is a password where root cannot create
 * namespaces.
 */
export function urlOf({ host, port, user, password, database }: EmbeddedDatabase['connection']): string {
  const credentials = password === undefined ? user : `${user}:${encodeURIComponent(password)}`
  return `postgres://${credentials}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

export interface TestDatabase {
  url: string
  drop(): Promise<void>
  /** Acts as if the server were away: refuses new connections, and ends the existing ones. */
  close(): Promise<void>
  reopen(): Promise<void>
}

/** Creates a separate database from the template of this test run. */
export function cloneTemplate(): Promise<TestDatabase> {
  return newDatabase(environment().template)
}

/** Creates a database without any migration. */
export function emptyDatabase(): Promise<TestDatabase> {
  return newDatabase()
}

async function newDatabase(template?: string): Promise<TestDatabase> {
  const { server } = environment()
  const name = await createDatabase(server, template)
  return {
    url: at(server, name),
    drop: () => dropDatabase(server, name),
    async close() {
      await onServer(server, `alter database ${name} allow_connections false`)
      await onServer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    },
    reopen: () => onServer(server, `alter database ${name} allow_connections true`),
  }
}

function environment() {
  const { TEST_SERVER: server, TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('Run tests with "npm test [file]": it starts the database they need.')
  return { server, template }
}

async function createDatabase(server: string, template?: string): Promise<string> {
  const name = `lectern_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} ${template ? `template ${template} strategy file_copy` : ''}`)
  return name
}

async function dropDatabase(server: string, name: string): Promise<void> {
  await onServer(server, `drop database if exists ${name} with (force)`)
}

const servers = new Map<string, pg.Pool>()

/** Keeps one connection for all databases of a process. It does not keep the process running. */
async function onServer(server: string, command: string): Promise<void> {
  let pool = servers.get(server)
  if (!pool) {
    pool = new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true })
    // The server may end before this process does.
    pool.on('error', () => {})
    servers.set(server, pool)
  }
  await pool.query(command)
}

function at(server: string, database: string): string {
  return server.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${database}`)
}
