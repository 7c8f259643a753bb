import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'

interface Apart {
  /** For Node itself: how much memory it may use. */
  execArgv?: string[]
  env?: Record<string, string>
}

/**
 * A program of ours in a process of its own, to which we talk by messages: for what may use up time and memory. It has
 * no business with what this process was given, but takes over what was compiled before: most of its start. Nobody reads
 * what a library in it says.
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

/** Writes down what was compiled so far, if any of it is new. Node does so at its end, which not every process lives to see. */
export function keepCompiled(): void {
  module.flushCompileCache()
}

/** In how many parts Linux tells the seconds of a process. */
const ticks = 100

/** How long a process has had a processor so far, where the system tells it. */
export function processorMs(pid: number | undefined): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Its name, in brackets, may hold anything.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
  } catch {
    return undefined
  }
}
