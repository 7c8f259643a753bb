import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Finding } from './drill.ts'
import { temporaryFolder, whenOver } from './leftovers.ts'
import { freePort } from './system-postgres.ts'

export interface S3Server {
  endpoint: string
  accessKey: string
  secretKey: string
  version: string
}

const programs = ['ceph', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'monmaptool', 'radosgw', 'radosgw-admin']

/**
 * Starts a complete Ceph on this machine: one monitor, one store in memory, and the gateway that speaks S3. All of it
 * is stopped when the drill ends.
 */
export async function startCeph(log: (line: string) => void): Promise<S3Server> {
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0)
  if (missing.length > 0) {
    throw new Finding(
      `This drill needs a real S3: Ceph's gateway. Not found: ${missing.join(', ')}. On Debian: ` +
        'apt-get install -y --no-install-recommends radosgw ceph-mon ceph-osd ceph-common',
    )
  }
  const folder = await temporaryFolder('lectern-ceph-')
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name))
  const [monPort, s3Port] = [await freePort(), await freePort()]
  const id = randomUUID()
  const config = join(folder, 'ceph.conf')
  writeFileSync(config, configOf({ folder, id, monPort, s3Port }))
  const place = new Place(folder, config)

  await place.makeKeys()
  await place.run('monmaptool', '--create', '--fsid', id, '--addv', 'a', `[v2:127.0.0.1:${monPort}]`, 'monmap')
  await place.run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring')
  place.serve('ceph-mon', '-i', 'a', '-f')
  log('the monitor starts')
  const disk = randomUUID()
  await place.until('ceph', 'osd', 'new', disk)
  await place.run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk)
  place.serve('ceph-osd', '-i', '0', '-f')
  place.serve('radosgw', '-n', 'client.rgw', '-f')
  log('the store and the gateway start; this takes some seconds')
  const keys = { accessKey: 'drill-access', secretKey: 'drill-secret-key' }
  const named = [
    '--uid=drill',
    '--display-name=drill',
    `--access-key=${keys.accessKey}`,
    `--secret-key=${keys.secretKey}`,
  ]
  await place.until('radosgw-admin', 'user', 'create', ...named)
  const endpoint = `http://127.0.0.1:${s3Port}`
  await untilItAnswers(endpoint)
  const version = (await place.run('radosgw', '--version')).trim().split(' ').slice(0, 3).join(' ')
  return { endpoint, ...keys, version }
}

interface Layout {
  folder: string
  id: string
  monPort: number
  s3Port: number
}

/** Keeps everything inside the folder and on loopback addresses. */
const configOf = ({ folder, id, monPort, s3Port }: Layout) => `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${monPort}]
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
mon data = ${folder}/mon
mon data avail crit = 1
mon data avail warn = 1
mon allow pool size one = true
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${s3Port}
rgw run sync thread = false
rgw thread pool size = 32
run dir = ${folder}
crash dir = ${folder}
admin socket = ${folder}/$name.sock
pid file = ${folder}/$name.pid
log file = ${folder}/$name.log
`

class Place {
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv

  constructor(folder: string, config: string) {
    this.#folder = folder
    this.#env = { PATH: process.env.PATH, HOME: folder, CEPH_CONF: config }
  }

  async run(program: string, ...args: string[]): Promise<string> {
    const options = { cwd: this.#folder, env: this.#env, timeout: 60_000 }
    return (await promisify(execFile)(program, args, options)).stdout
  }

  /** Repeats a command until it succeeds, since the services it needs may not be up yet. */
  async until(program: string, ...args: string[]): Promise<void> {
    const deadline = performance.now() + 120_000
    for (;;) {
      try {
        await this.run(program, ...args)
        return
      } catch (error) {
        if (performance.now() > deadline) throw new Finding(`${program} ${args.join(' ')} fails: ${String(error)}`)
        await sleep(500)
      }
    }
  }

  serve(program: string, ...args: string[]): void {
    const child = spawn(program, args, { cwd: this.#folder, env: this.#env, stdio: 'ignore' })
    const ended = once(child, 'exit')
    whenOver(async () => {
      child.kill('SIGKILL')
      await ended
    })
  }

  async makeKeys(): Promise<void> {
    const everything = ['mon', 'osd', 'mgr'].flatMap((service) => ['--cap', service, 'allow *'])
    const add = (name: string, ...caps: string[]) =>
      this.run('ceph-authtool', 'keyring', '--gen-key', '-n', name, ...caps)
    await this.run('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
    await add('client.admin', ...everything)
    await add('client.rgw', '--cap', 'mon', 'allow rwx', '--cap', 'osd', 'allow rwx')
    await add('osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *')
    // The gateway looks for its key in its own folder and ignores the configured keyring.
    cpSync(join(this.#folder, 'keyring'), join(this.#folder, 'rgw', 'keyring'))
  }
}

async function untilItAnswers(endpoint: string): Promise<void> {
  const deadline = performance.now() + 120_000
  while (
    !(await fetch(endpoint).then(
      (response) => response.ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Finding('The S3 gateway does not answer')
    await sleep(200)
  }
}
