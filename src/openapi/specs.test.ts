import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { anOrganizationWithSpec, putSpec, untilRead } from './testing/specs.ts'
import { petstore } from './testing/petstore.ts'

const app = await startApp()

test('a specification that is submitted as text is read, and its content is available as one file', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const base = `/v1/orgs/${org.id}/openapi`
  const made = await client.post(base, { slug: 'pet-shop', source: { text: JSON.stringify(petstore) } })
  assert.deepEqual([made.status, made.body.processingState, made.body.lastVersion], [201, 'pending', undefined])
  assert.deepEqual(made.body.permissions, { view: true, edit: true })

  const spec = await untilRead(client, `${base}/pet-shop`)
  assert.equal(spec.lastProcessErrorCode, undefined)
  assert.ok(spec.lastProcessedAt)
  const { body: latest } = await client.get(`${base}/pet-shop/versions/latest`)
  assert.deepEqual((await client.get(`${base}/pet-shop/versions/${spec.lastVersion}`)).body, latest)
  assert.deepEqual((await client.get(`${base}/pet-shop/versions`)).body, { count: 1, items: [latest] })

  const { body: content } = await client.get(`${base}/pet-shop/versions/latest/content`)
  const { specification, ...file } = content.filesystem['openapi.json']
  assert.deepEqual(file, { filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [] })
  assert.deepEqual(specification.paths['/pets'].get, JSON.parse(JSON.stringify(petstore.paths['/pets'].get)))
  assert.deepEqual((await client.get(`${base}/pet-shop/versions/${spec.lastVersion}/content`)).body, content)
  const { body: raw } = await client.get(`${base}/pet-shop/versions/latest/content/raw`)
  assert.deepEqual(raw, { text: JSON.stringify(petstore), format: 'json' })

  const { body: list } = await client.get(base)
  assert.deepEqual([list.count, list.items], [1, [spec]])
})

test('the signed address of a version needs no token, and gives 404 if altered or if the specification is deleted', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  const { body: version } = await org.admin.client.get(`${path}/versions/latest`)
  const anyone = app.client(undefined, [org.canary])
  const local = (url: string) => url.replace('http://lectern.test', '')
  const download = await anyone.get(local(version.url))
  assert.equal(download.status, 200)
  assert.equal(download.body.info.title, 'Pet shop')
  assert.match(download.headers.get('content-disposition') ?? '', /^attachment/)

  const other = await anOrganizationWithSpec(app, { ...petstore, info: { title: 'Another', version: '1' } })
  for (const url of [
    version.url.replace(spec.lastVersion, other.spec.lastVersion),
    version.url.replace(org.id, other.org.id),
    version.url.replace(/expires=(\d+)/, (_: string, at: string) => `expires=${Number(at) + 3600}`),
    version.url.replace(/signature=.*/, 'signature=x'),
    version.url.replace(/\?.*/, ''),
  ]) {
    assert.equal((await anyone.get(local(url))).status, 404, url)
  }
  await org.admin.client.delete(path)
  assert.equal((await anyone.get(local(version.url))).status, 404)
})

test('only a public specification can be downloaded without a token, from a permanent address', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  const { client } = org.admin
  assert.deepEqual([spec.visibility, spec.urls.published], ['private', undefined])
  const anyone = app.client(undefined, [org.canary])
  const address = `/openapi/${spec.id}/openapi.json`
  assert.equal((await anyone.get(address)).status, 404)

  const { body: opened } = await client.patch(path, { visibility: 'public' })
  assert.equal(opened.urls.published, `http://lectern.test${address}`)
  const before = await stateOf(app.db)
  assert.deepEqual((await client.patch(path, { visibility: 'public' })).body, opened)
  assert.deepEqual(await stateOf(app.db), before)
  assert.equal((await anyone.get(address)).body.info.title, 'Pet shop')
  await client.patch(path, { visibility: 'private' })
  assert.equal((await anyone.get(address)).status, 404)
  assert.equal((await client.patch(path, { visibility: 'secret' })).status, 400)
})

test('a version is added only if the content changed, and the newest is listed first', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  const { client } = org.admin
  const again = await putSpec(client, org.id, 'shop', { text: JSON.stringify(petstore, null, 2) })
  assert.equal(again.lastVersion, spec.lastVersion)
  assert.equal(again.updatedAt > spec.updatedAt, true)

  const changed = { ...petstore, info: { ...petstore.info, version: '2.0.0' } }
  const newer = await putSpec(client, org.id, 'shop', { text: JSON.stringify(changed) })
  assert.notEqual(newer.lastVersion, spec.lastVersion)
  const { body: list } = await client.get(`${path}/versions?limit=1`)
  assert.deepEqual([list.count, list.items[0].id], [2, newer.lastVersion])
  const { body: rest } = await client.get(`${path}/versions?limit=1&page=${list.next.page}`)
  assert.deepEqual(
    rest.items.map(({ id }: { id: string }) => id),
    [spec.lastVersion],
  )
  const { body: old } = await client.get(`${path}/versions/${spec.lastVersion}/content`)
  assert.equal(old.filesystem['openapi.json'].specification.info.version, '1.2.0')
})

test('readers see specifications, creators change them, and guests and strangers find none', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  const base = `/v1/orgs/${org.id}/openapi`
  const [reader, creator, guest] = [await org.member('read'), await org.member('create'), await org.member(null)]
  const stranger = await aStranger(app)
  const source = { text: JSON.stringify(petstore) }
  const reads = [base, path, `${path}/versions`, `${path}/versions/latest`, `${path}/versions/latest/content`]

  for (const read of reads) {
    assert.equal((await reader.client.get(read)).status, 200, read)
    assert.equal((await stranger.client.get(read)).status, 404, read)
    if (read !== base) assert.equal((await guest.client.get(read)).status, 404, read)
  }
  assert.deepEqual((await guest.client.get(base)).body, { count: 0, items: [] })
  assert.deepEqual((await reader.client.get(path)).body.permissions, { view: true, edit: false })

  const statuses = async (who: typeof reader) => [
    (await who.client.post(base, { slug: 'other', source })).status,
    (await who.client.put(path, { source })).status,
    (await who.client.patch(path, { visibility: 'public' })).status,
    (await who.client.delete(path)).status,
  ]
  assert.deepEqual(await statuses(reader), [403, 403, 403, 403])
  assert.deepEqual(await statuses(guest), [403, 403, 404, 404])
  assert.deepEqual(await statuses(stranger), [404, 404, 404, 404])
  assert.equal((await untilRead(reader.client, path)).updatedAt, spec.updatedAt)
  assert.deepEqual(await statuses(creator), [201, 200, 200, 205])
  assert.equal((await creator.client.get(path)).status, 404)
})

test('a version of one specification is not found below another', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  await putSpec(org.admin.client, org.id, 'other', { text: JSON.stringify(petstore) })
  const other = `/v1/orgs/${org.id}/openapi/other/versions/${spec.lastVersion}`
  assert.equal((await org.admin.client.get(other)).status, 404)
  assert.equal((await org.admin.client.get(`${path}/versions/no-id`)).status, 404)
  const foreign = await anOrganizationWithSpec(app, petstore)
  assert.equal((await foreign.org.admin.client.get(`${foreign.path}/versions/${spec.lastVersion}`)).status, 404)
})

test('a second specification with a slug gets 409, and PUT creates or changes the one with its slug', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  const { client } = org.admin
  const source = { text: JSON.stringify(petstore) }
  const again = await client.post(`/v1/orgs/${org.id}/openapi`, { slug: 'shop', source })
  assert.deepEqual([again.status, again.body.error.type], [409, 'taken'])
  assert.equal(again.body.error.details[0].path, 'body.slug')
  const put = await client.put(path, { source })
  assert.deepEqual([put.status, put.body.id], [200, spec.id])

  const both = await Promise.all([1, 2].map(() => client.put(`/v1/orgs/${org.id}/openapi/twice`, { source })))
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await client.get(`/v1/orgs/${org.id}/openapi`)).body.count, 2)
})

test('bad input names the field and changes nothing', async () => {
  const { org, path } = await anOrganizationWithSpec(app, petstore)
  const { client } = org.admin
  const base = `/v1/orgs/${org.id}/openapi`
  const text = 'openapi: 3.1.0'
  const cases: [object, string][] = [
    [{ source: { text } }, 'body.slug'],
    [{ slug: 'Pets', source: { text } }, 'body.slug'],
    [{ slug: 'a--b', source: { text } }, 'body.slug'],
    [{ slug: 'x'.repeat(101), source: { text } }, 'body.slug'],
    [{ slug: 'pets' }, 'body.source'],
    [{ slug: 'pets', source: {} }, 'body.source'],
    [{ slug: 'pets', source: { text, url: 'https://example.com/' } }, 'body.source'],
    [{ slug: 'pets', source: { text: '' } }, 'body.source.text'],
    [{ slug: 'pets', source: { text: 7 } }, 'body.source.text'],
    [{ slug: 'pets', source: { url: 'ftp://example.com/' } }, 'body.source.url'],
    [{ slug: 'pets', source: { url: 'https://me:secret@example.com/' } }, 'body.source.url'],
    [{ slug: 'pets', source: { url: `https://example.com/${'x'.repeat(2048)}` } }, 'body.source.url'],
  ]
  for (const [body, field] of cases) {
    const { status, body: answer } = await client.post(base, body)
    assert.deepEqual([status, answer.error.details?.[0]?.path], [400, field], JSON.stringify(body).slice(0, 100))
  }
  assert.equal((await client.put(`${base}/Not%20a%20slug`, { source: { text } })).status, 404)
  const large = await client.post(base, { slug: 'large', source: { text: 'x'.repeat(10 * 1024 ** 2 + 1) } })
  assert.deepEqual([large.status, large.body.error.type], [413, 'body_too_large'])
  assert.equal((await client.get(base)).body.count, 1)
  assert.equal((await client.get(path)).status, 200)
})

test('every change checks If-Match, and a request repeated with its idempotency key has one effect', async () => {
  const { org, path } = await anOrganizationWithSpec(app, petstore)
  const { client } = org.admin
  const source = { text: JSON.stringify(petstore) }
  const stale = { 'if-match': '"stale"' }
  assert.equal((await client.put(path, { source }, stale)).status, 412)
  assert.equal((await client.put(`${path}-new`, { source }, { 'if-match': '*' })).status, 412)
  assert.equal((await client.patch(path, { visibility: 'public' }, stale)).status, 412)
  assert.equal((await client.send('DELETE', path, undefined, stale)).status, 412)
  const tag = (await client.get(path)).headers.get('etag')!
  assert.equal((await client.patch(path, { visibility: 'public' }, { 'if-match': tag })).status, 200)

  const key = { 'idempotency-key': 'once' }
  const base = `/v1/orgs/${org.id}/openapi`
  const [one, two] = [
    await client.post(base, { slug: 'once', source }, key),
    await client.post(base, { slug: 'once', source }, key),
  ]
  assert.deepEqual([one.status, two.status, two.body], [201, 201, one.body])
  assert.equal(two.headers.get('idempotency-replayed'), 'true')
})
