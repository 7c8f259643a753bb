import fc from 'fast-check'
import { sql } from '../../src/db/sql.ts'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { type Sent, send } from '../matrix/send.ts'
import { until } from '../until.ts'
import type { FuzzWorld } from './cases.ts'
import { oddText } from './hostile.ts'
import { reviewDoors } from './review-doors.ts'
import { findFault } from './run.ts'
import { someOf } from './shapes.ts'
import type { Touched } from './touched.ts'

/** An entrance besides the API: pages, files, uploads, and the ways to sign in. */
export interface Door {
  method: string
  /** A valid address. */
  url: string
  /** Fields of a form. */
  form?: Record<string, string>
  /** Other bodies that may be sent. */
  bodies?: string[]
  headers?: Record<string, string>
}

export async function findDoors(world: FuzzWorld): Promise<Door[]> {
  const { app, who, own } = world
  const session = await aSession(app, await who.get('/v1/user'))
  const site = `/sites/${own.subdomain}/${own.basename}`
  const shared = `${site}/${own.shareKey}`
  const file = await who.get(`/v1/spaces/${own.spaceId}/content/files/${own.fileId}`)
  const pdf = await who.get(`/v1/spaces/${own.spaceId}/pdf`)
  const version = await who.get(`/v1/orgs/${own.organizationId}/openapi/${own.specSlug}/versions/latest`)
  const locked = await who.post(`/v1/orgs/${own.organizationId}/sites/${own.siteId}/share-links`, {
    name: 'Locked',
    password: 'long enough',
  })
  const upload = await who.post(`/v1/orgs/${own.organizationId}/storage/upload`, {
    file: { name: 'a.png', type: 'image/png', size: 10 },
    kind: 'organization_file',
  })
  const preview = await who.get(`/v1/orgs/${own.organizationId}/sites/${own.siteId}/publishing/preview`)
  const local = (url: string) => url.replace('http://lectern.test', '')
  const saml = `/saml/${own.organizationId}/${own.samlProviderId ?? own.siteId}`
  const get = ['/', '/app', `/app/o/${own.organizationId}/s/${own.spaceId}`, '/docs', '/docs/api', '/openapi.json', '/robots.txt', '/favicon.ico', '/assets/site.js', '/healthz',
    `${site}/`, `${shared}/`, `${shared}/${own['*']}`, `${shared}/${own['*']}.md`, `${shared}/sitemap.xml`, `${shared}/llms.txt`, `${shared}/llms-full.txt`, `${shared}/rss.xml`, `${shared}/~/search?q=zebra`,
    `${shared}/~/files/${own.fileId}/x/a.png`, `${site}/~/sign-in?jwt_token=x`, local(preview.url ?? preview.urls?.preview ?? '/'),
    local(file.downloadURL), local(pdf.url), local(version.url),
    `/invite/${own.inviteSecret}`, '/login?next=/account&email=a@example.org', '/login/code?email=a@example.org', '/account', '/mail/unsubscribe/x', saml, `${saml}/start?next=/account`, `${saml}/done`,
  ] // prettier-ignore
  const posts: [string, Record<string, string>][] = [
    ['/login', { email: 'a@example.org', token: 'x', next: '/' }],
    ['/login/code', { email: 'a@example.org', code: '12345678', token: 'x' }],
    ['/logout', { token: 'x' }],
    ['/account/tokens', { label: 'x', token: 'x' }],
    ['/account/tokens/revoke', { id: own.tokenId!, token: 'x' }],
    ['/account/sessions/end', { id: own.sessionId ?? 'x', token: 'x' }],
    ['/account/mail', { token: 'x' }],
    [`/invite/${own.inviteSecret}`, { email: 'a@example.org', displayName: 'A', token: 'x' }],
    ['/mail/unsubscribe/x', {}],
    [`${saml}/acs`, { SAMLResponse: Buffer.from('<Response/>').toString('base64'), RelayState: 'x' }],
    [`${shared}/~/search`, { q: 'x' }],
    [`${shared}/~/helpful`, { at: 'x', page: own.pageId!, answer: 'yes', text: 'x' }],
    [`${new URL(locked.urls.published).pathname}~/open`, { password: 'long enough', location: 'x' }],
  ]
  return [
    ...get.map((url) => ({ method: 'GET', url })),
    ...posts.map(([url, form]) => ({ method: 'POST', url, form })),
    { method: 'PUT', url: local(upload.url), form: { a: 'x' } },
    ...reviewDoors(world, session),
    {
      method: 'POST',
      url: `${shared}/~/mcp`,
      headers: { 'content-type': 'application/json' },
      bodies: messages.map((message) => JSON.stringify(message)),
    },
  ]
}

const asking = (name: unknown, input: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})
/** Messages as an assistant sends them, and some that none should send. */
const messages = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
  { jsonrpc: '2.0', id: 'x', method: 'tools/list' },
  { jsonrpc: '2.0', id: 1, method: '__proto__', params: null },
  asking('searchDocumentation', { query: 'zebra', page: 2 }),
  asking('searchDocumentation', { query: '"\u0000 -\ud800 (', page: 1e9 }),
  asking('getPage', { url: '../../%00/..%2f' }),
  asking('getPage', { url: 'x'.repeat(5_000) }),
  asking('__proto__', []),
  [],
  null,
]

interface Knock {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

/** Requests whose address is almost right. */
function knocksOn(door: Door): fc.Arbitrary<Knock> {
  const [path, query = ''] = door.url.split('?')
  const steps = path!.split('/').map((step, i) => {
    const other = oddText.map((text) => encodeURIComponent(text.toWellFormed()))
    const raw = fc.constantFrom('%', '%zz', '%00', '%c0%af', '..', '~', '', `${step}/`, `${step}.md`, `${step}%2f`)
    return i === 0
      ? fc.constant(step)
      : fc.oneof(
          { weight: 12, arbitrary: fc.constant(step) },
          { weight: 1, arbitrary: other },
          { weight: 1, arbitrary: raw },
        )
  })
  const pairs = [...new URLSearchParams(query)].map(([name, value]) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(`${name}=${encodeURIComponent(value)}`) },
      { weight: 1, arbitrary: oddText.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`) },
      { weight: 1, arbitrary: fc.constantFrom('', `${name}=1&${name}=2`) },
    ),
  )
  const more = fc.constantFrom(
    '',
    '',
    '',
    'x=1',
    'jwt_token=x',
    'q=%00',
    'ask=x',
    'visitor.a=1',
    '%zz',
    'fallback=true',
    'download=1',
    'next=//x',
    'page=9',
  )
  return fc
    .record({
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(door.method) },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS') },
      ),
      steps: fc.tuple(...steps),
      pairs: fc.tuple(...pairs, more),
      headers: headersOf(door),
      form: fc.record(
        Object.fromEntries(
          Object.entries(door.form ?? {}).map(([name, value]) => [name, fc.oneof(fc.constant(value), oddText)]),
        ),
      ),
      raw: fc.option(fc.oneof(oddText, fc.constantFrom(...(door.bodies ?? ['x']))), { freq: door.bodies ? 1 : 8 }),
    })
    .map(({ method, steps: parts, pairs: asked, headers, form, raw }) => {
      const search = asked.filter(Boolean).join('&')
      const body =
        raw ??
        new URLSearchParams(
          Object.entries(form).map(([name, text]): [string, string] => [name, text.toWellFormed()]),
        ).toString()
      return {
        method,
        url: parts.join('/') + (search && `?${search}`) || '/',
        headers,
        body: method === 'GET' || method === 'HEAD' ? undefined : body,
      }
    })
}

const headerValues: Record<string, string[]> = {
  host: ['lectern.test', 'x', 'x.lectern.test', 'lectern.test:80', '[::1]', '..'],
  cookie: ['a', 'a=b; a=c', 'session=x', '__Host-session=x', `sign-in=${'x'.repeat(3000)}`, '=;=', 'a=%zz'],
  accept: ['*/*', 'text/markdown', 'application/json', 'x', ''],
  'accept-encoding': ['gzip', 'br;q=x', 'identity;q=0'],
  'accept-language': ['fr', '*', ';q=2'],
  'if-none-match': ['*', '"x"', ''],
  'if-modified-since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  range: ['bytes=0-', 'bytes=9-1', 'bytes=-1', 'bytes=0-0,2-3', 'x'],
  origin: ['http://lectern.test', 'null', 'x'],
  'content-type': ['application/x-www-form-urlencoded', 'application/json', 'image/png', 'multipart/form-data; boundary=x', 'x', ''],
  authorization: ['Bearer x', 'Basic YTpi', ''],
} // prettier-ignore

function headersOf({ form, headers }: Door): fc.Arbitrary<Record<string, string>> {
  const usual: Record<string, string> = form
    ? { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://lectern.test' }
    : {}
  return someOf(Object.keys(headerValues), 2)
    .chain((names) =>
      fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...headerValues[name]!)))),
    )
    .map((chosen) => ({ ...usual, ...Object.fromEntries(chosen), ...headers }))
}

/** Tables that record attempts, in order to limit them. */
const counted = /^(sign_in_|saml_logins|mails|search_|changes$|webhook_)/

/** Waits, so that the effects of one request are not attributed to the next one. */
const untilImported = ({ app }: FuzzWorld) =>
  until('all imports have ended', async () => {
    return !(await app.db.find(sql`select from import_runs where completed_at is null limit 1`))
  })

const untilSynced = ({ app }: FuzzWorld) =>
  until('nothing is synced', async () => {
    return !(await app.db.find(sql`select from git_operations where ended_at is null limit 1`))
  })

const untilSent = ({ app }: FuzzWorld) =>
  until('nothing is exported', async () => {
    return !(await app.db.find(sql`select from export_runs where completed_at is null limit 1`))
  })

/** Knocks on each door `count` times. Returns the statuses and the faults. */
export async function knock(world: FuzzWorld, touched: Touched, seed: number, count: number) {
  const faults: string[] = []
  const statuses = new Map<number, number>()
  for (const [i, door] of (await findDoors(world)).entries()) {
    for (const each of fc.sample(knocksOn(door), { numRuns: count, seed: seed + i })) {
      const before = await touched.mark()
      const { method, url, headers, body } = each
      const sent = await send(world.app.app, { method, url, headers, ...(body !== undefined && { raw: body }) })
      statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1)
      const fault = faultOf(sent, method)
      if (fault) faults.push(`${JSON.stringify(each).slice(0, 900)} ${fault}`)
      if (sent.status < 400) {
        if (url.includes('/imports/')) await untilImported(world)
        if (url.includes('/~/git')) await untilSynced(world)
        if (url.includes('/export')) await untilSent(world)
        if (url.includes('/specifications')) await world.app.app.openapi.settled()
        continue
      }
      if ((await touched.mark()) === before) continue
      const changed = (await touched.since(before)).filter((name) => !counted.test(name))
      if (changed.length > 0)
        faults.push(`${JSON.stringify(each).slice(0, 900)} is ${sent.status} and changes ${changed.join()}`)
    }
  }
  return { statuses, faults }
}

/** Pages report errors as HTML. Every JSON error has the single error shape. */
function faultOf(sent: Sent, method: string): string | undefined {
  // Assistants get answers in another shape.
  const isMessage = sent.text.startsWith('{"jsonrpc"')
  const isJson = String(sent.headers['content-type']).startsWith('application/json') && !isMessage
  if (sent.status >= 500 || (isJson && sent.status >= 400 && method !== 'HEAD')) return findFault(sent)
  return /\bat .*\.ts:\d|node_modules/.test(sent.text) && sent.status >= 400 ? 'tells too much' : undefined
}
