// A site as assistants use it: with the client by the authors of the protocol, and with programs that do not follow the
// rules.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { type TestSite, aSite, expect, inSeconds, signToken } from '../../../test/visitor.ts'
import { until } from '../../../test/until.ts'

const app = await startApp()

const page = (markdown: string, metadata: object = {}) => ({
  operation: 'insert_page',
  document: { markdown },
  metadata,
})

async function aManual(options: { visibility?: string } = {}) {
  const site = await aSite(app, {
    ...options,
    pages: [
      newPage('Welcome'),
      page('# Teapots\n\nHow to **warm** a teapot, see [cups](cups.md).\n\n## Descaling\n\nVinegar does it.\n'),
      page('# Cups\n\nA cup of vinegar.\n'),
      page('# Attic\n\nOld vinegar.\n', { noIndex: true }),
      page('# Vault\n\nBest vinegar.\n', { condition: 'visitor.claims.isRich == true' }),
    ],
  })
  await site.who.put(`${site.path}/adaptive-schema`, {
    jsonSchema: { type: 'object', properties: { isRich: { type: 'boolean' } }, additionalProperties: false },
  })
  await site.change({ adaptiveContent: { enabled: true } })
  await until('it is found', async () => /Cups/.test((await site.browser().get(`${site.address}~/search?q=cup`)).text))
  return site
}

type Options = ConstructorParameters<typeof Client>[1] & { headers?: Record<string, string> }

async function connect(site: TestSite, path = '~/mcp', { headers = {}, ...options }: Options = {}) {
  const client = new Client({ name: 'tests', version: '1' }, options)
  after(() => client.close())
  const transport = new StreamableHTTPClientTransport(new URL(app.url + site.address + path), {
    requestInit: { headers },
  })
  await client.connect(transport)
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    const [first] = content as { type: string; text: string }[]
    return { text: first!.text, isError }
  }
  return { client, call }
}

for (const mode of ['legacy', 'auto'] as const) {
  test(`an assistant with a client as of ${mode === 'auto' ? 2026 : 2024} searches a site and reads its pages`, async () => {
    const site = await aManual()
    const { client, call } = await connect(site, '~/mcp', { versionNegotiation: { mode } })
    assert.equal(client.getProtocolEra(), mode === 'auto' ? 'modern' : 'legacy')
    assert.match(client.getInstructions()!, /The documentation "Site /)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['searchDocumentation', 'getPage'],
    )

    const found = await call('searchDocumentation', { query: 'vinegar' })
    assert.match(found.text, /^2 pages found\.$/m)
    const address = `http://lectern.test${site.address}`
    assert.ok(found.text.includes(`## Cups\n${address}cups\n`), found.text)
    assert.ok(found.text.includes(`### Descaling\n${address}teapots#descaling\n\nVinegar does it.`), found.text)
    assert.doesNotMatch(found.text, /Vault|Attic|Best|Old/)

    const read = await call('getPage', { url: `${address}teapots#descaling` })
    assert.equal(
      read.text,
      `# Teapots\n\nHow to **warm** a teapot, see [cups](${address}cups.md).\n\n## Descaling\n\nVinegar does it.\n`,
    )
    for (const url of [`${address}cups.md`, `${site.address}cups`, '/cups', 'cups', 'cups/', 'cups?x=1'])
      assert.match((await call('getPage', { url })).text, /^# Cups/, url)
    for (const url of [address, address.slice(0, -1), '/', 'index.md'])
      assert.match((await call('getPage', { url })).text, /^# Welcome/, url)
  })
}

test('an assistant cannot read pages that its reader cannot, and former addresses of pages still work', async () => {
  const site = await aManual()
  const { call } = await connect(site, '~gitbook/mcp')
  const others = ['vault', 'no-such-page', 'https://example.com/cups', '//example.com/cups', '../../../v1/user', '%00']
  for (const url of [...others, `http://lectern.test/sites/else/where/cups`]) {
    const { text, isError } = await call('getPage', { url })
    assert.deepEqual([text, isError], ['There is no such page. Find it with searchDocumentation.', true], url)
  }
  const [cups] = (await site.who.get(`${site.space.path}/content/pages`)).body.pages.filter(
    ({ title }: { title: string }) => title === 'Cups',
  )
  const renamed = { operation: 'update_page', page: cups.id, metadata: { slug: 'mugs' } }
  assert.equal((await site.space.edit(renamed)).status, 200)
  assert.match((await call('getPage', { url: 'cups' })).text, /^# Cups/)
})

test('an assistant is told about variants that it did not search, and can search each by its URL', async () => {
  const site = await aManual()
  const [german, hidden] = [await aLiveSpace(app, site.org), await aLiveSpace(app, site.org)]
  for (const [space, word] of [
    [german, 'Essig'],
    [hidden, 'Geheim'],
  ] as const)
    expect(await space.edit(page(`# ${word}\n\nOld vinegar and ${word}.\n`)), 200)
  const add = async (spaceId: string, body: object) => {
    const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId }), 201)
    expect(await site.who.patch(`${site.path}/site-spaces/${id}`, body), 200)
  }
  await add(german.id, { title: 'Deutsch', path: 'de' })
  await add(hidden.id, { title: 'Hidden', path: 'hidden', condition: 'visitor.claims.isRich == true' })
  const { call } = await connect(site)
  const address = `http://lectern.test${site.address}`
  const first = await call('searchDocumentation', { query: 'vinegar' })
  assert.match(first.text, /^2 pages found\.$/m)
  assert.ok(first.text.endsWith(`pass its URL as \`url\`:\n- Deutsch: ${address}de`), first.text)
  const nowhere = await call('searchDocumentation', { query: 'Essig' })
  assert.match(nowhere.text, /^Nothing found[^]*- Deutsch: /)
  for (const url of [`${address}de`, `${address}de/essig`, '/de/', 'de']) {
    const found = await call('searchDocumentation', { query: 'Essig', url })
    assert.ok(found.text.includes(`## Essig\n${address}de/`), found.text)
    assert.doesNotMatch(found.text, /- Deutsch: |Hidden|Geheim/)
  }
  for (const url of ['hidden', 'no-such', 'https://example.com/de', 7])
    assert.equal((await call('searchDocumentation', { query: 'Essig', url })).isError, true)
})

test('an assistant needs the key of the share link or the token of the visitor, as a reader does', async () => {
  const shared = await aManual()
  await shared.change({ visibility: 'share-link' })
  const link = expect(await shared.who.post(`${shared.path}/share-links`, { name: 'Ann' }), 201)
  const key = new URL(link.urls.published).pathname.split('/').at(-2)!
  assert.equal((await post(shared, '~/mcp', ping)).status, 404)
  assert.equal((await post(shared, `${'x'.repeat(key.length)}/~/mcp`, ping)).status, 404)
  const invited = await connect(shared, `${key}/~/mcp`)
  // Also with the address that their reader used.
  for (const url of ['cups', `${link.urls.published}cups`, `${key}/cups.md`])
    assert.match((await invited.call('getPage', { url })).text, /^# Cups/, url)

  const closed = await aManual()
  await closed.change({ visibility: 'visitor-auth' })
  const { privateKey } = expect(await closed.who.get(`${closed.path}/publishing/auth`), 200)
  const refused = await post(closed, '~/mcp', ping)
  assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'])
  const token = signToken(privateKey, { exp: inSeconds(60), isRich: true })
  const { call } = await connect(closed, '~/mcp', { headers: { authorization: `Bearer ${token}` } })
  assert.match((await call('getPage', { url: 'vault' })).text, /^# Vault/)
  assert.match((await call('searchDocumentation', { query: 'vinegar' })).text, /^3 pages found\.$/m)
  assert.match((await post(closed, `~/mcp?jwt_token=${token}`, ping)).text, /"result"/)
})

test('a page too long for one answer is read by an assistant part by part to its end', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `Line ${at} of it`)
  const site = await aSite(app, { pages: [page(`# Long\n\n${lines.join('\n')}\n`), newPage('Short')] })
  const { call } = await connect(site)
  const first = await call('getPage', { url: '/' })
  const [, last] = /\n\nThe page is longer: ask for part 2 of (\d+)\.\n$/.exec(first.text) ?? assert.fail(first.text)
  const texts = [first.text]
  for (let part = 2; part <= Number(last); part++) texts.push((await call('getPage', { url: '/', part })).text)
  const whole = texts.map((text) => text.replace(/\n\nThe page is longer: .*\n$/, '')).join('\n')
  assert.equal(whole, `# Long\n\n${lines.join('\n')}\n`)
  for (const [input, reason] of [
    [{ url: '/', part: Number(last) + 1 }, `The page has ${last} parts.`],
    [{ url: '/short', part: 2 }, 'The page has one part.'],
    [{ url: '/', part: 0 }, '`part` must be a whole number, starting at 1.'],
  ] as const)
    assert.deepEqual(await call('getPage', input), { text: reason, isError: true })
})

test('the assistant endpoint of a site works on the host of the organization', async () => {
  const hosted = await startApp({ LECTERN_SITES_HOST: 'sites.test' })
  const site = await aSite(hosted)
  const asked = await site.browser().get(`/${site.address.split('/').at(-2)}/~/mcp`, {
    host: `${site.org.row.hostname}.sites.test`,
    method: 'POST',
  })
  assert.equal(asked.status, 415, asked.text)
  assert.match(asked.text, /Send JSON/)
})

test('a site that excludes agents or is unpublished gives assistants 404', async () => {
  const site = await aManual()
  await site.change({ agentsContext: 'excluded' })
  assert.equal((await post(site, '~/mcp', ping)).status, 404)
  await site.change({ agentsContext: 'included' })
  assert.equal((await post(site, '~/mcp', ping)).status, 200)
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  assert.equal((await post(site, '~/mcp', ping)).status, 404)
})

test('an invalid assistant message is refused with a reason, and a site accepts POST only at its assistant endpoint', async () => {
  const site = await aManual()
  const send = (body: unknown, headers: Record<string, string> = {}) => post(site, '~/mcp', body, headers)
  const code = async (answer: Promise<{ text: string }>) => JSON.parse((await answer).text).error.code
  // Clients from before 2026 expect an empty result if there is nothing to say.
  for (const version of [undefined, '2024-11-05', '2025-11-25']) {
    const answer = await send(ping, version === undefined ? {} : { 'mcp-protocol-version': version })
    assert.equal(answer.text, '{"jsonrpc":"2.0","id":1,"result":{}}')
  }
  const answer = await send(ping, { 'mcp-protocol-version': '2026-07-28' })
  assert.equal(answer.text, '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}')
  assert.equal((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)

  const wrong: [number, unknown, Record<string, string>?][] = [
    [400, '{'],
    [400, ''],
    [400, [ping]],
    [400, 'null'],
    [400, { ...ping, jsonrpc: '1.0' }],
    [400, { ...ping, id: {} }],
    [400, { ...ping, params: [] }],
    [400, ping, { 'mcp-protocol-version': '1999-01-01' }],
    [400, ping, { 'mcp-method': 'tools/list' }],
    [403, ping, { origin: 'https://evil.example' }],
    [403, ping, { origin: 'null' }],
    [413, { ...ping, params: { x: 'x'.repeat(300_000) } }],
    [415, ping, { 'content-type': 'text/plain' }],
  ]
  for (const [status, body, headers] of wrong) {
    const answer = await send(body, headers)
    assert.equal(answer.status, status, JSON.stringify([body, headers]).slice(0, 200))
    assert.ok(JSON.parse(answer.text).error.message, answer.text)
  }
  assert.equal(await code(send({ ...ping, method: 'resources/list' })), -32_601)
  const call = (name: unknown, input: unknown) =>
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: input } })
  for (const [name, input] of [
    ['rm', {}],
    [1, {}],
    ['getPage', 'cups'],
    ['constructor', {}],
  ] as const)
    assert.equal(await code(call(name, input)), -32_602)
  assert.match((await call('getPage', 'cups')).text, /`arguments` must be an object/)
  for (const input of [null, {}, { query: '' }, { query: 1 }, { query: 'x', page: 0 }, { query: 'x', page: '1' }])
    assert.equal(JSON.parse((await call('searchDocumentation', input)).text).result.isError, true)
  assert.equal(JSON.parse((await call('getPage', { url: [] })).text).result.isError, true)

  const followed = await site.browser().get(`${site.address}~/mcp`)
  assert.deepEqual([followed.status, followed.headers['allow']], [405, 'POST'])
  assert.match(followed.text, /for AI assistants/)
  const put = await site.browser().get(`${site.address}~/mcp`, { method: 'PUT' })
  assert.deepEqual([put.status, put.headers['allow']], [405, 'POST'])
  for (const path of ['', 'cups', '~/search.json', 'cups/~/mcp', '~/mcp/x', '~/assets/~/mcp'])
    assert.equal((await post(site, path, ping)).status, 405, path)
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

async function post(site: TestSite, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(app.url + site.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('an assistant message that is too large gets 413 and closes the connection', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const headers = { 'content-type': 'application/json' }
  const body = 'x'.repeat(300 * 1024)
  const { status, headers: answered } = await fetch(`${app.url}${site.address}~/mcp`, { method: 'POST', headers, body })
  assert.deepEqual([status, answered.get('connection')], [413, 'close'])
})
