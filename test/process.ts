import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../bin/lectern.js', import.meta.url))

type Environment = Record<string, string>

/** A folder that goes when the test file is done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command of the command line to its end. */
export async function lectern(args: string[], environment: Environment) {
  const child = start(args, environment)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return { stdout, stderr, code: code as number }
}

export interface ServerProcess {
  url: string
  child: ChildProcess
  output(): string
  log(): string
  /** Asks it to stop; answers the exit code and how long that took. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

/** The server as a person starts it; answers when it is ready, or throws what it said when it ended instead. */
export async function startServer(environment: Environment, { ready = true, by = start } = {}): Promise<ServerProcess> {
  const child = by(['serve'], { PORT: '0', ...environment })
  let output = ''
  let log = ''
  child.stdout!.on('data', (chunk) => (output += chunk))
  child.stderr!.on('data', (chunk) => (log += chunk))
  const exited = once(child, 'exit')
  after(() => child.kill('SIGKILL'))

  // The log is written in pieces, now and then: it may come after the word that all is ready.
  const listens = () => log.includes('listening')
  const sign = ready ? () => output.includes('is ready') && listens() : listens
  const deadline = performance.now() + 45_000
  while (!sign()) {
    if (child.exitCode !== null) throw new Error(`${output}${log}`)
    if (performance.now() > deadline) throw new Error(`The server is not ready: ${output}${log}`)
    await sleep(20)
  }
  const url = /listening at (http:\/\/[^"]+)/.exec(log)![1]!
  return {
    url,
    child,
    output: () => output,
    log: () => log,
    async stop(signal = 'SIGTERM') {
      const startedAt = performance.now()
      child.kill(signal)
      const [code] = await exited
      return { code: code as number | null, ms: performance.now() - startedAt }
    },
  }
}

/** Begins a command, for whoever wants to meet it half-way. */
export const start = (args: string[], environment: Environment): ChildProcess =>
  spawn(process.execPath, [program, ...args], surroundings(environment))

/** As npm does it: through a shell that does not hand signals on. */
export const startByNpm = (args: string[], environment: Environment): ChildProcess =>
  spawn(
    'sh',
    ['-c', '"$@"; true', 'sh', process.execPath, program, ...args],
    surroundings({ ...environment, npm_lifecycle_event: 'start' }),
  )

/** On a disk that takes nothing more, as far as files go. */
export const startOnFullDisk = (args: string[], environment: Environment): ChildProcess =>
  spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, program, ...args], surroundings(environment))

const surroundings = (environment: Environment) => ({
  stdio: ['ignore', 'pipe', 'pipe'] satisfies StdioOptions,
  // Only what a test says: nothing of the machine's own settings leaks in. The sample takes a second: who wants it says so.
  env: { ...passedOn(), LECTERN_DEMO: 'off', ...environment },
})

function passedOn(): Environment {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
