// A section or a version in which a reader may see no page does not exist for them, whichever way they come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage, newReference } from '../../test/editing.ts'
import { statementsSent } from '../../test/statements-sent.ts'
import { anotherNode } from '../audience/testing/another-node.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { putSpec } from '../openapi/testing/specs.ts'
import { type TestSite, aSite, expect, inSeconds, signToken } from '../../test/visitor.ts'

const app = await startApp()
const condition = 'visitor.claims.plan == "pro"'
const secret = (title: string, more: object = {}) => newPage(title, { ...more, metadata: { condition } })

interface Guarded {
  site: TestSite
  hush: EditedSpace
  empty: EditedSpace
}

/** A site with a section whose pages only some readers may see, and one in which nobody has written anything. */
async function aGuardedSite(): Promise<Guarded> {
  const site = await aSite(app)
  const spaces = [await aLiveSpace(app, site.org), await aLiveSpace(app, site.org)] as const
  for (const [at, title] of ['Hush part', 'Empty part'].entries()) {
    expect(await site.who.post(`${site.path}/sections`, { title, spaceId: spaces[at]!.id }), 201)
  }
  expect(await spaces[0].edit(secret('Hush title'), secret('Hush more')), 200)
  await site.change({ adaptiveContent: { enabled: true } })
  expect(await site.who.put(`${site.path}/customization`, { pdf: { enabled: true } }), 200)
  return { site, hush: spaces[0], empty: spaces[1] }
}

async function readersOf(site: TestSite) {
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const [everybody, some] = [site.browser(), site.browser()]
  await some.get(`${site.address}?jwt_token=${signToken(privateKey, { plan: 'pro', exp: inSeconds(600) })}`)
  return { everybody, some }
}

test('a section without any page for the reader is in no menu, list or search, and an empty section stays', async () => {
  const { site, hush, empty } = await aGuardedSite()
  const { everybody, some } = await readersOf(site)
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  const ask = { ...message, params: { name: 'searchDocumentation', arguments: { query: 'text' } } }
  const doors = [
    '',
    '~/search?q=text',
    '~/search.json?q=text',
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    '~/pdf?all=true',
  ]
  for (const path of doors) {
    const { status, text } = await everybody.get(site.address + path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /hush/i, path)
  }
  assert.match((await everybody.get(site.address)).text, />Empty part</)
  assert.match((await some.get(site.address)).text, />Hush part<[^]*>Empty part</)
  const asked = await fetch(`${app.url}${site.address}~/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(ask),
  })
  assert.equal(asked.status, 200)
  assert.doesNotMatch(await asked.text(), /hush/i)

  const sections = expect(await site.who.get(`${site.path}/sections`), 200).items
  const { path } = sections.find(({ title }: { title: string }) => title === 'Hush part')
  assert.equal((await everybody.get(`${site.address}${path}/`)).status, 404)
  assert.equal((await some.get(`${site.address}${path}/`)).status, 200)

  const url = `http://lectern.test${site.address}`
  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url }), 200)
  const visitor = app.client(apiToken, [site.org.canary])
  assert.equal((await visitor.get(`${hush.path}/content`)).status, 404)
  assert.equal((await visitor.get(`${empty.path}/content`)).status, 200)
  const siteSpaces = expect(await site.who.get(`${site.path}/site-spaces`), 200).items
  const hidden = siteSpaces.find(({ space }: { space: { id: string } }) => space.id === hush.id)
  const search = { query: 'text', scope: { mode: 'specific', siteSpaceIds: [hidden.id] } }
  assert.equal((await visitor.post(`${site.path}/search`, search)).status, 400)
})

test('a version is offered once it has a public page in the menu, and its hidden pages stay readable', async () => {
  const site = await aSite(app)
  const other = await aLiveSpace(app, site.org)
  const [first] = idsOf(await other.edit(secret('Hush')))
  expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  await site.change({ adaptiveContent: { enabled: true } })
  const { path, title } = (await site.who.get(`${site.path}/site-spaces?default=false`)).body.items[0]
  const isOffered = async () => (await site.browser().get(site.address)).text.includes(`${site.address}${path}/"`)
  assert.equal(await isOffered(), false, title)

  expect(await other.edit(newPage('Off the menu', { metadata: { hidden: true } })), 200)
  assert.equal((await site.browser().get(`${site.address}${path}/off-the-menu`)).status, 200)
  expect(await other.edit({ operation: 'update_page', page: first, metadata: { condition: '' } }), 200)
  assert.equal(await isOffered(), true)
  expect(await other.edit({ operation: 'delete_page', page: first }), 200)
})

test('a reader who sees no page of a site gets a 404 without menus', async () => {
  const { site } = await aGuardedSite()
  const all = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  const hide = all.map(({ id }: { id: string }) => ({ operation: 'update_page', page: id, metadata: { condition } }))
  expect(await site.space.edit(...hide), 200)
  const { everybody, some } = await readersOf(site)
  const gone = await everybody.get(site.address)
  assert.equal(gone.status, 404)
  assert.match(gone.text, new RegExp(site.org.canary))
  assert.doesNotMatch(gone.text, /Hush|Welcome/)
  assert.equal((await some.get(site.address)).status, 200)
})

test('a link page to a space or page that the site does not show the reader is not listed', async () => {
  const { site, hush, empty } = await aGuardedSite()
  const unseen = await aLiveSpace(app, site.org)
  const [welcome] = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  const link = (title: string, target: object, more: object = {}) => ({
    operation: 'insert_page',
    type: 'link',
    metadata: { title },
    target,
    ...more,
  })
  expect(
    await site.space.edit(
      { operation: 'insert_page', type: 'group', metadata: { title: 'Lost group' }, ref: 'group' },
      link('Lost space', { kind: 'space', space: hush.id }, { into: 'group' }),
      link('Lost elsewhere', { kind: 'space', space: unseen.id }),
      link('Kept empty', { kind: 'space', space: empty.id }),
      link('Kept own', { kind: 'page', space: site.space.id, page: welcome.id }),
    ),
    200,
  )
  const url = `http://lectern.test${site.address}`
  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url }), 200)
  const visitor = app.client(apiToken, [site.org.canary])
  for (const path of ['content', 'content/pages']) {
    const { text } = await visitor.get(`${site.space.path}/${path}`)
    assert.match(text, /Kept empty[^]*Kept own/, path)
    assert.doesNotMatch(text, /Lost/, path)
  }
})

test('pages generated from a specification follow the condition of their page, with its page variables', async () => {
  const { site, empty } = await aGuardedSite()
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const metadata = { variables: { plan: 'pro' }, condition: 'visitor.claims.plan == page.vars.plan' }
  expect(await empty.edit(newReference('API', { models: true }, metadata)), 200)
  const { everybody, some } = await readersOf(site)
  assert.doesNotMatch((await everybody.get(site.address)).text, /Empty part/)
  assert.match((await some.get(site.address)).text, />Empty part</)
  const sections = expect(await site.who.get(`${site.path}/sections`), 200).items
  const { path } = sections.find(({ title }: { title: string }) => title === 'Empty part')
  assert.equal((await everybody.get(`${site.address}${path}/pets`)).status, 404)
  assert.match((await some.follow(`${site.address}${path}/`)).text, /<h1>Pets/)
})

test('a section is shown to every reader who sees at least one page of it, and to no others', async () => {
  const { site, hush } = await aGuardedSite()
  const isFor = (role: string) => ({ condition: 'visitor.claims.role == page.vars.role', variables: { role } })
  expect(
    await hush.edit(
      { operation: 'insert_page', type: 'group', metadata: { title: 'Staff', ...isFor('staff') }, ref: 'staff' },
      newPage('Below', { into: 'staff', metadata: { condition: 'visitor.claims.since == "2020"' } }),
      newPage('For guests', { metadata: { hidden: true, ...isFor('guest') } }),
      newPage('For friends', { metadata: isFor('friend') }),
    ),
    200,
  )
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  for (const [claims, isThere] of [
    [{ role: 'staff' }, false],
    [{ since: '2020' }, false],
    [{ role: 'staff', since: '2020' }, true],
    [{ role: 'guest' }, true],
    [{ role: 'friend' }, true],
    [{ role: 'foe' }, false],
  ] as const) {
    const browser = site.browser()
    await browser.get(`${site.address}?jwt_token=${signToken(privateKey, { ...claims, exp: inSeconds(600) })}`)
    assert.equal((await browser.get(site.address)).text.includes('>Hush part<'), isThere, JSON.stringify(claims))
  }
})

test('the first reader after a start waits for no space without conditions, and still sees no emptied section', async () => {
  const statements = async (plain: number) => {
    const { site } = await aGuardedSite()
    for (let at = 0; at < plain; at++) {
      const space = await aLiveSpace(app, site.org)
      expect(await space.edit(newPage(`Plain ${at}`)), 200)
      expect(await site.who.post(`${site.path}/sections`, { title: `Plain part ${at}`, spaceId: space.id }), 201)
    }
    const started = await anotherNode(app)
    const sent = await statementsSent(async () => {
      const { status, text } = await started.browser.get(site.address)
      assert.equal(status, 200)
      assert.equal([...text.matchAll(/>Plain part/g)].length > 0, plain > 0)
      assert.doesNotMatch(text, /Hush/)
    })
    return sent.filter((text) => /\b(?:heads|entries)\b/.test(text)).length
  }
  assert.equal(await statements(6), await statements(1))
})
