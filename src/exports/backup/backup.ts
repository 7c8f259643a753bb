import type { Readable } from 'node:stream'
import pg from 'pg'
import type { Connection } from '../../db/connect.ts'
import { type BlobKey, usedBlobs } from '../../files/blobs.queries.ts'
import { bytesLock } from '../../files/sweep.task.ts'
import { type BlobStore, getIfThere } from '../../storage/store.ts'
import { version } from '../../version.ts'
import { type Item, type Progress, packArchive } from '../archive.ts'
import { listTables, tableLines } from './instance-tables.ts'

/** What a backup contains about its installation. */
export interface InstanceNote {
  version: string
  migrations: string[]
  secretFingerprint: string
  tables: string[]
  /** Files whose bytes were already missing or damaged. */
  missing: string[]
}

export interface BackupContext {
  connection: Connection
  store: BlobStore
  secretFingerprint: string
  /** The secret itself, if the backup is to contain it. */
  secret: string | undefined
  /** Called for each file whose bytes are missing or damaged. */
  onMissing?: (path: string) => void
}

/**
 * The whole installation as one archive: every table as of one moment, and the bytes of all files. The server may keep
 * running meanwhile; anything written after that moment is not included.
 */
export function backUp(context: BackupContext, progress?: Progress): Readable {
  return packArchive('instance', instanceItems(context), progress)
}

async function* instanceItems(context: BackupContext): AsyncGenerator<Item> {
  const { connection, store, secretFingerprint, secret, onMissing = () => {} } = context
  const client = new pg.Client({ ...connection, application_name: 'lectern backup' })
  // The next query reports a connection that is lost between two queries.
  client.on('error', () => {})
  await client.connect()
  try {
    // Taken before the snapshot, and held as long as the connection lasts: a sweep of files may be running.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock_shared($1)', [bytesLock])
    await client.query('begin isolation level repeatable read read only')
    const tables = await listTables(client)
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    for (const table of tables) yield { path: tablePath(table), content: tableLines(client, table) }
    const missing: string[] = []
    yield* blobItems(client, store, (path) => {
      missing.push(path)
      onMissing(path)
    })
    if (secret !== undefined) yield { path: secretPath, content: secret }
    const note: InstanceNote = { version, migrations: rows.map(({ name }) => name), secretFingerprint, tables, missing }
    yield { path: notePath, content: JSON.stringify(note, null, 2) }
  } finally {
    await client.end()
  }
}

export const notePath = 'instance.json'
export const secretPath = 'secret'
export const tablePath = (table: string) => `tables/${table}.jsonl`
const blobPath = (organizationId: string, hash: string) => `files/${organizationId}/${hash}`

const batch = 500

/** Only the blobs that something refers to: others may be uploads in progress, or about to be swept. */
async function* blobItems(
  client: pg.Client,
  store: BlobStore,
  isMissing: (path: string) => void,
): AsyncGenerator<Item> {
  for (let last: BlobKey | undefined; ;) {
    const { text, values } = usedBlobs(last, batch).compile()
    const { rows } = await client.query<BlobKey>(text, [...values])
    for (const { organization_id: organizationId, hash } of rows) {
      const bytes = await getIfThere(store, { organizationId, hash })
      const path = blobPath(organizationId, hash)
      // Damaged bytes are included for inspection. A restore does not mistake them for the file.
      const packed = (sha256: string) => sha256 === hash || isMissing(path)
      if (bytes) yield { path, content: bytes, packed }
      else isMissing(path)
    }
    if (rows.length < batch) return
    last = rows.at(-1)
  }
}
