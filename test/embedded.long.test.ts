import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeLockFile } from '../src/db/embedded/lock.ts'
import { EmbeddedDatabaseError, startEmbedded } from '../src/db/embedded.ts'
import {
  aCopyOfTheProject,
  aCopyWithLittleMemory,
  aFolder,
  aLectern,
  aLecternWithoutNamespaces,
  connected,
  killPostmaster,
  postmasterOf,
  query,
  settings,
  uidOf,
  writeUntilCut,
} from './embedded-lecterns.ts'

const nobody = 65534
const project = join(import.meta.dirname, '..')
const missing = whatIsMissing()

/**
 * Some tests need other users and namespaces, as in containers. Many containers allow neither. Returns what is missing
 * here.
 */
function whatIsMissing(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  if (spawnSync('unshare', ['--user', '--mount', '--pid', '--fork', 'true']).status !== 0) return 'needs namespaces'
  if (spawnSync(process.execPath, ['--version'], { uid: nobody }).status !== 0) return 'needs a way in for other users'
  return false
}

describe('the embedded database', { concurrency: 2 }, () => {
  const parent = mkdtempSync(join(tmpdir(), 'lectern-embedded-'))
  const template = join(parent, 'made', 'by', 'us')

  before(async () => {
    // If root cannot create namespaces, another account runs the database and needs access to the folder.
    chmodSync(parent, 0o711)
    const database = await startEmbedded({ dataFolder: template, settings })
    await query(database, 'create table notes (id bigserial primary key, text text)')
    await query(database, "insert into notes (text) values ('ä')")
    await database.leave()
  })
  after(() => rmSync(parent, { recursive: true, force: true }))

  /** A folder with a database in it, as a Lectern leaves it when it is stopped. */
  function aUsedFolder(t: TestContext, folder = aFolder(t)): string {
    // Copies owners and permissions too, which PostgreSQL insists on and not every version of cpSync keeps.
    mkdirSync(folder, { recursive: true })
    execFileSync('cp', ['-a', ...readdirSync(template).map((name) => join(template, name)), folder])
    return folder
  }

  /** A folder in which a Lectern was killed while it created its database. */
  async function aFolderLeftHalfMade(t: TestContext): Promise<string> {
    const folder = aFolder(t)
    const isMade = () => existsSync(join(folder, 'postgres'))
    const lectern = aLectern(t, { dataFolder: folder })
    while (!isMade() && !readdirSync(folder).some((name) => name.startsWith('postgres.new-'))) await sleep(10)
    await sleep(150)
    await lectern.kill('SIGKILL')
    // If the machine was busy, the database may have been finished in the meantime. Then try again.
    return isMade() ? aFolderLeftHalfMade(t) : folder
  }

  test('a restart finds what was written before, within a second', async (t) => {
    const folder = aUsedFolder(t)
    const tookMs: number[] = []
    for (let start = 1; start <= 3; start++) {
      const began = performance.now()
      const database = await startEmbedded({ dataFolder: folder, settings })
      tookMs.push(performance.now() - began)
      assert.deepEqual(await query(database, 'select text from notes'), [{ text: 'ä' }])
      await database.leave()
    }
    // Usually about 0.1 s. The best of three counts, for machines that are busy with other work.
    assert.ok(Math.min(...tookMs) < 1000, `it took ${tookMs.join(', ')} ms`)
  })

  test('the database listens on no port, uses checksums and durable commits, and sorts the same on every machine', async (t) => {
    const folder = aUsedFolder(t)
    const database = await startEmbedded({ dataFolder: folder })
    const [row] = await query(
      database,
      `select current_setting('listen_addresses') as tcp, current_setting('data_checksums') as checksums,
              current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync,
              current_setting('timezone') as zone, datlocprovider as provider, datlocale as locale
         from pg_database where datname = current_database()`,
    )
    assert.deepEqual(row, {
      tcp: '',
      checksums: 'on',
      fsync: 'on',
      sync: 'on',
      zone: 'UTC',
      provider: 'b',
      locale: 'C.UTF-8',
    })
    assert.equal(statSync(database.connection.host).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, 'postgres.password')).mode & 0o777, 0o600)
    await database.leave()
  })

  test("the database's buffers take a sixteenth of the memory and 1 GiB at most, and 128 MiB at least", async (t) => {
    const database = await startEmbedded({ dataFolder: aUsedFolder(t) })
    const [row] = await query(
      database,
      `select pg_size_bytes(current_setting('shared_buffers')) as bytes, current_setting('io_method') as reads`,
    )
    assert.equal(row!.reads, 'sync')
    assert.ok(Number(row!.bytes) >= 128 * 2 ** 20)
    assert.ok(Number(row!.bytes) <= Math.max(128 * 2 ** 20, Math.min(2 ** 30, totalmem() / 16)))
    await database.leave()
  })

  test('what the environment says about TLS to other databases does not concern this one', async (t) => {
    process.env.PGSSLMODE = 'verify-full'
    t.after(() => delete process.env.PGSSLMODE)
    const database = await startEmbedded({ dataFolder: aUsedFolder(t) })
    assert.deepEqual(await query(database, 'select 1 as one'), [{ one: 1 }])
    await database.leave()
  })

  test('acknowledged rows survive kill -9 of the database, and ensureRunning brings it back within 3 s', async (t) => {
    const folder = aUsedFolder(t)
    const database = await startEmbedded({ dataFolder: folder, as: 'server' })
    const tookMs: number[] = []
    for (let round = 1; round <= 3; round++) {
      const writers = [1, 2, 3, 4].map(() => writeUntilCut(database))
      // A query that computes without a pause. It does not notice that its postmaster is dead.
      const busy = query(database, 'select count(*) from generate_series(1, 1000000000)').catch(() => 'cut')
      await sleep(200)
      await killPostmaster(folder)
      const began = performance.now()
      await Promise.all([database.ensureRunning(), database.ensureRunning()])
      tookMs.push(performance.now() - began)
      const acknowledged = (await Promise.all(writers)).flat()
      assert.equal(await busy, 'cut')
      assert.ok(acknowledged.length > 0)
      const kept = await query(database, 'select count(*)::int as count from notes where id = any($1)', [acknowledged])
      assert.deepEqual(kept, [{ count: acknowledged.length }])
    }
    assert.ok(Math.min(...tookMs) < 3000, `it took ${tookMs.join(', ')} ms`)
    await database.leave()
  })

  test('the database of a killed Lectern keeps running and is adopted by the next one', async (t) => {
    const folder = aUsedFolder(t)
    const first = aLectern(t, { dataFolder: folder, as: 'server' })
    await first.started()
    const pid = postmasterOf(folder)
    await first.kill('SIGKILL')

    const next = await startEmbedded({ dataFolder: folder, settings, as: 'server' })
    assert.equal(postmasterOf(folder), pid)
    await query(next, 'select 1')
    await next.leave()
    assert.equal(postmasterOf(folder), undefined)
  })

  test('two Lecterns that start at once on an empty folder both get the same database', async (t) => {
    const folder = aFolder(t)
    const [one, two] = [aLectern(t, { dataFolder: folder }), aLectern(t, { dataFolder: folder })]
    const [first, second] = await Promise.all([one.started(), two.started()])
    await query(first, 'create table shared (x int)')
    assert.deepEqual(await query(second, 'select * from shared'), [])
    await Promise.all([one.ask('leave'), two.ask('leave')])
    assert.equal(postmasterOf(folder), undefined)
  })

  test('a Lectern that is killed while it creates the database leaves nothing half-made', async (t) => {
    const folder = await aFolderLeftHalfMade(t)
    const next = await startEmbedded({ dataFolder: folder, settings })
    await query(next, 'select 1')
    await next.leave()
    const last = await startEmbedded({ dataFolder: folder, settings })
    await last.leave()
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('postgres.new-')),
      [],
    )
  })

  test('the database stops when the last server or visitor leaves, not before, and a killed one no longer counts', async (t) => {
    const folder = aUsedFolder(t)
    const server = aLectern(t, { dataFolder: folder, as: 'server' })
    const connection = await server.started()
    const pid = postmasterOf(folder)
    const [visitor, another] = [aLectern(t, { dataFolder: folder }), aLectern(t, { dataFolder: folder })]
    await Promise.all([visitor.started(), another.started()])
    await visitor.ask('leave')
    assert.equal(postmasterOf(folder), pid)
    await another.kill('SIGKILL')
    await server.ask('leave')
    assert.equal(postmasterOf(folder), undefined, 'the killed visitor still counted')

    const late = aLectern(t, { dataFolder: folder })
    await late.started()
    await query(connection, 'select 1')
    await late.ask('leave')
    assert.equal(postmasterOf(folder), undefined)
  })

  test('a Lectern that has left the database does not start it again', async (t) => {
    const folder = aUsedFolder(t)
    const database = await startEmbedded({ dataFolder: folder, settings })
    await killPostmaster(folder)
    const [restart, leave] = await Promise.allSettled([database.ensureRunning(), database.leave()])
    assert.equal(leave.status, 'fulfilled')
    assert.ok(restart.status === 'fulfilled' || restart.reason instanceof EmbeddedDatabaseError)
    await assert.rejects(database.ensureRunning(), /is stopping; its database is not started again/)
    assert.equal(postmasterOf(folder), undefined)
  })

  test('a second server on the same folder is refused until the first one is gone, even if that was killed', async (t) => {
    const folder = aUsedFolder(t)
    const first = aLectern(t, { dataFolder: folder, as: 'server' })
    await first.started()
    symlinkSync(folder, `${folder}-link`)
    t.after(() => rmSync(`${folder}-link`))
    for (const dataFolder of [folder, `${folder}-link`]) {
      await assert.rejects(startEmbedded({ dataFolder, settings, as: 'server' }), {
        name: 'EmbeddedDatabaseError',
        message:
          `Another Lectern server (pid ${first.pid}) is already running on ${folder}. ` +
          'Stop it first, or set LECTERN_DATA to another folder.',
      })
    }
    await first.kill('SIGKILL')
    const second = await startEmbedded({ dataFolder: folder, settings, as: 'server' })
    await second.leave()
    const third = await startEmbedded({ dataFolder: folder, settings, as: 'server' })
    await third.leave()
  })

  test('a data folder with a path too long for a socket works, through a private folder that is recreated if deleted', async (t) => {
    const parent = aFolder(t)
    chmodSync(parent, 0o711)
    const folder = aUsedFolder(t, join(parent, 'long '.repeat(30), 'ünïcode, "quoted"'))
    assert.ok(folder.length > 150)
    const server = aLectern(t, { dataFolder: folder, as: 'server' })
    const connection = await server.started()
    const visitor = await startEmbedded({ dataFolder: folder, settings })
    assert.equal(visitor.connection.host, connection.host)
    await query(visitor, 'select 1')
    const { mode } = statSync(connection.host)
    assert.equal(mode & 0o777, 0o700)

    rmSync(connection.host, { recursive: true }) // as cleaners of /tmp do
    await visitor.ensureRunning()
    await query(visitor, 'select 1')
    await server.ask('leave')
    await visitor.leave()
    assert.equal(existsSync(connection.host), false)
  })

  test('a pid file that names another process is ignored, and that process is left alone', async (t) => {
    const folder = aUsedFolder(t)
    const stranger = spawn('sleep', ['60'])
    t.after(() => stranger.kill())
    const note = `${stranger.pid}\n${folder}/postgres\n1\n5432\n${folder}/postgres\n\n1 1\nready   \n`
    writeFileSync(join(folder, 'postgres', 'postmaster.pid'), note)
    writeFileSync(join(folder, 'postgres', '.s.PGSQL.5432.lock'), note)
    const database = await startEmbedded({ dataFolder: folder, settings })
    assert.notEqual(postmasterOf(folder), stranger.pid)
    await query(database, 'select 1')
    await database.leave()
    assert.equal(stranger.exitCode ?? stranger.signalCode, null)
  })

  test('Ctrl-C in the terminal does not reach the database', async (t) => {
    const folder = aUsedFolder(t)
    const lectern = aLectern(t, { dataFolder: folder }, { detached: true })
    const connection = await lectern.started()
    const pid = postmasterOf(folder)
    process.kill(-lectern.pid, 'SIGINT')
    await lectern.ended
    await sleep(100)
    await query(connection, 'select 1')
    assert.equal(postmasterOf(folder), pid)
  })

  test('a database that was asked to stop but waits for its clients is replaced by a new one', async (t) => {
    const folder = aUsedFolder(t)
    const database = await startEmbedded({ dataFolder: folder, settings })
    const client = await connected(database.connection)
    const pid = postmasterOf(folder)!
    process.kill(pid, 'SIGTERM')
    await sleep(100)
    await database.ensureRunning()
    assert.notEqual(postmasterOf(folder), pid)
    await query(database, 'select 1')
    await client.end().catch(() => {})
    await database.leave()
  })

  test('a failed start reports what PostgreSQL said and leaves nothing behind', async (t) => {
    const folder = aUsedFolder(t)
    const wrong = { dataFolder: folder, settings: { max_connections: 'many' }, as: 'server' as const }
    await assert.rejects(startEmbedded(wrong), (error: Error) => {
      assert.equal(error.name, 'EmbeddedDatabaseError')
      assert.match(error.message, /did not start:[^]*max_connections[^]*postgres\.log/)
      return true
    })
    const database = await startEmbedded({ dataFolder: folder, settings, as: 'server' })
    await database.leave()
    assert.deepEqual(readdirSync(join(folder, 'run')), [])
  })

  test('the database starts with small buffers where there is no memory for the usual ones, and says so', async (t) => {
    const home = aCopyWithLittleMemory(t, 180_000)
    const { startEmbedded } = (await import(join(home, 'src/db/embedded.ts'))) as typeof import('../src/db/embedded.ts')
    for (const dataFolder of [aFolder(t), aUsedFolder(t)]) {
      const said: string[] = []
      const database = await startEmbedded({ dataFolder, settings, log: (message) => said.push(message) })
      assert.deepEqual(await query(database, 'show shared_buffers'), [{ shared_buffers: '16MB' }])
      assert.match(said.at(-1)!, /^There is no memory for \d+ MB of database buffers/)
      await database.leave()
    }
  })

  test('a database for which there is no memory at all is refused with what to do', async (t) => {
    const lectern = aLectern(t, { dataFolder: aUsedFolder(t) }, {}, undefined, aCopyWithLittleMemory(t, 70_000))
    await assert.rejects(lectern.started(), /did not start:[^]*could not map[^]*Give it more memory \(ulimit -v/)
  })

  test('a log that has grown too large is started anew', async (t) => {
    const folder = aUsedFolder(t)
    writeFileSync(join(folder, 'postgres.log'), 'x'.repeat(10_000_001))
    const database = await startEmbedded({ dataFolder: folder, settings })
    await database.leave()
    assert.ok(statSync(join(folder, 'postgres.log')).size < 10_000)
  })

  test('without abstract sockets, a lock file is held by one live process only', async (t) => {
    const path = join(aFolder(t), 'lock')
    const release = await takeLockFile(path)
    assert.ok(release)
    assert.equal(await takeLockFile(path), undefined)
    await release()
    for (const left of [`{"pid":${process.pid},"started":"1"}`, '{"pid":999999999,"started":"1"}', '']) {
      writeFileSync(path, left)
      const taken = await Promise.all([takeLockFile(path), takeLockFile(path), takeLockFile(path)])
      assert.equal(taken.filter(Boolean).length, 1, `after ${left}`)
      await taken.find(Boolean)?.()
    }
  })

  describe('as root or not', { skip: missing }, () => {
    test("root can run the database below a folder that only root may enter, and the files stay root's", async (t) => {
      const parent = aFolder(t)
      const folder = aUsedFolder(t, join(parent, 'data'))
      chmodSync(parent, 0o700)
      const database = await startEmbedded({ dataFolder: folder, settings })
      await query(database, 'create table mine (x int)')
      await database.leave()
      const files = readdirSync(folder, { recursive: true }).map((name) => lstatSync(join(folder, String(name))))
      assert.deepEqual(new Set(files.map(({ uid }) => uid)), new Set([0]))
    })

    test('a normal user can create and run the database without write access to node_modules', async (t) => {
      const folder = aFolder(t, nobody)
      const lectern = aLectern(t, { dataFolder: folder }, { uid: nobody, gid: nobody })
      await query(await lectern.started(), 'create table mine (x int)')
      assert.equal(uidOf(postmasterOf(folder)!), nobody)
      await lectern.ask('leave')
      assert.equal(postmasterOf(folder), undefined)
    })

    test('a user without a name can create and run the database', async (t) => {
      const folder = aFolder(t, 4242)
      const lectern = aLectern(t, { dataFolder: folder }, { uid: 4242, gid: 4242 })
      await query(await lectern.started(), 'create table mine (x int)')
      assert.equal(uidOf(postmasterOf(folder)!), 4242)
      await lectern.ask('leave')
    })

    test("root starts another user's database as that user, and that user can go on with it", async (t) => {
      const folder = aUsedFolder(t, aFolder(t, nobody))
      for (const name of readdirSync(folder, { recursive: true }))
        lchownSync(join(folder, String(name)), nobody, nobody)
      rmSync(join(folder, 'cache'), { recursive: true })
      const visitor = await startEmbedded({ dataFolder: folder, settings })
      await query(visitor, 'select 1')
      assert.equal(uidOf(postmasterOf(folder)!), nobody)
      const user = aLectern(t, { dataFolder: folder }, { uid: nobody, gid: nobody })
      await query(await user.started(), 'select 1')
      await visitor.leave()
      await killPostmaster(folder)
      await user.ask('ensureRunning')
      await user.ask('leave')
      assert.equal(postmasterOf(folder), undefined)
    })

    test("a normal user is refused another user's database, with the reason", async (t) => {
      const folder = aUsedFolder(t)
      chmodSync(folder, 0o777)
      for (const name of ['run', 'cache']) chmodSync(join(folder, name), 0o777)
      const lectern = aLectern(t, { dataFolder: folder }, { uid: nobody, gid: nobody })
      await assert.rejects(lectern.started(), /belongs to uid 0, and Lectern runs as uid 65534\. Run it as that user/)
    })

    test('root without user namespaces runs the database as nobody, from a copy if needed, with a password', async (t) => {
      const hidden = aCopyOfTheProject(t)
      const parent = aFolder(t)
      chmodSync(parent, 0o711)
      const folder = join(parent, 'not', 'there', 'yet')
      const lectern = aLecternWithoutNamespaces(t, { dataFolder: folder }, hidden)
      const connection = await lectern.started()
      assert.equal(uidOf(postmasterOf(folder)!), nobody)
      assert.equal(statSync(folder).mode & 0o777, 0o710)
      await query(connection, 'select 1')
      await assert.rejects(query({ ...connection, password: 'guess' }, 'select 1'), /password authentication failed/)
      await lectern.ask('leave')

      // A copy of the folder may have this owner and these permissions.
      chownSync(folder, 0, 0)
      chmodSync(folder, 0o700)
      const again = aLecternWithoutNamespaces(t, { dataFolder: folder }, project)
      await again.started()
      await again.ask('leave')
    })

    test('a database created by root in a namespace can be used where there are no namespaces, and back again', async (t) => {
      const folder = aUsedFolder(t)
      const lectern = aLecternWithoutNamespaces(t, { dataFolder: folder }, project)
      await query(await lectern.started(), 'insert into notes (text) values (1)')
      assert.equal(uidOf(postmasterOf(folder)!), nobody)
      await lectern.ask('leave')
      const database = await startEmbedded({ dataFolder: folder, settings })
      assert.equal((await query(database, 'select * from notes')).length, 2)
      await database.leave()
    })

    test('the error says what to do if root has no way to run the database', async (t) => {
      const parent = aFolder(t)
      chmodSync(parent, 0o700)
      const lectern = aLecternWithoutNamespaces(t, { dataFolder: join(parent, 'data') }, project)
      await assert.rejects(lectern.started(), /does not run as root[^]*Run Lectern as a normal user[^]*DATABASE_URL/)
    })

    test('a database that is served by another container is not started a second time', async (t) => {
      const folder = aUsedFolder(t)
      const args = ['--pid', '--net', '--mount', '--fork', '--kill-child', '--mount-proc', process.execPath]
      const container = aLectern(t, { dataFolder: folder }, {}, ['unshare', ...args])
      await container.started()
      await assert.rejects(startEmbedded({ dataFolder: folder, settings }), /already served by .* another container/)
      await container.ask('leave')
      const database = await startEmbedded({ dataFolder: folder, settings })
      await database.leave()
    })
  })
})
