import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Answer, describe, send } from '../client.ts'
import { ensure } from '../drill.ts'
import { whenOver } from '../leftovers.ts'
import { must } from '../setting.ts'
import { Installation } from './installation.ts'

/** Content of the upstream server. No answer may contain it. */
const secretWord = 'word-of-the-other-side'

/** What a hostile server can do to a client that fetches from it. */
const tricks: Record<string, (response: ServerResponse, base: string) => void> = {
  'slow-headers': (response) => drip(response.socket!, 'HTTP/1.1 200 OK\r\nx-slow: '),
  'slow-body': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    drip(response, '<')
  },
  silence: () => {},
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    pour(response)
  },
  bomb: (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    response.end(bomb)
  },
  'redirect-loop': (response, base) =>
    response.writeHead(302, { location: `${base}/redirect-loop?${Math.random()}` }).end(),
  'redirect-inside': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'redirect-file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  garbage: (response) => void response.socket!.end('\0\0\0 this is no HTTP\r\n\r\n'),
  'cut-off': (response) => {
    response.writeHead(200, { 'content-length': '100000', 'content-type': 'text/html' })
    response.write('<p>')
    setTimeout(() => response.destroy(), 200)
  },
  error: (response) => void response.writeHead(500).end(secretWord),
}

const bomb = gzipSync(Buffer.alloc(300_000_000))

function drip(to: { write(text: string): unknown; destroyed: boolean }, first: string): void {
  to.write(first)
  const timer = setInterval(() => {
    if (to.destroyed) clearInterval(timer)
    else to.write('x')
  }, 500)
  timer.unref()
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(1 << 20, 'x')
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

/**
 * Runs every feature that fetches against every trick, all at once. Each must end with a reason, and other requests
 * must not be affected.
 */
export async function hostileUpstream(seed: number): Promise<string> {
  // Few imports may run at once, so those of the load have to wait their turn, too.
  const it = await Installation.start(seed, { mayPass: [429] })
  const base = await startHostile()
  it.startLoad()
  await it.untilAnswered(10)
  const { url } = it.server
  const { organizationId, live } = it.world
  let slowestMs = 0
  const jobs: Promise<void>[] = []
  for (const trick of Object.keys(tricks)) {
    const from = `${base}/${trick}`
    for (const [what, fetchIt] of Object.entries(features(url, organizationId, live, from))) {
      jobs.push(
        (async () => {
          const startedAt = performance.now()
          const answer = await fetchIt()
          slowestMs = Math.max(slowestMs, performance.now() - startedAt)
          const isWell = answer.status < 500 || answer.status === 503
          ensure(isWell, `${what} from ${trick}: ${describe(answer)}\n${isWell ? '' : await it.server.faults()}`)
          ensure(answer.status >= 400 || isFailure(answer), `${what} from ${trick} succeeded: ${describe(answer)}`)
          ensure(!JSON.stringify(answer.body).includes(secretWord), `${what} tells what the other side said`)
        })(),
      )
    }
  }
  const done = Promise.all(jobs)
  let slowestHealthMs = 0
  const over = new AbortController()
  const end = () => over.abort()
  void done.then(end, end)
  while (!over.signal.aborted) {
    const startedAt = performance.now()
    const health = await it.healthz()
    slowestHealthMs = Math.max(slowestHealthMs, performance.now() - startedAt)
    ensure(health.status === 200, `/healthz answers ${health.status} while others fetch`)
    await sleep(200)
  }
  await done
  await it.untilAnswered(10)
  await it.settle()
  await it.end()
  return `${jobs.length} fetches of ${Object.keys(tricks).length} kinds all ended with a reason, after ${Math.round(slowestMs)} ms at most; /healthz took ${Math.round(slowestHealthMs)} ms at most meanwhile`
}

const isFailure = ({ body }: Answer) =>
  body?.status === 'failed' || body?.lastProcessErrorCode !== undefined || body?.importedResources === 0

function features(
  url: string,
  organizationId: string,
  space: string,
  from: string,
): Record<string, () => Promise<Answer>> {
  const post = (path: string, body: object) => busy(() => send(url, { method: 'POST', path, body, timeoutMs: 180_000 }))
  return {
    'a website': () => post(`/v1/spaces/${space}/content/import`, { source: 'website', url: from }),
    'an archive': () => post(`/v1/spaces/${space}/content/import`, { source: 'zip', url: from }),
    'a file': () =>
      post(`/v1/spaces/${space}/content`, {
        changes: [{ operation: 'insert_files', files: [{ name: 'x.png', url: from }] }],
      }),
    'an import run': async () => {
      const body = { source: { type: 'website', url: from }, target: { space } }
      const { body: run } = await must(url, { method: 'POST', path: `/v1/org/${organizationId}/imports`, body })
      return until(
        url,
        `/v1/org/${organizationId}/imports/${run.id}`,
        ({ status }) => status !== 'pending' && status !== 'in-progress',
      )
    },
    'a specification': async () => {
      const slug = `s${Math.random().toString(36).slice(2, 10)}`
      const path = `/v1/orgs/${organizationId}/openapi/${slug}`
      const made = await send(url, { method: 'PUT', path, body: { source: { url: from } } })
      if (made.status >= 400) return made
      return until(url, path, ({ processingState }) => processingState !== 'pending' && processingState !== 'progress')
    },
  }
}

/** Few imports may run at once, so a request that gets 429 is sent again. */
async function busy(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request()
    if (answer.status !== 429) return answer
    ensure(answer.headers.get('retry-after'), '429 without Retry-After')
    await sleep(1_000)
  }
}

async function until(url: string, path: string, isOver: (body: any) => boolean): Promise<Answer> {
  const deadline = performance.now() + 400_000
  for (;;) {
    const answer = await send(url, { method: 'GET', path })
    if (answer.status !== 503 && isOver(answer.body)) return answer
    ensure(performance.now() < deadline, `${path} does not end: ${describe(answer)}`)
    await sleep(500)
  }
}

async function startHostile(): Promise<string> {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    tricks[request.url!.split(/[/?]/)[1]!]?.(response, base)
  })
  server.on('connection', (socket) => socket.on('error', () => {}))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  whenOver(() => {
    server.closeAllConnections()
    server.close()
  })
  return base
}
