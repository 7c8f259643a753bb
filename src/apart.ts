import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'

interface Apart {
  /** Options for Node itself, such as its memory limit. */
  execArgv?: string[]
  env?: Record<string, string>
}

/**
 * Starts one of our programs in a separate process that we exchange messages with, for work that may use up time and
 * memory. It does not get this process's environment, but uses its compile cache, which saves most of the start time.
 * Output of its libraries is discarded.
 */
export function startApart(program: URL, { execArgv = [], env = {} }: Apart = {}): ChildProcess {
  const compiled = module.getCompileCacheDir()
  return fork(program, {
    serialization: 'advanced',
    execArgv,
    env: compiled === undefined ? env : { ...env, NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/**
 * Saves code compiled so far, if any of it is new. Node does so when it exits, which some processes do not live to do.
 */
export function keepCompiled(): void {
  module.flushCompileCache()
}

/** Clock ticks per second in Linux's process times. */
const ticks = 100

/** Returns the processor time that a process has used so far, if the system reports it. */
export function processorMs(pid: number | undefined): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name, in brackets, may contain anything.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
  } catch {
    return undefined
  }
}
