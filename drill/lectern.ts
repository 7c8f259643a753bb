import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { whenOver } from './leftovers.ts'
import { commandOf } from './processes.ts'

const program = fileURLToPath(new URL('../bin/lectern.js', import.meta.url))

export const adminToken = 'lct_a-token-for-drills-that-is-long-enough'

/** The server writes its log a moment later, in pieces. */
const gatheredMs = 2_000

export type Environment = Record<string, string>

export interface Lectern {
  url: string
  pid: number
  child: ChildProcess
  readonly hasEnded: boolean
  /** The end of its output. */
  log(): string
  /** The faults that it has just logged, such as the cause of an answer with 500. */
  faults(): Promise<string>
  /** Kills the server like a power cut: it gets no notice and finishes nothing. */
  kill(): Promise<void>
  stop(): Promise<number | null>
  ended(): Promise<void>
}

/** Starts the product as a user would, in a separate process. Resolves when it is ready. */
export async function startLectern(environment: Environment, startMs = 60_000): Promise<Lectern> {
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Only what the drill sets: no settings of the machine leak in.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      LECTERN_DEMO: 'off',
      LECTERN_ADMIN_TOKEN: adminToken,
      LECTERN_RATE_LIMIT: 'off',
      ...environment,
    },
  })
  let output = ''
  const take = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000))
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const exit = once(child, 'exit')
  whenOver(() => child.kill('SIGKILL'))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  const deadline = performance.now() + startMs
  let url: string | undefined
  while (!url || !output.includes('is ready')) {
    url ??= /Open +(http:\/\/\S+)\//.exec(output)?.[1]
    if (hasEnded()) throw new Error(`The server ended as it started:\n${output}`)
    if (performance.now() > deadline) throw new Error(`The server is not ready:\n${output}`)
    await sleep(10)
  }
  return {
    url,
    pid: child.pid!,
    child,
    get hasEnded() {
      return hasEnded()
    },
    log: () => output,
    async faults() {
      await sleep(gatheredMs)
      return (output.match(/^.*"level":50.*$/gm) ?? []).join('\n')
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exit
      return code as number | null
    },
    ended: async () => void (await exit),
  }
}

/** Returns the process id of the embedded database of a data folder, if it runs. */
export function postmasterOf(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    return commandOf(pid).includes('postgres') ? pid : undefined
  } catch {
    return undefined
  }
}

/** Stops the database of a killed server at the end of the drill, since no server is left to do it. */
export function killDatabaseWhenOver(folder: string): void {
  whenOver(async () => {
    const pid = postmasterOf(folder)
    if (pid === undefined) return
    process.kill(pid, 'SIGQUIT')
    for (let tries = 0; tries < 200 && postmasterOf(folder) !== undefined; tries++) await sleep(25)
    const left = postmasterOf(folder)
    if (left !== undefined) process.kill(left, 'SIGKILL')
  })
}
