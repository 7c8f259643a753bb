// Bad input is refused with the single error shape, which names what is wrong, and changes nothing.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import Type from '../src/http/type.ts'
import { readConfig } from '../src/config.ts'
import { makeServer } from '../src/http/server.ts'
import { newId } from '../src/ids.ts'
import type { Answer } from './api-client.ts'
import { startApp } from './app.ts'
import { aPerson, anOrganization } from './factories.ts'
import { sendRaw } from './raw.ts'
import { refusing } from './refusing.ts'
import { aSite } from './sites.ts'

const app = await startApp()
const org = await anOrganization(app)
const { refuses, refusesRaw, rawRequest, sendBytes, client, here, members } = refusing(app, org)

test('a body that is not valid JSON is refused', async () => {
  const bodies: Record<string, string | Buffer> = {
    'half of it': '{"title": "Half',
    'a byte order mark': '\ufeff{"title": "Marked"}',
    'a comment': '{"title": "Two" /* no */}',
    'single quotes': "{'title': 'Two'}",
    'no number': '{"title": NaN}',
    'more than one value': '{"title": "One"}{"title": "Two"}',
    blanks: '   ',
    'no UTF-8': Buffer.from([...Buffer.from('{"title": "'), 0xc3, 0x28, ...Buffer.from('"}')]),
    'half a surrogate pair, in bytes': Buffer.from([
      ...Buffer.from('{"title": "'),
      0xed,
      0xa0,
      0x80,
      ...Buffer.from('"}'),
    ]),
    'something compressed': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
    'open brackets without end': '['.repeat(100_000),
  }
  for (const [what, body] of Object.entries(bodies)) {
    await refuses('invalid_json', undefined, () => sendBytes('PATCH', here, body), what)
  }
})

test('a body of another content type or a compressed one is refused, and application/json is accepted in any spelling', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'json',
    'application/jsonx',
    'application/merge-patch+json',
    '*/*',
    ';',
  ]) {
    await refuses(
      'unsupported_media_type',
      undefined,
      () => sendBytes('PATCH', here, '{"title":"Other"}', { 'content-type': type }),
      type,
    )
  }
  const packed = gzipSync('{"title":"Other"}')
  const unpack = { 'content-encoding': 'gzip' }
  await refuses('unsupported_media_type', undefined, () => sendBytes('PATCH', here, packed, unpack), 'gzip')
  await refusesRaw(
    'unsupported_media_type',
    rawRequest(`PATCH ${here} HTTP/1.1`, ['Content-Length: 16'], '{"title":"Bare"}'),
    'no type',
  )

  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="utf-8"']) {
    assert.equal((await sendBytes('PATCH', here, '{}', { 'content-type': type })).status, 200, type)
  }
})

test('an empty body counts as no body, whatever its content type', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', '*/*', ';']) {
    const headers = [`Content-Type: ${type}`, 'Content-Length: 0']
    assert.equal((await sendRaw(app.url, rawRequest(`POST ${here}/ping HTTP/1.1`, headers))).status, 200, type)
    assert.equal((await sendRaw(app.url, rawRequest(`PATCH ${here} HTTP/1.1`, headers))).status, 200, type)
    const removal = rawRequest(`DELETE ${members}/${newId()} HTTP/1.1`, headers.slice(0, 1))
    assert.equal((await sendRaw(app.url, removal)).status, 404, type)
    const refused = await refusesRaw(
      'invalid_request',
      rawRequest('POST /v1/user/tokens HTTP/1.1', headers),
      `a required field, ${type}`,
    )
    assert.equal(refused.body.error.details[0].path, 'body.label')
  }
  const inChunks = rawRequest(
    `POST ${here}/ping HTTP/1.1`,
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  )
  assert.equal((await sendRaw(app.url, inChunks)).status, 200)
})

test('a body that is too large is refused before it is read', async () => {
  const large = JSON.stringify({ title: 'x'.repeat(1 << 20) })
  await refuses('body_too_large', undefined, () => sendBytes('PATCH', here, large), 'with a length')
  const chunked = `PATCH ${here} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  await refusesRaw('body_too_large', `${chunked}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`, 'in chunks')
  await refusesRaw(
    'body_too_large',
    rawRequest(`PATCH ${here} HTTP/1.1`, ['Content-Type: application/json', 'Content-Length: 99999999999']),
    'announced',
  )
})

test('values of the wrong type or form are refused by name and never converted', async () => {
  const wrong: [path: string, method: string, body: unknown, fault: string][] = [
    [here, 'PATCH', { title: 5 }, 'body.title'],
    [here, 'PATCH', { title: null }, 'body.title'],
    [here, 'PATCH', { title: ['Two'] }, 'body.title'],
    [here, 'PATCH', { title: { toString: 'Two' } }, 'body.title'],
    [here, 'PATCH', { ai: 1 }, 'body.ai'],
    [here, 'PATCH', { ai: 'true' }, 'body.ai'],
    [here, 'PATCH', { ai: null }, 'body.ai'],
    [here, 'PATCH', { emailDomains: 'x.example' }, 'body.emailDomains'],
    [here, 'PATCH', { emailDomains: { 0: 'x.example', length: 1 } }, 'body.emailDomains'],
    [here, 'PATCH', { emailDomains: ['x.example', 5] }, 'body.emailDomains.1'],
    [here, 'PATCH', { defaultRole: 'owner' }, 'body.defaultRole'],
    [here, 'PATCH', { defaultRole: 'ADMIN' }, 'body.defaultRole'],
    [here, 'PATCH', { defaultRole: true }, 'body.defaultRole'],
    [here, 'PATCH', { logo: 'javascript:alert(1)' }, 'body.logo'],
    [here, 'PATCH', { hostname: 'Upper Case' }, 'body.hostname'],
    [here, 'PATCH', [], 'body'],
    [here, 'PATCH', 'null', 'body'],
    [here, 'PATCH', '"text"', 'body'],
    [here, 'PATCH', '5', 'body'],
    ['/v1/user/tokens', 'POST', {}, 'body.label'],
    ['/v1/user/tokens', 'POST', { label: 'x', scopes: [] }, 'body.scopes'],
    ['/v1/user/tokens', 'POST', { label: 'x', scopes: ['space:fly'] }, 'body.scopes.0'],
    ['/v1/user/tokens', 'POST', { label: 'x', expiresAt: 'tomorrow' }, 'body.expiresAt'],
    ['/v1/user/tokens', 'POST', { label: 'x', expiresAt: 1_900_000_000 }, 'body.expiresAt'],
    ['/v1/user/tokens', 'POST', { label: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'body.expiresAt'],
    ['/v1/user/tokens', 'POST', { label: 'x', expiresAt: '9999-12-31T23:59:59-12:00' }, 'body.expiresAt'],
    [`${here}/invites`, 'POST', { emails: [{ role: 'read' }] }, 'body.emails.0.email'],
    [`${here}/invites`, 'POST', { emails: ['a@example.com', 'nobody'] }, 'body.emails.1'],
  ]
  for (const [path, method, body, fault] of wrong) {
    await refuses('invalid_request', fault, () => client.send(method, path, body), `${path} ${JSON.stringify(body)}`)
  }
})

test('text length is counted in characters, not in code units', async () => {
  const { client } = await aPerson(app)
  const label = (text: string) => () => client.post('/v1/user/tokens', { label: text })
  const made = await label('🦉'.repeat(50))()
  assert.deepEqual([made.status, made.body.label], [201, '🦉'.repeat(50)])
  const refused = await refuses('invalid_request', 'body.label', label('🦉'.repeat(51)), '51 owls')
  assert.equal(refused.body.error.details[0].rule, 'maxLength')
  await refuses('invalid_request', 'body.label', label(''), 'nothing')
})

test('text with NUL or half a surrogate pair is refused, in values and in names', async () => {
  const wrong: [body: string, fault: string][] = [
    ['{"title": "a\\u0000b"}', 'body.title'],
    ['{"title": "a\\ud800b"}', 'body.title'],
    ['{"title": "\\udc00\\ud800"}', 'body.title'],
    ['{"emailDomains": ["x.example", "\\udfff"]}', 'body.emailDomains.1'],
    ['{"unknown": {"deep": ["\\u0000"]}}', 'body.unknown.deep.0'],
    ['{"na\\u0000me": 1}', 'body.na\ufffdme'],
    ['{"na\\ud800me": 1}', 'body.na\ufffdme'],
    [`{"${'\\ud83e\\udd89'.repeat(40)}\\u0000": 1}`, `body.${'🦉'.repeat(32)}`],
  ]
  for (const [body, fault] of wrong) {
    const refused = await refuses('invalid_request', fault, () => client.patch(here, body), body)
    assert.ok(refused.body.error.message.isWellFormed())
  }
  await refuses('invalid_request', 'query.search', () => client.get(`${members}?search=a%00b`), 'NUL in the query')
  await refuses('invalid_request', 'query.a\ufffd', () => client.get(`${members}?a%00=1`), 'NUL in a name of the query')
})

test('__proto__ is refused as a name, and constructor, toString and the like have no effect', async () => {
  for (const body of [
    '{"__proto__": {"title": "Polluted"}}',
    '{"unknown": {"__proto__": []}}',
    '{"__proto__": null}',
  ]) {
    await refuses(
      'invalid_request',
      body.includes('unknown') ? 'body.unknown.__proto__' : 'body.__proto__',
      () => client.patch(here, body),
      body,
    )
  }
  await refuses('invalid_request', 'query.__proto__', () => client.get(`${members}?__proto__=x`), 'in the query')

  const before = (await client.get(here)).body
  for (const body of [
    '{"constructor": {"prototype": {"title": "Polluted"}}}',
    '{"toString": 1, "toJSON": 2, "valueOf": 3, "then": 4}',
    '{"hasOwnProperty": false, "length": 9}',
  ]) {
    assert.equal((await client.patch(here, body)).status, 200, body)
  }
  assert.deepEqual((await client.get(here)).body, before)
  assert.equal(({} as { title?: string }).title, undefined)
})

test('a body may be nested 64 levels deep, and no deeper', async () => {
  const nested = (levels: number) => `{"unknown": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  assert.equal((await client.patch(here, nested(64))).status, 200)
  const refused = await refuses(
    'invalid_request',
    'body.unknown.0.0.0.0.0.0.0',
    () => client.patch(here, nested(65)),
    '65 levels',
  )
  assert.equal(refused.body.error.details[0].rule, 'depth')
  await refuses(
    'invalid_request',
    'body.unknown.0.0.0.0.0.0.0',
    () => client.patch(here, nested(100_000)),
    '100,000 levels',
  )
  await refuses(
    'invalid_request',
    'body.a.a.a.a.a.a.a.a',
    () => client.patch(here, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    'objects',
  )
})

test('the last of two fields with the same name counts, for validation and for the effect', async () => {
  await refuses(
    'invalid_request',
    'body.title',
    () => client.patch(here, '{"title": "Good", "title": 5}'),
    'a bad one last',
  )
  const changed = await client.patch(here, `{"title": 5, "title": "Twice ${org.canary}"}`)
  assert.deepEqual([changed.status, changed.body.title], [200, `Twice ${org.canary}`])
})

test('query parameters are converted to their declared type, or refused by name', async () => {
  for (const limit of [
    '-1',
    '1001',
    'abc',
    '1.5',
    '',
    '1e9',
    'null',
    'Infinity',
    '1&limit=2',
    '99999999999999999999',
  ]) {
    await refuses('invalid_request', 'query.limit', () => client.get(`${members}?limit=${limit}`), `limit=${limit}`)
  }
  for (const [query, fault] of [
    ['role=owner', 'query.role'],
    ['order=up', 'query.order'],
    ['sort=email', 'query.sort'],
    ['search=a&search=b', 'query.search'],
    [`search=${'x'.repeat(257)}`, 'query.search'],
    ['role=read&role=admin', 'query.role'],
  ]) {
    await refuses('invalid_request', fault, () => client.get(`${members}?${query}`), query!)
  }
  for (const query of ['limit=1000', 'limit=0', 'unknown=1&unknown=2', 'limit=%31', 'search=%zz', '&&=&==&%=']) {
    assert.equal((await client.get(`${members}?${query}`)).status, 200, query)
  }
})

test('a list in the query is a repeated parameter, and a single value is a list of one', async () => {
  const server = makeServer(readConfig({ LECTERN_LOG: 'silent' }))
  const querystring = Type.Object({
    authors: Type.Optional(Type.Array(Type.String())),
    nested: Type.Optional(Type.Boolean()),
    depth: Type.Optional(Type.Integer()),
  })
  server.get('/list', { schema: { querystring } }, async ({ query }) => ({ query }))
  after(() => server.close())
  const taken = async (query: string) => (await server.inject(`/list?${query}`)).json().query

  assert.deepEqual(await taken('authors=a&authors=b'), { authors: ['a', 'b'] })
  assert.deepEqual(await taken('authors=a'), { authors: ['a'] })
  assert.deepEqual(await taken('nested=true&depth=7'), { nested: true, depth: 7 })
  assert.deepEqual(await taken('nested=false'), { nested: false })
  for (const query of ['nested=yes', 'nested=1&nested=0', 'depth=seven', 'depth=', 'depth=1&depth=2']) {
    assert.equal((await server.inject(`/list?${query}`)).statusCode, 400, query)
  }
})

test('a refusal uses singular and plural correctly: 1 item, 2 items', async () => {
  const server = makeServer(readConfig({ LECTERN_LOG: 'silent' }))
  const body = Type.Object({
    some: Type.Optional(Type.Array(Type.String({ maxLength: 1 }), { minItems: 1, maxItems: 2 })),
    word: Type.Optional(Type.String({ minLength: 1 })),
    fields: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1 })),
  })
  server.post('/count', { schema: { body } }, async () => ({}))
  after(() => server.close())
  for (const [payload, message] of [
    [{ some: [] }, 'body.some: at least 1 item'],
    [{ some: ['a', 'b', 'c'] }, 'body.some: at most 2 items'],
    [{ some: ['ab'] }, 'body.some.0: at most 1 character'],
    [{ word: '' }, 'body.word: at least 1 character'],
    [{ fields: { a: 1, b: 2 } }, 'body.fields: at most 1 field'],
  ] as const) {
    const refused = await server.inject({ method: 'POST', url: '/count', payload })
    assert.equal(refused.json().error.message, message)
  }
})

test('a page token works only for its own list, filter and order, and not if it was altered', async () => {
  await org.member('read')
  const { next } = (await client.get(`${members}?limit=1&role=read`)).body.next
    ? (await client.get(`${members}?limit=1&role=read`)).body
    : (await client.get(`${members}?limit=1`)).body
  const token: string = next.page
  const [text, signature] = token.split('.')
  const forged = Buffer.from(JSON.stringify([['1970-01-01T00:00:00.000Z', newId()], Date.now() + 1e9])).toString(
    'base64url',
  )
  const other = await anOrganization(app)
  const wrong = [
    `${members}?page=x`,
    `${members}?page=${text}`,
    `${members}?page=${text}.`,
    `${members}?page=.${signature}`,
    `${members}?page=${forged}.${signature}`,
    `${members}?page=${signature}.${text}`,
    `${members}?page=${'x'.repeat(2000)}`,
    `${members}?page=${token}&role=admin`,
    `${members}?page=${token}&order=asc`,
    `${here}/teams?page=${token}`,
    `/v1/orgs?page=${token}`,
  ]
  for (const path of wrong) await refuses('invalid_page_token', 'query.page', () => client.get(path), path)
  await refuses(
    'invalid_page_token',
    'query.page',
    () => other.admin.client.get(`/v1/orgs/${other.id}/members?page=${token}`),
    'of another organization',
  )
  await refuses('invalid_request', 'query.page', () => client.get(`${members}?page=${'x'.repeat(2049)}`), 'too long')
  assert.equal((await client.get(`${members}?limit=1&page=${token}`)).status, 200)
})

test('for a body with several shapes, a refusal names the fault in the shape that was meant', async () => {
  const space = (await client.post(`${here}/spaces`, { title: 'Shapes' })).body.id
  const site = (await client.post(`${here}/sites`, { title: 'Shapes', spaces: [space] })).body.id
  const imports = `/v1/org/${org.id}/imports`
  const target = { space }
  const wrong: [string, object, string][] = [
    [imports, { source: { type: 'file' }, target }, 'source.files'],
    [imports, { source: { type: 'website' }, target }, 'source.url'],
    [imports, { source: { type: 'paper' }, target }, 'source.type'],
    [imports, { source: {}, target }, 'source.type'],
    [`/v1/spaces/${space}/move`, { position: { before: { type: 'collection', space } } }, 'position.before.collection'],
    [`/v1/spaces/${space}/move`, { position: { after: { type: 'site' } } }, 'position.after.type'],
    [`${here}/sites/${site}/search`, { query: 'a', scope: { mode: 'specific' } }, 'scope.siteSpaceIds'],
    [`${here}/link-invites`, { level: 'reader', space }, 'level'],
    [`${here}/link-invites`, { role: 'reader' }, 'role'],
  ]
  for (const [path, body, where] of wrong) {
    await refuses('invalid_request', `body.${where}`, () => client.post(path, body), JSON.stringify(body))
  }
})

test('for a field with several types, a refusal names the fault of the given type, or all accepted types', async () => {
  const space = (await client.post(`${here}/spaces`, { title: 'Types' })).body.id
  const said = async (answer: Promise<Answer>) => (await answer).body.error.message
  const sites = (spaces: unknown) => said(client.post(`${here}/sites`, { title: 'Types', spaces }))
  const level = (defaultLevel: unknown) => said(client.patch(`/v1/spaces/${space}`, { defaultLevel }))

  assert.equal(await sites('full'), 'body.spaces: must be one of sample, empty')
  assert.equal(await sites([5]), 'body.spaces.0: must be string')
  assert.equal(await sites(5), 'body.spaces: must be array or string')
  assert.match(await level('reader'), /^body\.defaultLevel: must be one of read, comment, edit/)
  assert.equal(await level(5), 'body.defaultLevel: must be string or null')
  assert.equal(await said(client.post(`/v1/spaces/${space}/comments`, { body: 5 })), 'body.body: must be object')
})

test('a page token is valid for a day', async (t) => {
  await org.member('read')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { next } = (await client.get(`${members}?limit=1`)).body
  t.mock.timers.tick(23 * 3_600_000)
  assert.equal((await client.get(`${members}?limit=1&page=${next.page}`)).status, 200)
  t.mock.timers.tick(3 * 3_600_000)
  await refuses(
    'invalid_page_token',
    'query.page',
    () => client.get(`${members}?limit=1&page=${next.page}`),
    '26 hours old',
  )
})

test('a value of the wrong form is refused with an example or a description instead of a regular expression', async () => {
  const asked = (path: string, value: string) => client.patch(here, { [path]: value })
  const said = async (path: string, value: string) => (await asked(path, value)).body.error.message
  assert.equal(await said('hostname', 'Not a host'), 'body.hostname: must be like acme-docs')
  assert.equal(await said('title', ' Acme '), 'body.title: Without leading or trailing spaces.')
  const { body } = await client.post(`${here}/spaces`, { title: '   ' })
  assert.equal(body.error.message, 'body.title: must not be blank')

  const silent: string[] = []
  const look = (schema: unknown, where: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { pattern, examples, description } = schema as Record<string, unknown>
    if (typeof pattern === 'string' && pattern !== '\\S' && !examples && !description) silent.push(where)
    for (const each of Object.values(schema)) look(each, where)
  }
  for (const { schema } of app.app.operations) {
    for (const part of [schema.body, schema.querystring, schema.params]) look(part, schema.operationId!)
  }
  assert.deepEqual(silent, [])
})

test('names of people, teams, organizations, spaces, sites and the like must be one line without control characters', async () => {
  const site = await aSite(app)
  const [org, own] = [`/v1/orgs/${site.org.id}`, site.who]
  const { body: user } = await own.get('/v1/user')
  const names: [ask: (name: string) => Promise<Answer>, field: string][] = [
    [(displayName) => own.patch(`/v1/users/${user.id}`, { displayName }), 'displayName'],
    [
      (displayName) => app.client().post(`/v1/invites/${newId()}/accept`, { displayName, email: 'a@b.c' }),
      'displayName',
    ],
    [(title) => own.post('/v1/orgs', { title }), 'title'],
    [(title) => own.patch(org, { title }), 'title'],
    [(title) => own.put(`${org}/teams`, { title }), 'title'],
    [(title) => own.post(`${org}/collections`, { title }), 'title'],
    [(title) => own.post(`${org}/spaces`, { title }), 'title'],
    [(title) => own.patch(site.space.path, { title }), 'title'],
    [(title) => own.post(`${org}/sites`, { title }), 'title'],
    [(title) => own.patch(site.path, { title }), 'title'],
    [(title) => own.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { title }), 'title'],
    [(title) => own.post(`${site.path}/section-groups`, { title }), 'title'],
    [(label) => own.post(`${org}/saml`, { label }), 'label'],
  ]
  for (const [ask, field] of names) {
    for (const name of ['Jo\r\nBcc: x', 'Jo\tx', 'Jo\u2028x', 'Jo\u0085x', 'Jo\u0007x']) {
      const { body, text } = await ask(name)
      assert.equal(body.error?.message, `body.${field}: must be one line, without control characters`, text)
    }
    const { status, text } = await ask('Zoë 🌍 \u05d0\u200f')
    assert.ok(status < 500 && status !== 400, text)
  }
})
