// Conventions of every answer: etags, preconditions, compression, request ids, and locations of new things.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startApp } from './app.ts'
import { type TestOrganization, aPerson, anOrganization } from './factories.ts'
import { stateOf } from './state.ts'

const app = await startApp()

/** Sends a request without `fetch`, which decompresses and hides what was transferred. */
async function ask(path: string, token: string | undefined, headers: Record<string, string> = {}, method = 'GET') {
  const sent = httpRequest(app.url + path, { method, headers: { ...headers, authorization: `Bearer ${token}` } }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode!, headers: answer.headers, body: await buffer(answer) }
}

const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!

async function anOrganizationWithAList(): Promise<{ org: TestOrganization; token: string | undefined; list: string }> {
  const org = await anOrganization(app)
  for (let i = 0; i < 4; i++) await org.member('read')
  return { org, token: org.admin.client.token, list: `/v1/orgs/${org.id}/members` }
}

test('the same bytes have the same strong ETag for every reader, from a read and from the write that made them', async () => {
  const org = await anOrganization(app)
  const [one, two] = [await org.member('read'), await org.member('edit')]
  const path = `/v1/users/${org.admin.id}`
  const tags = await Promise.all([one, two, org.admin].map(async ({ client }) => tagOf(await client.get(path))))
  assert.match(tags[0]!, /^"[\w-]+"$/)
  assert.equal(new Set(tags).size, 1)

  const changed = await org.admin.client.patch(path, { displayName: 'Renamed' })
  assert.notEqual(tagOf(changed), tags[0])
  assert.equal(tagOf(await one.client.get(path)), tagOf(changed))
  assert.equal(tagOf(await one.client.get('/v1/unknown')), null, 'an error has none')
})

test('a read with a matching If-None-Match gets 304 without a body', async () => {
  const { org, token, list } = await anOrganizationWithAList()
  for (const path of [`/v1/orgs/${org.id}`, list]) {
    const { headers } = await ask(path, token)
    const tag = headers.etag!
    const matching = [
      tag,
      `W/${tag}`,
      '*',
      `"other", ${tag}`,
      `"other",${tag.replace(/"$/, '-gzip"')}`,
      tag.replace(/"$/, '-br"'),
    ]
    for (const asked of matching) {
      const known = await ask(path, token, { 'if-none-match': asked })
      assert.deepEqual([known.status, known.body.length], [304, 0], asked)
      assert.deepEqual([known.headers.etag, known.headers.vary], [tag, headers.vary])
      assert.deepEqual([known.headers['content-length'], known.headers['content-type']], [undefined, undefined])
      assert.ok(known.headers['x-request-id'])
    }
    for (const asked of ['"other"', tag.slice(1, -1), `${tag}x`, '']) {
      assert.equal((await ask(path, token, { 'if-none-match': asked })).status, 200, asked)
    }
    const head = await ask(path, token, { 'if-none-match': tag }, 'HEAD')
    assert.deepEqual([head.status, head.headers.etag], [304, tag])
  }
})

test('only reads that would succeed get 304', async () => {
  const { org } = await anOrganizationWithAList()
  const { client } = org.admin
  const any = { 'if-none-match': '*' }
  assert.equal((await client.patch(`/v1/orgs/${org.id}`, { ai: true }, any)).status, 200)
  assert.equal((await client.post(`/v1/orgs/${org.id}/ping`, undefined, any)).status, 200)
  assert.equal((await client.get('/v1/orgs/nothing', any)).status, 404)
  assert.equal((await app.client().get(`/v1/orgs/${org.id}`, any)).status, 401)
})

test('a write with an outdated or wrong If-Match is refused with 412 and changes nothing', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  const { client } = org.admin
  const old = tagOf(await client.get(path))
  const change = (title: string, tag: string) =>
    client.patch(path, { title: `${title} ${org.canary}` }, { 'if-match': tag })
  const current = tagOf(await change('First', old))

  const before = await stateOf(app.db)
  for (const tag of [
    old,
    `W/${current}`,
    '"other"',
    current.slice(1, -1),
    '',
    `${current}x`,
    `W/${current}, "other"`,
  ]) {
    const refused = await change('Second', tag)
    assert.deepEqual([refused.status, refused.body.error.type], [412, 'precondition_failed'], tag)
  }
  assert.equal(await stateOf(app.db), before)

  const then = tagOf(await change('Third', `"other", ${current}`))
  const next = tagOf(await change('Fourth', then.replace(/"$/, '-gzip"')))
  assert.equal((await change('Fifth', next.replace(/"$/, '-br"'))).status, 200)
  assert.equal((await change('Sixth', '*')).status, 200)
})

test('the ETag of a compressed answer is valid in the If-Match of a write', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  await org.admin.client.patch(path, { logo: `https://example.com/${'long/'.repeat(300)}` })
  for (const encoding of ['gzip', 'br']) {
    const { headers } = await ask(path, org.admin.client.token, { 'accept-encoding': encoding })
    assert.ok(headers.etag!.endsWith(`-${encoding}"`))
    assert.equal(
      (await org.admin.client.patch(path, { ai: encoding === 'br' }, { 'if-match': headers.etag! })).status,
      200,
    )
  }
})

test('of several writes at once with the same If-Match, exactly one succeeds', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  const { client } = org.admin
  const tag = tagOf(await client.get(path))
  const titles = ['One', 'Two', 'Three', 'Four'].map((word) => `${word} ${org.canary}`)
  const answers = await Promise.all(titles.map((title) => client.patch(path, { title }, { 'if-match': tag })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412])
  const won = answers.find(({ status }) => status === 200)!
  assert.equal((await client.get(path)).body.title, won.body.title)
})

test('a delete with If-Match succeeds only with the current ETag', async () => {
  const { client } = await aPerson(app)
  const { body } = await client.post('/v1/user/tokens', { label: 'Mine' })
  const path = `/v1/user/tokens/${body.id}`
  assert.equal((await client.delete(path, { 'if-match': '"other"' })).status, 412)
  assert.equal((await client.delete(path, { 'if-match': tagOf(await client.get(path)) })).status, 204)
})

test('a long answer is compressed as the client prefers, and its content is the same', async () => {
  const { token, list } = await anOrganizationWithAList()
  const plain = await ask(list, token)
  assert.ok(plain.body.length > 1024)
  const wishes: Record<string, 'br' | 'gzip' | undefined> = {
    gzip: 'gzip',
    br: 'br',
    'gzip, deflate, br': 'br',
    'gzip, br;q=0.5': 'gzip',
    'br;q=0.5, gzip;q=0.5': 'br',
    GZIP: 'gzip',
    'br;q=0': undefined,
    'gzip;q=0, br;q=0': undefined,
    'br;q=0, gzip': 'gzip',
    'br; q=0.000 , gzip;q=0.001': 'gzip',
    '*': 'br',
    '*;q=0': undefined,
    '*;q=0, gzip': 'gzip',
    'br;q=0, *': 'gzip',
    identity: undefined,
    deflate: undefined,
    'zstd, compress': undefined,
    '': undefined,
  }
  for (const [wish, encoding] of Object.entries(wishes)) {
    const { status, headers, body } = await ask(list, token, { 'accept-encoding': wish })
    assert.deepEqual([status, headers['content-encoding'], headers.vary], [200, encoding, 'accept-encoding'], wish)
    assert.equal(Number(headers['content-length']), body.length, wish)
    const decoded = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    assert.ok(decoded.equals(plain.body), wish)
    assert.equal(headers.etag, plain.headers.etag!.replace(/"$/, encoding ? `-${encoding}"` : '"'))
    const again = await ask(list, token, { 'accept-encoding': wish, 'if-none-match': headers.etag })
    assert.deepEqual(
      [again.status, again.headers.etag, again.headers['content-encoding']],
      [304, headers.etag, undefined],
      wish,
    )
  }
})

test('a short answer is not compressed', async () => {
  const { client } = await aPerson(app)
  const { headers } = await ask('/v1/user', client.token, { 'accept-encoding': 'gzip, br' })
  assert.equal(headers['content-encoding'], undefined)
})

test('every answer has its own request id, and none is taken from the caller', async () => {
  const { client } = await aPerson(app)
  const given = { 'x-request-id': 'mine', 'request-id': 'mine', 'x-correlation-id': 'mine' }
  const answers = await Promise.all(
    ['/v1/user', '/v1/user', '/v1/unknown', '/unknown', '/v1/orgs/%zz', '/healthz', '/'].map((path) =>
      client.get(path, given),
    ),
  )
  const ids = answers.map(({ headers }) => headers.get('x-request-id')!)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('answers without a body are empty: 204 has no length, 205 a length of zero', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const invite = (await client.post(`/v1/orgs/${org.id}/link-invites`, { role: 'read' })).body
  const reader = await org.member('read')
  const gone = await ask(`/v1/orgs/${org.id}/members/${reader.id}`, client.token, {}, 'DELETE')
  assert.deepEqual(
    [gone.status, gone.body.length, gone.headers['content-length'], gone.headers['content-type']],
    [204, 0, undefined, undefined],
  )
  const reset = await ask(`/v1/orgs/${org.id}/link-invites/${invite.id}`, client.token, {}, 'DELETE')
  assert.deepEqual(
    [reset.status, reset.body.length, reset.headers['content-length'], reset.headers['content-type']],
    [205, 0, '0', undefined],
  )
})

test('an answer that creates something has a Location, and other answers have none', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const here = `/v1/orgs/${org.id}`
  const space = (await client.post(`${here}/spaces`, { title: 'Guide' })).body
  const key = { 'idempotency-key': 'once' }
  const made: [path: string, body: object][] = [
    [`${here}/spaces`, { title: 'Other' }],
    [`/v1/spaces/${space.id}/duplicate`, {}],
    [`/v1/spaces/${space.id}/change-requests`, { subject: 'Edit' }],
    [`${here}/collections`, { title: 'Shelf' }],
    [`${here}/sites`, { title: 'Docs' }],
  ]
  for (const [path, body] of made) {
    for (const answer of [await client.post(path, body, key), await client.post(path, body, key)]) {
      assert.equal(answer.status, 201, answer.text)
      const location = answer.headers.get('location')!
      assert.equal(location, answer.body.urls.location, path)
      assert.equal((await client.get(location.replace('http://lectern.test', ''))).body.id, answer.body.id, path)
    }
  }
  // Things below something else contain no address of their own in the answer.
  const site = (await client.post(`${here}/sites`, { title: 'Parts', spaces: [space.id] })).body
  const parts: [path: string, body: object][] = [
    [
      `${here}/sites/${site.id}/redirects`,
      { source: '/old', destination: { kind: 'external', url: 'https://example.com/' } },
    ],
    [`${here}/sites/${site.id}/share-links`, { name: 'For you' }],
    [`${here}/sites/${site.id}/sections`, { spaceId: (await client.post(`${here}/spaces`, {})).body.id }],
  ]
  for (const [path, body] of parts) {
    const answer = await client.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.headers.get('location'), `http://lectern.test${path}/${answer.body.id}`)
    assert.equal((await client.delete(`${path}/${answer.body.id}`)).status, 205, path)
  }
  const group = await client.post(`${here}/sites/${site.id}/section-groups`, { title: 'More' })
  const { body: section } = await client.post(`${here}/sites/${site.id}/sections`, { spaceId: space.id })
  const inGroup = `${here}/sites/${site.id}/section-groups/${group.body.id}/sections`
  const added = await client.post(inGroup, { sectionId: section.id })
  assert.equal(added.headers.get('location'), `http://lectern.test${inGroup}/${section.id}`)
  assert.equal((await client.delete(`${inGroup}/${section.id}`)).status, 205)
  const team = await client.put(`${here}/teams`, { title: 'Writers' })
  assert.equal(team.headers.get('location'), `http://lectern.test${here}/teams/${team.body.id}`)
  const [first] = (await client.get(`${here}/sites/${site.id}/site-spaces`)).body.items
  const copy = await client.post(`${here}/sites/${site.id}/site-spaces/${first.id}/duplicate`)
  assert.equal(copy.headers.get('location'), `http://lectern.test${here}/sites/${site.id}/site-spaces/${copy.body.id}`)
  const others = [
    await client.get(`/v1/spaces/${space.id}`),
    await client.patch(`/v1/spaces/${space.id}`, { title: 'X' }),
  ]
  for (const { status, headers } of others) assert.deepEqual([status, headers.get('location')], [200, null])
})
