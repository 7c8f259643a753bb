import type { Readable } from 'node:stream'
import pg from 'pg'
import type { Connection } from '../../db/connect.ts'
import { type BlobKey, usedBlobs } from '../../files/blobs.queries.ts'
import { bytesLock } from '../../files/sweep.task.ts'
import { type BlobStore, getIfThere } from '../../storage/store.ts'
import { version } from '../../version.ts'
import { type Item, type Progress, packArchive } from '../archive.ts'
import { listTables, tableLines } from './instance-tables.ts'

/** What a backup says about the installation that it is of. */
export interface InstanceNote {
  version: string
  migrations: string[]
  secretFingerprint: string
  tables: string[]
  /** Files whose bytes were gone or damaged already. */
  missing: string[]
}

export interface BackupContext {
  connection: Connection
  store: BlobStore
  secretFingerprint: string
  /** The secret itself, where it is to come along. */
  secret: string | undefined
  /** Hears of each file whose bytes are gone or damaged. */
  onMissing?: (path: string) => void
}

/**
 * The whole installation as one archive: every table as it is in one moment, and the bytes of all files. The server may
 * go on meanwhile; what is written after that moment is not in it.
 */
export function backUp(context: BackupContext, progress?: Progress): Readable {
  return packArchive('instance', instanceItems(context), progress)
}

async function* instanceItems(context: BackupContext): AsyncGenerator<Item> {
  const { connection, store, secretFingerprint, secret, onMissing = () => {} } = context
  const client = new pg.Client({ ...connection, application_name: 'lectern backup' })
  // A connection that is lost between two questions is told by the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    // Before the moment that is backed up, and for as long as the connection lasts: a sweep may be at work just now.
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

/** Those that something names: others may just be on their way, or about to be swept. */
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
      // Bytes that a disk has spoiled come along, for somebody to look at; nobody takes them for the file.
      const packed = (sha256: string) => sha256 === hash || isMissing(path)
      if (bytes) yield { path, content: bytes, packed }
      else isMissing(path)
    }
    if (rows.length < batch) return
    last = rows.at(-1)
  }
}
