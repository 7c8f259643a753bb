import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Finding, ensure } from './drill.ts'
import { temporaryFolder, whenOver } from './leftovers.ts'

const home = '/usr/lib/postgresql'

/** Starts the oldest PostgreSQL that is installed on the system, with its own cluster in a temporary folder. */
export async function startSystemPostgres(): Promise<{ url: string; version: string; pid: number }> {
  const version = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(a) - Number(b))[0] : undefined
  const programs = join(home, version ?? '', 'bin')
  if (!version || !existsSync(join(programs, 'initdb'))) {
    throw new Finding(
      'This drill needs PostgreSQL beside the embedded one. On Debian: apt-get install -y --no-install-recommends postgresql-15',
    )
  }
  const folder = await temporaryFolder('lectern-pg-')
  const account = accountFor(folder)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'],
    account,
  )
  ensure(made.status === 0, `initdb failed: ${made.stderr.toString()}`)
  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '120',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
    ...account,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  whenOver(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGQUIT')
    await once(child, 'exit')
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilItAnswers(url)
  return { url, version, pid: child.pid! }
}

/** PostgreSQL does not run as root. */
function accountFor(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'nobody']).stdout.toString()))
  ensure(uid, 'There is no account "nobody" to run PostgreSQL with')
  chownSync(folder, uid, gid!)
  return { uid, gid: gid! }
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      ensure(performance.now() < deadline, `PostgreSQL does not answer: ${String(error)}`)
      await sleep(100)
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
