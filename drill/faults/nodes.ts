import { createHmac, randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../client.ts'
import { Finding, ensure } from '../drill.ts'
import { type Lectern, adminToken } from '../lectern.ts'
import { temporaryFolder } from '../leftovers.ts'
import { titlesOf } from '../ledger.ts'
import { examineFolder } from '../look.ts'
import { startOn } from '../nodes.ts'
import { makeSpace, must, theOrganization } from '../setting.ts'
import { startSystemPostgres } from '../system-postgres.ts'

const restarts = 3
const clients = 8

/**
 * Two nodes on one PostgreSQL, with requests distributed over them, as an operator would run them. They are restarted
 * in turn several times while clients write and read.
 */
export async function rollingRestart(): Promise<string> {
  const database = await startSystemPostgres()
  const folder = await temporaryFolder()
  const { nodes, start } = await startOn(2, database.url, folder)
  const balancer = new Balancer(nodes)
  const organizationId = await theOrganization(nodes[0]!.url)
  const space = await makeSpace(nodes[0]!.url, organizationId, { editMode: 'live' })
  const revoked = await revocations(nodes, organizationId, space)

  const written: string[] = []
  const stop = new AbortController()
  const busy = Array.from({ length: clients }, (_, i) => work(balancer, space, `c${i}`, written, stop.signal))
  const done = Promise.all(busy)
  done.catch(() => {})
  for (let round = 0; round < restarts * 2; round++) {
    await Promise.race([sleep(1_000), done])
    const old = balancer.nodes[round % 2]!
    const code = await Promise.race([old.stop(), done.then(() => 0)])
    ensure(code === 0, `A node that was told to stop ended with ${code}:\n${old.log().slice(-2000)}`)
    balancer.nodes[round % 2] = await start()
  }
  await sleep(500)
  stop.abort()
  await done
  const found = await readAll(balancer.nodes[0]!, space, written.length)
  ensure(new Set(found).size === found.length, 'A page was written twice')
  const missing = written.filter((title) => !found.includes(title))
  ensure(
    missing.length === 0 && found.length === written.length,
    `Of ${written.length} pages ${missing.length} are lost`,
  )
  await examineFolder(folder, { DATABASE_URL: database.url, LECTERN_SECRET: 'a secret for drills that is long enough' })
  for (const node of balancer.nodes) await node.stop()
  return (
    `PostgreSQL ${database.version}; ${restarts * 2} restarts, ${balancer.answered} requests answered, ${balancer.busy} of them 503 ` +
    `with Retry-After, 0 failed, ${balancer.retried} taken by the other node; ${revoked}`
  )
}

/** Reads the titles from one node, which must show the other node's last write within a second. */
async function readAll({ url }: Lectern, space: string, count: number): Promise<string[]> {
  const until = performance.now() + 1_000
  for (;;) {
    const { body } = await must(url, { method: 'GET', path: `/v1/spaces/${space}/content` })
    const titles = titlesOf(body.pages)
    if (titles.length >= count || performance.now() > until) return titles
    await sleep(20)
  }
}

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: any
}

/** Uses the nodes in turn, and tries the other one if a node refuses the connection or closes it without an answer. */
class Balancer {
  answered = 0
  retried = 0
  busy = 0
  #turn = 0
  readonly nodes: Lectern[]

  constructor(nodes: Lectern[]) {
    this.nodes = [...nodes]
  }

  async send(method: string, path: string, body?: object, key?: string): Promise<Reply> {
    const deadline = performance.now() + 60_000
    for (;;) {
      this.#turn += 1
      const node = this.nodes[this.#turn % this.nodes.length]!
      const reply = await ask(node.url, method, path, body, key)
      if (reply === 'not taken') {
        this.retried += 1
      } else if (reply.status === 503) {
        ensure(reply.headers['retry-after'], `${method} ${path}: 503 without Retry-After`)
        this.busy += 1
        this.answered += 1
      } else if (reply.body?.error?.type !== 'still_running') {
        this.answered += 1
        return reply
      }
      ensure(performance.now() < deadline, `${method} ${path} is not answered by any node for a minute`)
      await sleep(20)
    }
  }
}

/**
 * Sends a request on its own connection. If the connection breaks after the answer has begun, the request has failed.
 */
function ask(url: string, method: string, path: string, body?: object, key?: string): Promise<Reply | 'not taken'> {
  const bytes = body && Buffer.from(JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url + path,
      {
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${adminToken}`,
          ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
          ...(key && { 'idempotency-key': key }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => reject(new Finding(`${method} ${path} was cut off: ${error.message}`)))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
          resolve({ status: response.statusCode!, headers: response.headers, body: isJson ? JSON.parse(text) : text })
        })
      },
    )
    sent.on('error', () => resolve('not taken'))
    sent.end(bytes)
  })
}

async function work(balancer: Balancer, space: string, name: string, written: string[], stop: AbortSignal) {
  for (let i = 0; !stop.aborted; i++) {
    const title = `${name}-${i}`
    const changes = [{ operation: 'insert_page', document: { markdown: `# ${title}\n` } }]
    const reply = await balancer.send('POST', `/v1/spaces/${space}/content`, { changes }, randomUUID())
    ensure(reply.status === 200, `A write was answered with ${reply.status} ${JSON.stringify(reply.body)}`)
    written.push(title)
    const read = await balancer.send('GET', `/v1/spaces/${space}`)
    ensure(read.status === 200, `A read was answered with ${read.status}`)
  }
}

/** Access revoked on one node must be refused by the other within a second. */
async function revocations(nodes: Lectern[], organizationId: string, space: string): Promise<string> {
  const [here, there] = nodes.map(({ url }) => url) as [string, string]
  const page = [{ operation: 'insert_page', document: { markdown: '# Welcome\n' } }]
  const own = await makeSpace(here, organizationId, { editMode: 'live' })
  await must(here, { method: 'POST', path: `/v1/spaces/${own}/content`, body: { changes: page } })
  const times: string[] = []
  const timed = async (what: string, isOpen: () => Promise<boolean>, revoke: () => Promise<unknown>) => {
    for (let tries = 0; !(await isOpen()); tries++) {
      ensure(tries < 100, `${what} does not work on the other node`)
      await sleep(50)
    }
    await revoke()
    const startedAt = performance.now()
    while (await isOpen()) {
      ensure(
        performance.now() - startedAt < 1_000,
        `${what} still works on the other node a second after it was taken away`,
      )
      await sleep(5)
    }
    times.push(`${what} ${Math.round(performance.now() - startedAt)} ms`)
  }
  const status = async (request: Parameters<typeof send>[1]) => (await send(there, request)).status

  const token = (await must(here, { method: 'POST', path: '/v1/user/tokens', body: { label: 'Short' } })).body
  await timed(
    'a token',
    async () => (await status({ method: 'GET', path: `/v1/spaces/${space}`, token: token.token })) === 200,
    () => must(here, { method: 'DELETE', path: `/v1/user/tokens/${token.id}` }),
  )

  const sites = `/v1/orgs/${organizationId}/sites`
  const site = async (visibility: string) => {
    const { body } = await must(here, {
      method: 'POST',
      path: sites,
      body: { title: visibility, visibility, spaces: [own] },
    })
    await must(here, { method: 'POST', path: `${sites}/${body.id}/publish` })
    return { path: `${sites}/${body.id}`, id: body.id as string, basename: body.basename as string }
  }
  const shared = await site('share-link')
  const link = (await must(here, { method: 'POST', path: `${shared.path}/share-links`, body: { name: 'One' } })).body
  const key = new URL(link.urls.published).pathname.split('/').at(-2)!
  const [, , hostname] = new URL(link.urls.published).pathname.split('/')
  const plain = `/sites/${hostname}/${shared.basename}/`
  const headers = { cookie: `lectern-share-${shared.id}=${key}` }
  await timed(
    'a share link',
    async () => (await status({ method: 'GET', path: plain, token: null, headers })) === 200,
    () => must(here, { method: 'DELETE', path: `${shared.path}/share-links/${link.id}` }),
  )

  const guarded = await site('visitor-auth')
  const auth = await must(here, { method: 'GET', path: `${guarded.path}/publishing/auth` })
  const jwt = sign(auth.body.privateKey, { exp: Math.floor(Date.now() / 1000) + 600 })
  await timed(
    'a visitor key',
    async () =>
      isTaken(
        await send(there, {
          method: 'GET',
          path: `/sites/${hostname}/${guarded.basename}/?jwt_token=${jwt}`,
          token: null,
        }),
      ),
    () => must(here, { method: 'POST', path: `${guarded.path}/publishing/auth/regenerate` }),
  )
  return `refused on the other node: ${times.join(', ')}`
}

/** An accepted token is moved from the address into a cookie. */
const isTaken = ({ headers }: { headers: Headers }) =>
  headers.get('set-cookie') !== null && !/Max-Age=0/.test(headers.get('set-cookie')!)

function sign(key: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
