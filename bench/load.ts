import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const autocannon = fileURLToPath(new URL('../node_modules/autocannon/autocannon.js', import.meta.url))

export interface Target {
  url: string
  headers?: Record<string, string>
}

/** Requests a second over 32 connections, driven from a process of its own. Fails where any answer is not 2xx. */
export async function requestsPerSecond({ url, headers = {} }: Target, seconds = 2): Promise<number> {
  const pairs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const child = spawn(process.execPath, [autocannon, '-j', '-c', '32', '-d', String(seconds), ...pairs, url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const result = JSON.parse(output) as { non2xx: number; errors: number; requests: { average: number } }
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}
