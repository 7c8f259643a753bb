import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const adminToken = 'lct_a-token-for-the-benchmark-that-is-long-enough'

export interface RunningServer {
  url: string
  folder: string
  child: ChildProcess
  /** Milliseconds from the start of the process to the first healthy answer. */
  readyMs: number
  stop(): Promise<void>
}

export async function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'lectern-bench-'))
}

/** Starts the product as a user would, in a separate process. */
export async function startLectern(folder: string, environment: Record<string, string> = {}): Promise<RunningServer> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('../bin/lectern.js', import.meta.url)), 'serve'], {
    // The server writes a log line per request, as in production. Nobody reads it here.
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      LECTERN_DATA: folder,
      LECTERN_ADMIN_TOKEN: adminToken,
      LECTERN_RATE_LIMIT: 'off',
      ...environment,
    },
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null) throw new Error('The server ended')
    await sleep(10)
  }
  const readyMs = performance.now() - startedAt
  return {
    url,
    folder,
    child,
    readyMs,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}

async function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
