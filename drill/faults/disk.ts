import { spawnSync } from 'node:child_process'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../client.ts'
import { ensure } from '../drill.ts'
import { temporaryFolder, whenOver } from '../leftovers.ts'
import { makeSpace, must, theOrganization } from '../setting.ts'
import { startNodes } from '../nodes.ts'
import { Installation } from './installation.ts'

/** Mounts a disk of this size in memory. Returns undefined if this user may not mount one. */
async function smallDisk(megabytes: number): Promise<string | undefined> {
  const folder = await temporaryFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  if (mounted.status !== 0) return undefined
  whenOver(() => spawnSync('umount', ['-l', folder]))
  return folder
}

const notHere = 'left out: it needs root, to mount a small disk'

async function fill(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  const ballast = join(folder, 'ballast')
  await writeFile(ballast, new Uint8Array(Math.max(0, bavail * bsize - 4096))).catch(() => {})
  // Fills the remaining space.
  for (let i = 0; i < 64; i++) {
    try {
      await writeFile(`${ballast}-${i}`, new Uint8Array(4096))
    } catch {
      break
    }
  }
  return ballast
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith('ballast')) await rm(join(folder, name))
}

/**
 * The disk of files is full, the database is on another one: uploads get 507 and leave nothing behind; everything else
 * continues.
 */
export async function filesDiskFull(): Promise<string> {
  const disk = await smallDisk(8)
  if (!disk) return notHere
  const { nodes } = await startNodes(1, { LECTERN_DATA: disk })
  const { url } = nodes[0]!
  const organizationId = await theOrganization(url)
  const space = await makeSpace(url, organizationId, { editMode: 'live' })
  const upload = async (bytes: Uint8Array) => {
    const file = { name: 'a.bin', type: 'application/octet-stream', size: bytes.length }
    const path = `/v1/orgs/${organizationId}/storage/upload`
    const asked = await must(url, { method: 'POST', path, body: { file, kind: 'organization_file' } })
    return send(url, { method: 'PUT', path: asked.body.url, token: null, body: bytes })
  }
  ensure((await upload(new Uint8Array(1000))).status === 200, 'An upload fails while there is room')
  await fill(disk)
  const refused = await upload(new Uint8Array(200_000).fill(7))
  ensure(refused.status === 507, `An upload to a full disk was answered with ${refused.status}`)
  const base64 = Buffer.alloc(100_000, 9).toString('base64')
  const files = [{ name: 'b.bin', base64, contentType: 'application/octet-stream' }]
  const path = `/v1/spaces/${space}/content`
  const batch = await send(url, { method: 'POST', path, body: { changes: [{ operation: 'insert_files', files }] } })
  ensure(batch.status === 507, `A batch with a file was answered with ${batch.status}`)
  const page = [{ operation: 'insert_page', document: { markdown: '# A page\n' } }]
  const written = await send(url, { method: 'POST', path, body: { changes: page } })
  ensure(written.status === 200, `A page was refused with ${written.status}, and the disk of files is no part of it`)
  const left = await readdir(join(disk, 'files', 'incoming'))
  ensure(left.length === 0, `${left.length} half-written files are left`)
  await empty(disk)
  ensure((await upload(new Uint8Array(200_000).fill(7))).status === 200, 'An upload fails although there is room again')
  await nodes[0]!.stop()
  return 'uploads were answered with 507 and left nothing behind, pages went on, and with room everything did'
}

/**
 * The database's own disk is full, and the database may even stop. Answered writes must be kept, and once there is
 * space, everything must recover without help.
 */
export async function databaseDiskFull(seed: number): Promise<string> {
  const disk = await smallDisk(160)
  if (!disk) return notHere
  chmodSync(disk, 0o755)
  const it = await Installation.start(seed, { folder: disk, mayPass: [507] })
  it.startLoad()
  await it.untilAnswered(20)
  await fill(disk)
  const before = it.ledger.answered
  await sleep(6_000)
  const during = it.ledger.answered - before
  ensure(!it.server.hasEnded, `The server ended with a full disk:\n${it.server.log().slice(-3000)}`)
  await empty(disk)
  const backMs = await it.untilHealthy(60_000)
  await it.untilAnswered(20)
  await it.settle()
  await it.end()
  return `${during} writes still found room, the others were refused; well again ${Math.round(backMs)} ms after there was room, ${it.ledger.answered} writes, 0 lost`
}
