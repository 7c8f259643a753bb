import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { Config } from '../../config.ts'
import type { Connection, Database } from '../../db/connect.ts'
import { listMigrations, migrate } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { Explained } from '../../explained.ts'
import type { Secrets } from '../../secrets.ts'
import { receive } from '../../storage/receive.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type InstanceNote, notePath, tablePath } from './backup.ts'
import { clearTable, fillTable, listTables, looseTables, settleSequences } from './instance-tables.ts'
import type { Archive } from '../open-archive.ts'

export interface RestoreContext {
  config: Config
  connection: Connection
  db: Database
  secrets: Secrets
  store: BlobStore
}

export interface Restored {
  rows: number
  files: number
  missing: string[]
}

/**
 * Restores a backup into an empty installation. Files first: the rows that refer to them are inserted all at once,
 * last.
 */
export async function restoreInstance(context: RestoreContext, archive: Archive): Promise<Restored> {
  const note = await archive.json<InstanceNote>(notePath)
  // Checked first: an operator who named the wrong folder must not be told to put another secret into it.
  await refuseUsed(context.db, note)
  refuseOtherSecret(note, context.secrets)
  // Checked before anything is in the database: the newer version that the message asks for would not accept what this
  // version created there.
  await refuseNewer(note)
  await migrate(context.db, undefined, { only: note.migrations })
  const { files, spoiled } = await restoreFiles(context, archive)
  const rows = await restoreTables(context, archive, note)
  // Applies the newer migrations to the rows of an older backup, as an upgrade would have done.
  await migrate(context.db)
  return { rows, files, missing: [...new Set([...note.missing, ...spoiled])] }
}

function refuseOtherSecret({ secretFingerprint }: InstanceNote, secrets: Secrets): void {
  if (secretFingerprint === secrets.fingerprint) return
  throw new Explained(
    'This backup is from an installation with another secret: without it, its keys and links can never be read. Set LECTERN_SECRET to its value, or put its file "secret" into the data folder.',
  )
}

async function refuseNewer({ migrations, version }: InstanceNote): Promise<void> {
  const ours = new Set(await listMigrations())
  const unknown = migrations.find((name) => !ours.has(name))
  if (unknown === undefined) return
  throw new Explained(
    `This backup was made with Lectern ${version}, which is newer than this one (its database has migration ${unknown}). Restore it with that version.`,
  )
}

async function refuseUsed(db: Database, { migrations }: InstanceNote): Promise<void> {
  const { isEmpty } = await db.one(sql<{ isEmpty: boolean }>`select to_regclass('instance') is null as "isEmpty"`)
  if (isEmpty) return
  // Tables created by a later version than that of the backup do not fit its rows.
  const used = await db.find(
    sql`select from instance union all select from users union all select from organizations
      union all select from migrations where name <> all (${migrations}::text[]) limit 1`,
  )
  if (used) throw new Explained('This installation is not empty. Restore into an empty data folder and database.')
}

/**
 * Restores the files. One whose hash does not match its name was damaged before the backup was made: it is skipped, so
 * that it does not hold up the rest.
 */
async function restoreFiles({ config, store }: RestoreContext, archive: Archive) {
  let files = 0
  const spoiled: string[] = []
  for (const path of archive.paths()) {
    const [, organizationId, hash] = /^files\/([0-9a-f-]{36})\/([0-9a-f]{64})$/.exec(path) ?? []
    if (organizationId === undefined || hash === undefined) continue
    const { size } = archive.manifest.files[path]!
    const file = await receive(config, archive.read(path), size)
    if (file.hash !== hash) {
      spoiled.push(path)
      await rm(file.path, { force: true })
      continue
    }
    await store.put({ organizationId, hash }, file)
    files += 1
  }
  return { files, spoiled }
}

async function restoreTables(
  { connection, store }: RestoreContext,
  archive: Archive,
  note: InstanceNote,
): Promise<number> {
  const client = new pg.Client({ ...connection, application_name: 'lectern restore' })
  // The next query reports a connection that is lost between two queries.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    const tables = await listTables(client)
    const tighten = await looseTables(client)
    for (const table of tables) await clearTable(client, table)
    let rows = 0
    for (const table of note.tables.filter((each) => tables.includes(each))) {
      rows += await fillTable(client, table, archive.textLines(tablePath(table)))
    }
    await settleSequences(client)
    await tighten()
    // The bytes are in a different store now.
    await client.query('update instance set store_id = $1', [await store.id()])
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}
