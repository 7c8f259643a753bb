import { closeSync, existsSync, openSync, readFileSync, statSync, statfsSync, truncateSync } from 'node:fs'
import { connect } from 'node:net'
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { chooseLauncher, rememberedLauncher } from './choose-launch.ts'
import { clearDrafts, clusterExists, createCluster, handOver, passwordRules } from './cluster.ts'
import { EmbeddedDatabaseError } from './error.ts'
import { type Launcher, notStarted, ownerOf, start } from './launch.ts'
import { giveToFolderOwner, makeSocketFolder, type Place, port, socketFile } from './place.ts'
import { clearStaleLocks, findPostmaster, readNote, stopPostmaster } from './postmaster.ts'
import { listOrphanedChildren, signal } from './processes.ts'

export interface BringUpOptions {
  settings: Record<string, string>
  log: (message: string) => void
}

/** Recovery after a crash replays at most about a gigabyte of changes. */
const startTimeoutMs = 60_000
/** How long the remains of a predecessor may take to disappear: its zombie, its children, its shared memory. */
const predecessorTimeoutMs = 10_000
/**
 * A child that was just created when its postmaster was killed still holds the socket on which the postmaster listened.
 */
const elsewhereTimeoutMs = 1_500
const maxLogBytes = 10_000_000
/** With less, PostgreSQL may be unable to write its lock files, or the first checkpoint. */
const fewestFreeBytes = 100_000

/**
 * Makes sure that a database answers: the one that runs, or one started now, or one created now. Call it under the
 * lock.
 */
export async function bringUp(place: Place, options: BringUpOptions): Promise<void> {
  if ((await settle(place, options)) === 'ready') return
  const remembered = rememberedLauncher(place)
  try {
    await startWith(place, remembered ?? (await chooseLauncher(place)), options)
  } catch (error) {
    if (!remembered) throw error
    // This launcher worked before, but the system may have changed. If it is still the best one, the error has another
    // cause.
    const chosen = await chooseLauncher(place)
    if (isDeepStrictEqual(chosen, remembered)) throw error
    await startWith(place, chosen, options)
  }
}

/** Waits until a database that is starting or stopping is ready or gone. */
async function settle(place: Place, { log }: BringUpOptions): Promise<'ready' | 'gone'> {
  const began = Date.now()
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const found = await findPostmaster(place)
    if (!found) return 'gone'
    if (found.status === 'ready' && existsSync(socketFile(place))) return 'ready'
    const waitedMs = Date.now() - began
    // A stop that waits for its clients to leave may never end, and without its socket nobody can reach the database.
    if (found.status === 'ready' || (found.status === 'stopping' && waitedMs > 1_000)) {
      await stopPostmaster(place, log)
      return 'gone'
    }
    if (waitedMs > startTimeoutMs) throw stillStarting(place)
    await sleep(pauseMs)
  }
}

async function startWith(place: Place, launcher: Launcher, options: BringUpOptions): Promise<void> {
  clearDrafts(place)
  if (!clusterExists(place)) {
    options.log('Creating the database; this takes a few seconds.')
    await createCluster(place, launcher, options.settings)
  }
  handOver(place, launcher)
  const began = Date.now()
  let buffers = usualBuffers()
  for (;;) {
    const refusal = await launchUnlessServed(place, launcher, options, buffers)
    if (refusal === undefined) return
    if (noMemory.test(refusal) && buffers > fewestBuffers) {
      options.log(
        `There is no memory for ${buffers} MB of database buffers. The database is started with ${fewestBuffers} MB, ` +
          'and may be slower.',
      )
      buffers = fewestBuffers
      continue
    }
    const waitedMs = Date.now() - began
    const orphans = await listOrphanedChildren(place.cluster)
    // A server elsewhere stays, so there is little to wait for. The predecessor's sockets close while it dies.
    const patienceMs = refusal === servedElsewhere && orphans.length === 0 ? elsewhereTimeoutMs : predecessorTimeoutMs
    if (!mayPass.test(refusal) || waitedMs > patienceMs) throw didNotStart(place, refusal)
    // Busy children of a killed postmaster notice its death only when they pause. Their work is lost anyway.
    for (const pid of orphans) signal(pid, 'SIGQUIT')
    await sleep(100)
  }
}

async function launchUnlessServed(place: Place, launcher: Launcher, options: BringUpOptions, buffers: number) {
  return (await isServedElsewhere(place)) ? servedElsewhere : launchOnce(place, launcher, options, buffers)
}

/**
 * Reasons that may pass: a predecessor that is not quite dead, or a new process that was killed (often by the kernel,
 * out of memory).
 */
const mayPass =
  /lock file "[^"]*" already exists|shared memory block .* is still in use|It ended with SIGKILL|It is already served/

const servedElsewhere =
  'It is already served by a PostgreSQL that was started elsewhere (in another container, or by another path to the ' +
  'same folder). Stop that one first.'

/**
 * Whether another server uses this folder. A socket reaches across containers, where a pid means nothing, and two
 * servers on the same files destroy them.
 */
function isServedElsewhere(place: Place): Promise<boolean> {
  if (!existsSync(socketFile(place))) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(socketFile(place))
    const answer = (served: boolean) => {
      socket.destroy()
      resolve(served)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}

/** Returns undefined once the database is ready, otherwise what it printed before it ended. */
async function launchOnce(
  place: Place,
  launcher: Launcher,
  options: BringUpOptions,
  buffers: number,
): Promise<string | undefined> {
  clearStaleLocks(place)
  makeSocketFolder(place, ownerOf(launcher.launch))
  const log = openLog(place)
  // Detached, in a session of its own: Ctrl-C in the terminal is for us, and we stop the database when we are done.
  const child = start(launcher, 'postgres', postgresArgs(place, launcher, buffers, options.settings), {
    detached: true,
    stdio: ['ignore', log.file, log.file],
  })
  closeSync(log.file)
  child.unref()

  let ended: string | undefined
  child.once('error', (error) => (ended = notStarted(error, launcher, 'postgres')))
  child.once('exit', (code, by) => (ended = `It ended with ${by ?? code}.`))

  const deadline = Date.now() + startTimeoutMs
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    if (ended !== undefined) return `${tailOfLog(place, log.bytes)}\n${ended}`.trim()
    const note = readNote(place)
    if (note?.pid === child.pid && note?.status === 'ready') return undefined
    if (Date.now() > deadline) throw stillStarting(place)
    await sleep(pauseMs)
  }
}

function openLog(place: Place): { file: number; bytes: number } {
  if ((statSync(place.log, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) truncateSync(place.log)
  const file = openSync(place.log, 'a', 0o600)
  giveToFolderOwner(place.log)
  return { file, bytes: statSync(place.log).size }
}

const tailOfLog = (place: Place, fromByte: number) =>
  readFileSync(place.log).subarray(fromByte).toString().trim().split('\n').slice(-10).join('\n')

function postgresArgs(place: Place, { launch }: Launcher, buffers: number, extra: Record<string, string>): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: `"${place.socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '60',
    shared_buffers: `${buffers}MB`,
    // Data is nearly always in the memory of the system already, so fetching it through another process only takes
    // longer.
    io_method: 'sync',
    // Tables of a young installation grow fast, and statements that were planned without statistics keep those plans
    // until the tables are analyzed again.
    autovacuum_naptime: '15s',
    // We start it again ourselves, and say why it ended. PostgreSQL would silently try again many times a second on a
    // full disk. If its checkpointer crashes again during the recovery, it does not even notice: it then waits for a
    // checkpoint that is only due five minutes later.
    restart_after_crash: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
    // Leaves out errors: a taken name is one, which is ordinary here, and its text would bring people's content into
    // the log.
    log_min_messages: 'log',
    // An account like nobody is shared with other software, which could reach the socket as well.
    ...(launch.how === 'account' ? { hba_file: passwordRules(place) } : {}),
    ...extra,
  }
  return ['-D', place.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/**
 * Returns a sixteenth of the available memory in MB, within bounds. Data in these buffers is not copied from the system
 * at each access.
 */
function usualBuffers(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(1_024, Math.max(128, Math.floor(bytes / 16 / 2 ** 20)))
}

/**
 * For when a limit on the address space or on what the system may promise (ulimit -v, vm.overcommit_memory) is too low
 * for the usual ones. Such limits cannot be read in advance.
 */
const fewestBuffers = 16

const noMemory = /could not map anonymous shared memory/

function didNotStart(place: Place, reason: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The database in ${place.cluster} did not start:\n${reason}\nIts log is ${place.log}.${adviceFor(place, reason)}`,
  )
}

function adviceFor(place: Place, reason: string): string {
  if (/No space left on device/.test(reason) || isFull(place.log))
    return ' Its disk is full: make room there, and start it again.'
  if (noMemory.test(reason)) return ' Give it more memory (ulimit -v, vm.overcommit_memory), and start it again.'
  return ''
}

/** On a full disk, the reason itself may be missing from the log, which is on the same disk. */
function isFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(file)
  return bavail * bsize < fewestFreeBytes
}

function stillStarting(place: Place): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The database in ${place.cluster} is still not ready after ${startTimeoutMs / 1000} seconds. It may be repairing ` +
      `itself after a crash: look at ${place.log}, and start Lectern again in a while.`,
  )
}
