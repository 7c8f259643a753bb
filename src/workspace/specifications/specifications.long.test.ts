// The specifications of an organization, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { petstore } from '../../openapi/testing/petstore.ts'
import { putSpec, untilRead } from '../../openapi/testing/specs.ts'
import { anUpstream } from '../../openapi/testing/upstream.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { incomingFolder } from '../../storage/receive.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_SPEC_LIMIT: '20000' })
const nothing = (await new Person(app).get('/app/x')).text

type Files = [name: string, text: string][]

async function aHouse() {
  const org = await anOrganization(app)
  const path = `/app/o/${org.id}/specifications`
  const author = await signedIn(app, await org.member('create'))
  const reader = await signedIn(app, await org.member('read'))
  const add = async (fields: Record<string, string>, files: Files = [], page?: Page) =>
    author.submitFiles(page ?? (await author.get(path)), path, { address: '', text: '', ...fields }, files)
  const api = (slug = '') => `/v1/orgs/${org.id}/openapi${slug && `/${slug}`}`
  const read = async (slug: string) => untilRead(org.admin.client, api(slug))
  return { org, path, author, reader, add, api, read }
}

const small = (title: string) => JSON.stringify({ ...petstore, info: { title, version: '1' } })

test('a specification is added once from an address, a file or text, and members except guests see it', async () => {
  const upstream = await anUpstream({ '/shop.json': JSON.stringify(petstore) })
  const { org, path, author, reader, add, api, read } = await aHouse()
  const page = await author.get(path)
  const address = upstream.url('/shop.json')
  const [one, two] = await Promise.all([1, 2].map(() => add({ name: ' shop ', address }, [], page)))
  assert.deepEqual([one!.location, two!.location], [`${path}/shop?done=added`, `${path}/shop?done=added`])
  assert.match((await author.follow(one!)).text, /<h1>shop<\/h1>[^]*Added./)
  const file = 'openapi: 3.1.0\ninfo:\n  title: Cups\n  version: "1"\npaths: {}\n'
  await author.follow(await add({ name: 'cups' }, [['cups.yaml', file]]))
  await author.follow(await add({ name: 'pots', text: file.replaceAll('\n', '\r\n') }))
  for (const slug of ['shop', 'cups', 'pots']) assert.equal((await read(slug)).lastProcessErrorCode, undefined, slug)
  assert.equal((await read('shop')).sourceURL, address)
  for (const slug of ['cups', 'pots'])
    assert.equal(expect(await org.admin.client.get(`${api(slug)}/versions/latest/content/raw`), 200).text, file)
  assert.deepEqual(await readdir(incomingFolder(app.config)), [])

  const seen = await reader.get(path)
  assert.match(seen.text, /<strong>shop<\/strong>[^]*From http:\/\/127[^]*last read[^]*ready[^]*<strong>cups<\/strong>/)
  assert.doesNotMatch(seen.text, /<form/)
  assert.match((await reader.get(`/app/o/${org.id}`)).text, new RegExp(`href="${path}"`))
  const { urls } = await read('shop')
  assert.match((await reader.get(new URL(urls.app).pathname)).text, /<h1>shop<\/h1>/)
  const guest = await signedIn(app, await org.member(null))
  assert.doesNotMatch((await guest.get(`/app/o/${org.id}`)).text, /Specifications/)
  for (const person of [guest, await signedIn(app, await aStranger(app))])
    for (const each of [path, `${path}/shop`, `${path}/none`]) assert.equal((await person.get(each)).text, nothing)
})

test('an invalid specification is refused with the reason, keeps what was typed, and adds nothing', async () => {
  const { org, path, author, reader, add, api } = await aHouse()
  await putSpec(org.admin.client, org.id, 'shop', { text: small('Shop') })
  const long = 'x'.repeat(20_001)
  for (const [fields, files, status, reason] of [
    [{ name: 'cups' }, [], 409, 'Enter an address or the text, or choose a file'],
    [{ name: 'cups', address: 'https://example.org/', text: 'x' }, [], 409, 'Provide only one of the three'],
    [{ name: 'cups', text: 'x' }, [['a.json', '{}']], 409, 'Provide only one of the three'],
    [{ name: 'Cups!', text: 'x' }, [], 400, 'A name has up to 100 lowercase letters'],
    [{ name: '', text: 'x' }, [], 400, 'A name has up to 100 lowercase letters'],
    [{ name: 'shop', text: 'x' }, [], 409, 'There is a specification called shop'],
    [{ name: 'cups', address: 'ftp://example.org/' }, [], 400, 'The address must be an address that starts with'],
    [{ name: 'cups', address: 'https://me:pass@example.org/' }, [], 400, 'The address must not have a user'],
    [{ name: 'cups' }, [['a.json', '']], 409, 'a\\.json is empty'],
    [{ name: 'cups' }, [['a.json', long]], 413, 'That is too large: it may have 20'],
    [{ name: 'cups' }, [['a.json', 'x'.repeat(300_000)]], 413, 'That is too large: it may have 20'],
    [{ name: 'cups', text: long }, [], 413, 'A specification has at most 20000 bytes'],
    [{ name: 'cups' }, [['a.json', '{}'], ['b.json', '{}']], 409, 'At most 1 file at once'], // prettier-ignore
  ] as [Record<string, string>, Files, number, string][]) {
    const refused = await add(fields, files)
    assert.equal(refused.status, status, reason)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}`))
    assert.match(refused.text, new RegExp(`name="name"\\s+value="${fields.name}"`), reason)
    assert.ok(refused.text.includes(`>\n${fields.text ?? ''}</textarea>`), reason)
    assert.ok(refused.text.includes(`value="${fields.address ?? ''}"`), reason)
  }
  const before = await stateOf(app.db)
  const page = await author.get(path)
  const foreign = await author.submitFiles(page, path, { form: 'x.x', name: 'cups', text: small('Cups') }, [])
  const { form } = tokenIn(await reader.get('/account'))
  const own = `${path}/shop`
  const refused = [
    foreign,
    ...(await Promise.all(
      ['again', 'visibility', 'delete'].map((each) => reader.post(`${own}/${each}`, { form, visibility: 'public' })),
    )),
    await reader.post(path, { form }),
    await reader.post(`${own}/source`, { form }),
  ]
  for (const each of refused) assert.equal(each.status, 403, each.text)
  assert.equal(await stateOf(app.db), before)
  assert.equal(expect(await org.admin.client.get(api()), 200).count, 1)
  assert.deepEqual(await readdir(incomingFolder(app.config)), [])
})

test('the page of a specification has a line to embed each operation, and its versions to download', async () => {
  const { org, path, reader } = await aHouse()
  await putSpec(org.admin.client, org.id, 'shop', { text: small('Shop') })
  await putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(petstore) })
  const page = await reader.get(`${path}/shop`)
  const line = '{% openapi-operation spec=&quot;shop&quot; path=&quot;/pets&quot; method=&quot;get&quot; %}'
  assert.ok(page.text.includes(`<code>${line}</code>`), page.text)
  assert.doesNotMatch(page.text, /Nobody is told|<form method="post"/)
  const links = [...page.text.matchAll(/href="([^"]+)" download/g)].map(([, url]) => url!.replaceAll('&amp;', '&'))
  const titles = []
  for (const link of links) titles.push(JSON.parse((await reader.get(link.replace('http://lectern.test', ''))).text).info.title) // prettier-ignore
  assert.deepEqual(titles, ['Pet shop', 'Shop'])

  const paths = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/many/${at}`, { get: { summary: `No ${at}.` } }])) // prettier-ignore
  await putSpec(org.admin.client, org.id, 'many', { text: JSON.stringify({ ...petstore, paths, webhooks: {} }) })
  const many = await reader.get(`${path}/many`)
  assert.match(many.text, /Find one of 30 operations[^]*And 20 more/)
  const found = await reader.get(`${path}/many?search=${encodeURIComponent('GET 27.')}`)
  const shown = [...found.text.matchAll(/path=&quot;([^&]+)&quot;/g)].map(([, each]) => each)
  assert.deepEqual(shown, ['/many/27'])
})

test('a specification that could not be fetched says what to do, and can be fetched again on request', async () => {
  const upstream = await anUpstream({ '/shop.json': { status: 500 } })
  const { path, author, add, read } = await aHouse()
  await add({ name: 'shop', address: upstream.url('/shop.json') })
  await read('shop')
  const own = `${path}/shop`
  const failed = await author.get(own)
  assert.match(
    failed.text,
    /could not be read[^]*It is tried again automatically. Check that this server can reach the address/,
  )
  assert.match((await author.get(path)).text, /could not be read[^]*It is tried again automatically/)
  upstream.files['/shop.json'] = small('Shop')
  const again = await author.submit(failed, `${own}/again`)
  assert.equal(again.location, `${own}?done=again`)
  await read('shop')
  assert.match((await author.get(own)).text, /data-tone="success">ready[^]*shown on pages/)
  upstream.files['/shop.json'] = 'paths: ['
  await author.submit(await author.get(own), `${own}/again`)
  await read('shop')
  assert.match((await author.get(own)).text, /Correct it at its address[^]*Pages show the previous version./)
})

test('a specification is replaced and published only from a current form, and deleted after a confirmation', async () => {
  const { org, path, author, add, api, read } = await aHouse()
  await add({ name: 'shop', text: small('Shop') })
  await read('shop')
  const own = `${path}/shop`
  const stale = await author.get(own)
  const replace = (page: Page, text: string) => author.submitFiles(page, `${own}/source`, { address: '', text }, [])
  assert.equal((await replace(stale, small('Shops'))).location, `${own}?done=replaced`)
  await read('shop')
  const late = await replace(stale, small('Late <b>'))
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">Somebody has changed its source[^]*Late &lt;b&gt;/)
  const latest = async () => expect(await org.admin.client.get(`${api('shop')}/versions/latest/content`), 200)
  assert.equal((await latest()).filesystem['openapi.json'].specification.info.title, 'Shops')

  await author.submit(await author.get(own), `${own}/visibility`, { visibility: 'public' })
  const { visibility, urls } = await read('shop')
  assert.equal(visibility, 'public')
  assert.ok((await author.get(own)).text.includes(`<code>${urls.published}</code>`))
  const overtaken = await author.submit(stale, `${own}/visibility`, { visibility: 'private' })
  assert.deepEqual([overtaken.status, (await read('shop')).visibility], [409, 'public'])

  const asked = await author.get(own)
  assert.match(asked.text, /Delete “shop” with all its versions\?[^]*stay but show nothing in their\s+place/)
  expect(await org.admin.client.delete(api('shop')), 205)
  await putSpec(org.admin.client, org.id, 'shop', { text: small('Another') })
  assert.equal((await author.submit(asked, `${own}/delete`)).status, 409, 'it is another one')
  const last = await author.get(own)
  const clicks = await Promise.all([1, 2].map(() => author.submit(last, `${own}/delete`)))
  for (const { location } of clicks) assert.equal(location, `${path}?done=deleted`)
  const gone = await author.follow(await author.submit(last, `${own}/delete`))
  assert.match(gone.text, /Specification deleted\.[^]*None yet/)
  assert.equal(expect(await org.admin.client.get(api()), 200).count, 0)
})
