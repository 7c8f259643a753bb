import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedDatabaseError, errorCode } from './error.ts'
import type { Place } from './place.ts'
import { findProcess } from './processes.ts'

type Release = () => Promise<void>

const lockTimeoutMs = 90_000

/** Lets only one process at a time start, adopt or stop the database of a folder. */
export async function withLock<T>(place: Place, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + lockTimeoutMs
  let release = await take(place, 'lock')
  for (let pauseMs = 5; !release; pauseMs = Math.min(pauseMs * 2, 50)) {
    if (Date.now() > deadline) throw lockedTooLong(place)
    await sleep(pauseMs)
    release = await take(place, 'lock')
  }
  try {
    return await work()
  } finally {
    await release()
  }
}

/** Claims the folder for one server, until it is released or the process is gone. */
export async function claimFolder(place: Place): Promise<Release> {
  const note = join(place.run, 'server.pid')
  const release = await take(place, 'server')
  if (!release) {
    const pid = await readNote(note)
    throw new EmbeddedDatabaseError(
      `Another Lectern server${pid ? ` (pid ${pid})` : ''} is already running on ${place.folder}. ` +
        'Stop it first, or set LECTERN_DATA to another folder.',
    )
  }
  leaveNote(note)
  return async () => {
    rmSync(note, { force: true })
    await release()
  }
}

/** Writes the pid for that message only: the kernel decides who holds the claim, never this file. */
function leaveNote(note: string): void {
  try {
    rmSync(note, { force: true })
    writeFileSync(note, String(process.pid))
  } catch {
    // For example on a full disk. Whether the database can start on it, the database itself reports.
  }
}

async function readNote(note: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      const pid = readFileSync(note, 'utf8')
      if (pid && (await findProcess(Number(pid)))) return pid
    } catch {
      // The other process has the claim but has not written its pid yet.
    }
    await sleep(20)
  }
  return undefined
}

function take(place: Place, purpose: 'lock' | 'server'): Promise<Release | undefined> {
  return process.platform === 'linux'
    ? takeAbstractSocket(place.folder, purpose)
    : takeLockFile(join(place.run, `${purpose}.lock`))
}

/**
 * An abstract socket has no file; the kernel drops it with the process, so kill -9 leaves nothing behind.
 *
 * The name is derived from device and inode, not from the path: containers that share a network may each have a /data
 * of their own, and one folder may be mounted at two paths.
 */
function takeAbstractSocket(folder: string, purpose: string): Promise<Release | undefined> {
  const { dev, ino } = statSync(folder, { bigint: true })
  const id = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)
  const server = createServer((connection) => connection.destroy()).unref()
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (errorCode(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)))
    server.listen(`\0lectern-${purpose}-${id}`, () =>
      resolve(() => new Promise((released) => server.close(() => released()))),
    )
  })
}

/**
 * For systems without abstract sockets: a file that names its holder. It is linked into place complete, so nobody reads
 * half of it. A dead holder's file is moved aside under a name of our own before it is judged, so that two processes
 * that find it at once do not delete each other's new file.
 */
export async function takeLockFile(path: string): Promise<Release | undefined> {
  const holder = JSON.stringify({ pid: process.pid, started: (await findProcess(process.pid))?.started })
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, holder)
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (linked(draft, path)) return async () => rmSync(path, { force: true })
      if (await holderLives(path)) return undefined
      await moveDeadAside(path)
    }
    return undefined
  } finally {
    rmSync(draft, { force: true })
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function holderLives(path: string): Promise<boolean> {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; started?: string }
    return (await findProcess(holder.pid))?.started === holder.started
  } catch {
    return false
  }
}

async function moveDeadAside(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch {
    return // another process was quicker
  }
  if (await holderLives(aside)) linked(aside, path)
  rmSync(aside, { force: true })
}

function lockedTooLong(place: Place): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `Another Lectern process has been starting or stopping the database in ${place.folder} for ` +
      `${lockTimeoutMs / 1000} seconds. Look at ${place.log} and at what "ps" shows, then try again.`,
  )
}
