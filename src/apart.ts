import { type ChildProcess, fork } from 'node:child_process'
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
