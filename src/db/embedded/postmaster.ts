import { existsSync, readFileSync, rmSync, rmdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedDatabaseError } from './error.ts'
import { type Place, socketFile } from './place.ts'
import { findProcess, pidIsTaken, type RunningProcess, signal } from './processes.ts'

/** The main process of a running PostgreSQL, and its status according to postmaster.pid. */
export interface Postmaster {
  pid: number
  status: string
}

const fastStopMs = 4_000
const immediateStopMs = 6_000

/**
 * Returns the postmaster that serves this folder, no matter who started it. A pid that another program has now does not
 * count.
 */
export async function findPostmaster(place: Place): Promise<Postmaster | undefined> {
  const note = readNote(place)
  const found = note && (await findProcess(note.pid))
  return found && serves(place, found) ? note : undefined
}

export async function isReady(place: Place): Promise<boolean> {
  return (await findPostmaster(place))?.status === 'ready' && existsSync(socketFile(place))
}

/** Line 1 of postmaster.pid is the pid, line 8 the status: starting, ready, stopping. */
export function readNote(place: Place): Postmaster | undefined {
  try {
    const lines = readFileSync(join(place.cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), status: lines[7]?.trim() ?? 'starting' }
  } catch {
    return undefined
  }
}

function serves(place: Place, { command }: RunningProcess): boolean {
  const folder = command.indexOf('-D') + 1
  if (basename(command[0] ?? '') !== 'postgres' || folder === 0) return false
  // Unlike /proc, ps does not show where an argument ends, so a path with spaces arrives in pieces.
  return command[folder] === place.cluster || command.slice(folder).join(' ').startsWith(`${place.cluster} -c `)
}

/**
 * Ends what clients are doing and writes everything to disk. If that takes too long, stops at once, which is as safe as
 * a crash: everything acknowledged is in the log and comes back at the next start.
 */
export async function stopPostmaster(place: Place, log: (message: string) => void): Promise<void> {
  const running = await findPostmaster(place)
  if (!running) return
  signal(running.pid, 'SIGINT')
  if (!(await isGone(place, running.pid, fastStopMs))) {
    log(
      `The database did not stop within ${fastStopMs / 1000} s. Stopping it immediately; it recovers at the next start.`,
    )
    signal(running.pid, 'SIGQUIT')
    if (!(await isGone(place, running.pid, immediateStopMs))) {
      throw new EmbeddedDatabaseError(`The database (pid ${running.pid}) does not stop. Its log is ${place.log}.`)
    }
  }
  if (place.socketFolder !== place.cluster) removeIfEmpty(place.socketFolder)
}

async function isGone(place: Place, pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  for (let pauseMs = 5; (await findPostmaster(place))?.pid === pid; pauseMs = Math.min(pauseMs * 2, 50)) {
    if (Date.now() > deadline) return false
    await sleep(pauseMs)
  }
  return true
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // The folder is not empty, or it is gone: either way there is nothing to do.
  }
}

/**
 * Removes lock files that would keep PostgreSQL from starting. It refuses to start if the pid in its lock files is
 * taken by any process of the same user: after a restart of the machine or container, often something unrelated, and
 * under a pid 1 that does not reap, its own zombie for ever. No server runs here at this point, so such files are
 * removed. A file whose pid is free stays: PostgreSQL uses it to look for children that are still alive. (It also finds
 * those by the folder's shared memory, so removal cannot hide them.)
 */
export function clearStaleLocks(place: Place): void {
  for (const file of [join(place.cluster, 'postmaster.pid'), `${socketFile(place)}.lock`]) {
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    if (pid > 0 && pidIsTaken(pid)) rmSync(file, { force: true })
  }
}
