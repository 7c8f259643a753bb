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

/** A folder that is deleted when the test file is done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command of the command line until it ends. */
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
  /** Asks the server to stop. Returns the exit code and how long that took. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

/** Starts the server as a person does. Returns when it is ready. If it ends instead, throws what it printed. */
export async function startServer(environment: Environment, { ready = true, by = start } = {}): Promise<ServerProcess> {
  const child = by(['serve'], { PORT: '0', ...environment })
  let output = ''
  let log = ''
  child.stdout!.on('data', (chunk) => (output += chunk))
  child.stderr!.on('data', (chunk) => (log += chunk))
  const exited = once(child, 'exit')
  after(() => child.kill('SIGKILL'))

  // The log is written in batches, so it may come after the message that the server is ready.
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

/** Starts a command without waiting for its end, for tests that interfere while it runs. */
export const start = (args: string[], environment: Environment): ChildProcess =>
  spawn(process.execPath, [program, ...args], surroundings(environment))

/** Starts a command as npm does: through a shell that does not forward signals. */
export const startByNpm = (args: string[], environment: Environment): ChildProcess =>
  spawn(
    'sh',
    ['-c', '"$@"; true', 'sh', process.execPath, program, ...args],
    surroundings({ ...environment, npm_lifecycle_event: 'start' }),
  )

/** Starts a command as containers do for an account that is only a number: it has no name and no home folder. */
export const startAsNumber =
  (id: number) =>
  (args: string[], environment: Environment): ChildProcess => {
    const { env, stdio } = surroundings(environment)
    const homeless: Environment = { ...env }
    delete homeless.HOME
    return spawn(process.execPath, [program, ...args], { stdio, env: homeless, uid: id, gid: id })
  }

/** Starts a command as if on a full disk: no file can grow. */
export const startOnFullDisk = (args: string[], environment: Environment): ChildProcess =>
  spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, program, ...args], surroundings(environment))

const surroundings = (environment: Environment) => ({
  stdio: ['ignore', 'pipe', 'pipe'] satisfies StdioOptions,
  // Only the settings of the test: none of the machine's own settings leak in. Creating the sample takes a second, so
  // tests that want it have to ask for it.
  env: { ...passedOn(), LECTERN_DEMO: 'off', ...environment },
})

function passedOn(): Environment {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
