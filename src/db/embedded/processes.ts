import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from './error.ts'

/** A running process. `started` distinguishes it from a later one with the same pid. */
export interface RunningProcess {
  pid: number
  started: string
  command: string[]
}

/**
 * Finds a running process. A zombie counts as gone: it has closed its files and only waits for its parent to take
 * notice.
 */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  return process.platform === 'linux' ? fromProc(pid) : await fromPs(pid)
}

function fromProc(pid: number): RunningProcess | undefined {
  try {
    const fields = statFields(pid)
    const [state, started] = [fields[0], fields[19]]
    if (state === undefined || started === undefined || 'ZX'.includes(state)) return undefined
    return { pid, started, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1) }
  } catch {
    return undefined
  }
}

/**
 * Returns the fields from the state on. The name before it is in parentheses and may itself contain spaces and
 * parentheses.
 */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

async function fromPs(pid: number): Promise<RunningProcess | undefined> {
  const ps = (field: string) => promisify(execFile)('/bin/ps', ['-ww', '-o', `${field}=`, '-p', String(pid)])
  try {
    const [state, started, command] = (await Promise.all([ps('state'), ps('lstart'), ps('command')])).map((answer) =>
      answer.stdout.trim(),
    )
    if (!state || !started || !command || state.startsWith('Z')) return undefined
    return { pid, started: started.replaceAll(/\W+/g, '.'), command: command.split(' ') }
  } catch {
    return undefined
  }
}

/** Whether anything has this pid, including a zombie: what kill(pid, 0) sees, and therefore what PostgreSQL sees. */
export function pidIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Returns false if the process is gone already. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
    throw error
  }
}

/**
 * Lists the children of a killed postmaster: their working directory is its data directory, and they call themselves
 * "postgres: …". Those whose parent has the same working directory belong to a postmaster that lives, perhaps in
 * another container.
 */
export async function listOrphanedChildren(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => sitsIn(pid, cluster) && isChild(pid) && !sitsIn(parentOf(pid), cluster))
}

const isChild = (pid: number) => fromProc(pid)?.command[0]?.startsWith('postgres: ') ?? false

function sitsIn(pid: number | undefined, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(statFields(pid)[1])
  } catch {
    return undefined
  }
}
