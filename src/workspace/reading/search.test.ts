// Members search the pages of their organization with a browser, and open what is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { pathWith } from '../../account/answer.ts'
import { Person } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

const about = (title: string, markdown: string) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${markdown}\n` },
})

const titlesIn = (text: string) => [...text.matchAll(/<a [^>]*><strong>([^<]+)<\/strong>/g)].map(([, title]) => title)

test('search covers all spaces that a member may read and no others, and results open at the matching part', async () => {
  const space = await aLiveSpace(app)
  expect(await space.edit(about('Tea', 'Hot.\n\n## The zebra\n\nA <b>zebra</b> & a cup.'), newPage('Cups')), 200)
  const other = await aLiveSpace(app, space.org)
  expect(await other.edit(about('Zoo', 'One zebra.')), 200)
  const secret = await aLiveSpace(app, space.org)
  expect(await secret.edit(about('Hidden', 'The hidden zebra.')), 200)
  expect(await secret.who.patch(secret.path, { defaultLevel: null }), 200)

  const home = `/app/o/${space.org.id}`
  const reader = await signedIn(app, await space.org.member('read'))
  assert.match((await reader.get(home)).text, new RegExp(`action="${home}/search"[^]*role="search"`))
  const found = await reader.get(`${home}/search?query=zebra`)
  assert.match(found.text, /name="query" type="search" value="zebra"/)
  assert.match(found.text, /The zebra: A zebra &amp; a cup\./)
  assert.ok(found.text.includes('<strong>Zoo</strong>'))
  assert.doesNotMatch(found.text, />Hidden|hidden zebra/)
  const address = `${home}/s/${space.id}/tea#the-zebra`
  assert.ok(found.text.includes(`href="http://lectern.test${address}"`), found.text)
  assert.match((await reader.get(address)).text, /<h2 id="the-zebra">The zebra<\/h2>/)
})

test('search results with the same title show the path of each page', async () => {
  const space = await aLiveSpace(app)
  const [first] = idsOf(await space.edit(about('Server', 'Where a zebra lives.')))
  const below = { ...about('Cookies', 'Of a zebra.'), into: first }
  expect(await space.edit(about('Cookies', 'Sweet, for a zebra.'), below), 200)
  const reader = await signedIn(app, await space.org.member('read'))
  const { text } = await reader.get(`/app/o/${space.org.id}/search?query=zebra`)
  const rows = [...text.matchAll(/<strong>([^<]+)<\/strong><\/a>\s*<span class="row-more">([^<]*)</g)]
  assert.deepEqual(rows.map(([, title, more]) => `${title}: ${more}`).toSorted(), [
    'Cookies: /cookies · Sweet, for a zebra.',
    'Cookies: /server/cookies · Of a zebra.',
    'Server: Where a zebra lives.',
  ])
})

test('a space with more than ten results has a link to all of them, page by page', async () => {
  const space = await aLiveSpace(app)
  const many = Array.from({ length: 55 }, (_, at) => about(`Animal ${at}`, 'One zebra.'))
  expect(await space.edit(about('Zebra', 'The best.'), ...many.slice(0, 40)), 200)
  expect(await space.edit(...many.slice(40)), 200)
  const other = await aLiveSpace(app, space.org)
  expect(await other.edit(about('Zoo', 'One zebra.')), 200)
  const home = `/app/o/${space.org.id}`
  const reader = await signedIn(app, await space.org.member('read'))

  const { text } = await reader.get(`${home}/search?query=zebra`)
  assert.equal(titlesIn(text).length, 11)
  assert.deepEqual(
    [...text.matchAll(/href="([^"]+)">All that was found in/g)].map(([, href]) => href),
    [`${home}/s/${space.id}/~/search?query=zebra`],
  )
  const first = await reader.get(`${home}/s/${space.id}/~/search?query=zebra`)
  assert.match(first.text, /56 pages, best first./)
  assert.equal(titlesIn(first.text)[0], 'Zebra')
  const next = /<a class="btn" href="([^"]+)">Next</.exec(first.text)![1]!.replaceAll('&amp;', '&')
  const rest = await reader.get(next)
  assert.doesNotMatch(rest.text, />Next</)
  const all = [...titlesIn(first.text), ...titlesIn(rest.text)]
  assert.deepEqual([all.length, new Set(all).size, all.includes('Zoo')], [56, 56, false])
})

test('the page of a space has a search field for its own pages, and its results need access to the space', async () => {
  const space = await aLiveSpace(app)
  const path = `/app/o/${space.org.id}/s/${space.id}`
  const reader = await signedIn(app, await space.org.member('read'))
  assert.doesNotMatch((await reader.get(path)).text, /name="query"/)
  expect(await space.edit(about('Tea', 'A <b>zebra</b> & a cup.')), 200)
  const form = new RegExp(`action="${path}/~/search"[^]*role="search"[^]*name="query"`)
  assert.match((await reader.get(path)).text, form)
  const { text } = await reader.get(`${path}/~/search?query=zebra`)
  assert.match(text, form)
  assert.match(text, /value="zebra"/)
  assert.match(text, /A zebra &amp; a cup\./)
  assert.match(text, /One page\./)
  assert.ok(text.includes(`href="/app/o/${space.org.id}/search?query=zebra"`))

  expect(await space.who.patch(space.path, { defaultLevel: null }), 200)
  const nothing = (await new Person(app).get('/app/x')).text
  assert.equal((await reader.get(`${path}/~/search?query=zebra`)).text, nothing)
  const admin = await signedIn(app, space.org.admin)
  assert.match((await admin.get(`${path}/~/search?query=zebra`)).text, /One page\./)
  await space.who.delete(space.path)
  assert.equal((await admin.get(`${path}/~/search?query=zebra`)).text, nothing, 'in the trash')
})

test('search answers empty, very long and malformed queries', async () => {
  const space = await aLiveSpace(app)
  expect(await space.edit(newPage('Cups')), 200)
  const reader = await signedIn(app, await space.org.member('read'))
  for (const home of [`/app/o/${space.org.id}/search`, `/app/o/${space.org.id}/s/${space.id}/~/search`])
    await answersAnything(reader, home)
})

async function answersAnything(reader: Person, home: string) {
  assert.doesNotMatch((await reader.get(home)).text, /Nothing found/)
  for (const query of ['nowhere', '"<b>', '-', '((', 'x'.repeat(5_000), '\ud800'.toWellFormed(), '" OR 1=1'])
    assert.match((await reader.get(pathWith(home, { query }))).text, /Nothing found\. Try other or fewer words/, query)
  for (const rest of ['?query=cups&page=x', '?query=cups&query=x', '?query[]=x', '?query=cups&page=&page='])
    assert.equal((await reader.get(home + rest)).status, 200, rest)
  const stranger = await signedIn(app, await aStranger(app))
  assert.equal((await stranger.get(`${home}?query=cups`)).text, (await new Person(app).get('/app/x')).text)
  assert.match((await new Person(app).get(`${home}?query=cups`)).location!, /^\/login\?next=/)
}
