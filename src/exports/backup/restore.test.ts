// Tests what a backup contains, and backups that do not fit.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { emptyDatabase } from '../../../test/database.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { readConfig } from '../../config.ts'
import { Database } from '../../db/connect.ts'
import { Explained } from '../../explained.ts'
import { upsertBlob } from '../../files/blobs.queries.ts'
import { sweepFiles } from '../../files/sweep.task.ts'
import { Secrets } from '../../secrets.ts'
import { purgeSpaces } from '../../spaces/purge.task.ts'
import { openStore } from '../../storage/open.ts'
import { packArchive } from '../archive.ts'
import { type InstanceNote, backUp, notePath } from './backup.ts'
import { Archive } from '../open-archive.ts'
import { restoreInstance } from './restore.ts'

test('a backup of a newer version is refused and leaves the database empty', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-restore-'))
  const empty = await emptyDatabase()
  const config = readConfig({ LECTERN_DATA: folder, LECTERN_LOG: 'silent', DATABASE_URL: empty.url })
  const connection = { connectionString: empty.url }
  const db = new Database(connection, config.limits)
  after(async () => {
    await db.close()
    await empty.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const secrets = new Secrets('a secret for tests that is long enough')
  const note: InstanceNote = {
    version: '9.9.9',
    migrations: ['0001_instance', '9999_later'],
    secretFingerprint: secrets.fingerprint,
    tables: [],
    missing: [],
  }
  const path = join(folder, 'newer.zip')
  const items = async function* () {
    yield { path: notePath, content: JSON.stringify(note) }
  }
  await writeFile(path, packArchive('instance', items()))
  const archive = await Archive.open(path, 'instance')
  const context = { config, connection, db, secrets, store: openStore(config) }
  await assert.rejects(restoreInstance(context, archive), /made with Lectern 9\.9\.9, which is newer .*9999_later/)
  archive.close()
  const { rows } = await db.pool.query(`select tablename from pg_tables where schemaname = current_schema()`)
  assert.deepEqual(rows, [])
})

test('an archive with any single byte changed is read as it was or reported as damaged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-damaged-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'archive.zip')
  const items = async function* () {
    yield { path: 'tables/pages.jsonl', content: '{"title":"A page"}\n'.repeat(20) }
  }
  await writeFile(path, packArchive('instance', items()))
  const whole = await readFile(path)
  for (const [at, byte] of whole.entries()) {
    const changed = Buffer.from(whole)
    changed[at] = byte ^ 0xff
    await writeFile(path, changed)
    const read = async () => {
      const archive = await Archive.open(path, 'instance')
      try {
        for (const each of archive.paths()) await text(archive.read(each))
      } finally {
        archive.close()
      }
    }
    await read().catch((error: unknown) => assert.ok(error instanceof Explained, `${at}: ${String(error)}`))
  }
})

test('a backup has the bytes of every file at its start, even of files that are removed while it is made', async () => {
  const app = await startApp()
  const folder = await mkdtemp(join(tmpdir(), 'lectern-moment-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const space = await aLiveSpace(app)
  const bytes = `Bytes ${space.org.canary}`
  const files = [{ name: 'file.txt', base64: btoa(bytes), contentType: 'text/plain' }]
  assert.equal((await space.edit({ operation: 'insert_files', files })).status, 200)
  await app.db.pool.query(`update blobs set created_at = now() - interval '2 days'`)
  const { store, log } = app.app
  const context = { db: app.db, config: app.config, store, log }

  /** Removes the space and its files as soon as the first of them is packed. */
  const slow = Object.assign(Object.create(store) as typeof store, {
    async get(name: Parameters<typeof store.get>[0]) {
      await app.db.pool.query(`update spaces set deleted_at = now() - interval '8 days' where id = $1`, [space.id])
      await purgeSpaces.run(context)
      await sweepFiles.run(context)
      return store.get(name)
    },
  })
  const missing: string[] = []
  const path = join(folder, 'backup.zip')
  const connection = { connectionString: app.databaseUrl }
  const onMissing = (file: string) => void missing.push(file)
  await writeFile(path, backUp({ connection, store: slow, secretFingerprint: '', secret: undefined, onMissing }))
  assert.deepEqual(missing, [])
  const archive = await Archive.open(path, 'instance')
  const packed = archive.paths().filter((each) => each.startsWith('files/'))
  assert.deepEqual(await Promise.all(packed.map((each) => text(archive.read(each)))), [bytes])
  archive.close()

  await sweepFiles.run(context)
  assert.equal((await app.db.pool.query('select from blobs')).rowCount, 0)
})

test('a backup does not report bytes as missing while they are being uploaded', async () => {
  const app = await startApp()
  const { org } = await aLiveSpace(app)
  // As at the beginning of an upload: the row that refers to the bytes comes once they are stored.
  await upsertBlob(app.db, org.id, { hash: 'f'.repeat(64), size: 1, contentType: 'text/plain' })
  const missing: string[] = []
  const { databaseUrl: connectionString } = app
  const onMissing = (file: string) => void missing.push(file)
  const context = { connection: { connectionString }, store: app.app.store, secretFingerprint: '', secret: undefined }
  await buffer(backUp({ ...context, onMissing }))
  assert.deepEqual(missing, [])
})
