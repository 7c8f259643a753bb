// Searches as the reader types, and by names and numbers as people write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { search, titles, written } from './testing/asking.ts'

const app = await startApp()

test('if few pages have the typed word, a search also finds pages with words that start with it', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Authentication', 'Who somebody is.'),
    written('Other', 'Set auth to basic.'),
    written('TLS auth', 'With a password.'),
    written('Basic', 'Authenticating with a password.'),
  )
  assert.deepEqual(await titles(space, 'auth'), ['TLS auth', 'Authentication', 'Other', 'Basic'])
  assert.deepEqual((await titles(space, 'basic auth')).toSorted(), ['Basic', 'Other'])
  // A quoted word is matched as it is, and so is a word that has no continuations.
  assert.deepEqual((await titles(space, '"auth"')).toSorted(), ['Other', 'TLS auth'])
  assert.deepEqual(await titles(space, 'authentication'), ['Authentication', 'Basic'])
})

test('if many pages have the typed word, pages with longer words are not added, and results are paged in one order', async () => {
  const space = await aLiveSpace(app)
  const pages = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => written(`Page ${text} ${n}`, 'A bird.'))
  await space.edit(...pages(25, 'conf'), ...pages(5, 'configuration'))
  await space.edit(...pages(4, 'heron'), ...pages(5, 'heronry'))
  assert.equal((await search(space, 'conf')).count, 25)
  const other = await aLiveSpace(app, space.org)
  await other.edit(written('Configuration', 'Of all.'), written('Heronries', 'Of birds.'))
  const everywhere = async (query: string) =>
    (await space.who.get(`/v1/orgs/${space.org.id}/search?query=${query}`)).body.count
  assert.deepEqual([await everywhere('conf'), await everywhere('heron')], [1, 2])
  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const body: any = await search(space, 'heron', `&limit=2${next && `&page=${encodeURIComponent(next)}`}`)
    assert.equal(body.count, 9)
    seen.push(...body.items.map(({ title }: { title: string }) => title))
    next = body.next?.page
  }
  assert.equal(new Set(seen).size, 9)
  assert.ok(
    seen.slice(0, 4).every((title) => title.startsWith('Page heron ')),
    seen.join(),
  )
})

test('a name with underscores or hyphens is found while it is being typed', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Posting', 'Set CURLOPT_POSTFIELDS to what is sent.'),
    written('Ports', 'The option is --proxy-http2.'),
    written('Apart', 'A CURLOPT is an option. Posts are sent. The proxy speaks http.'),
  )
  assert.deepEqual(await titles(space, 'CURLOPT_PO'), ['Posting'])
  assert.deepEqual(await titles(space, 'CURLOPT_POSTF'), ['Posting'])
  assert.deepEqual(await titles(space, 'curloptpost'), ['Posting'])
  assert.deepEqual(await titles(space, '--proxy-ht'), ['Ports'])
})

test('a version number is found with and without its leading v', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Plain', 'Since 7.88.0 it is there.'),
    written('With a letter', 'Since v2.4.1 it is there.'),
    written('Others', 'Not 88.7.0, nor v4.2.1.'),
  )
  assert.deepEqual(await titles(space, 'v7.88.0'), ['Plain'])
  assert.deepEqual(await titles(space, '7.88.0'), ['Plain'])
  assert.deepEqual(await titles(space, '2.4.1'), ['With a letter'])
  assert.deepEqual(await titles(space, 'V2.4.1'), ['With a letter'])
})

test('a page about one of two query words comes before pages that mention both in passing', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Index', 'See: post json, json post, json, post.'),
    written('JSON', `${'It is a format of text that is read by many programs. '.repeat(4)} Use POST to send it.`),
    written('Other', 'A JSON POST.'),
    written('In a heading', 'Intro.\n\n## Post JSON\n\nHow to.'),
  )
  assert.deepEqual((await titles(space, 'post json')).slice(0, 2), ['In a heading', 'JSON'])
})

test('pages with the query words close together come before others, also in an organization with several languages', async () => {
  const space = await aLiveSpace(app)
  const between = 'and many other words '.repeat(8)
  await space.edit(
    written('Far', `Copper, copper, copper ${between} kettles, kettles and kettles.`),
    written('Near', `Some words. A few copper kettles. ${between}`),
  )
  const ask = async () =>
    (await space.who.get(`/v1/orgs/${space.org.id}/search?query=copper+kettles`)).body.items[0].pages.map(
      ({ title }: { title: string }) => title,
    )
  assert.deepEqual(await ask(), ['Near', 'Far'])
  await aSpace(space.who, space.org.id, { language: 'de' })
  assert.deepEqual(await ask(), ['Near', 'Far'])
})
