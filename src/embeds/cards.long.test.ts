import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf } from '../../test/editing.ts'
import { aSite } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { anUpstream } from '../openapi/testing/upstream.ts'
import { mostOfOrganization } from './queries.ts'
import { readEmbeds } from './read-embeds.task.ts'

const app = await startApp({ LECTERN_EMBEDS: 'on', LECTERN_FETCH_ALLOW: '127.0.0.1' })
const { embeds } = app.app
const { context } = app

const page = (head: string) => (_request: unknown, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end(head)

const about = (title: string, more = '') => page(`<title>${title}</title>${more}`)

const embedOf = (...urls: string[]) => urls.map((url) => `{% embed url="${url}" %}\n`).join('\n')

const pageWith = (text: string) => ({ operation: 'insert_page', document: { markdown: `# Page\n\n${text}` } })

const rows = (organizationId: string) =>
  app.db.all(
    sql<any>`select address, title, error, due_at from embeds where organization_id = ${organizationId} order by address`,
  )

/** The cards of a page, as text. */
const cardsIn = (markup: string) =>
  [...markup.matchAll(/<a[^>]* class="block (?:ref|embed)"[^]*?<\/a>/g)].map(
    ([card]) =>
    card.replace(/<[^>]*>/g, '\n').split('\n').map((line) => line.trim()).filter((line) => line !== ''), // prettier-ignore
  )

const more =
  '<meta property="og:site_name" content="Shop"><meta name="description" content="All about &lt;b&gt;"><link rel="icon" href="/i.png"><meta property="og:image" content="/p.png">'

test('an embedded address is fetched in the background after the write, and its card shows what its page says', async () => {
  const upstream = await anUpstream({ '/a': about('A page &amp; more', more) })
  const site = await aSite(app, { pages: [pageWith(embedOf(upstream.url('/a')))] })
  assert.deepEqual(upstream.asked, [], 'nobody who writes waits for it')
  await readEmbeds.run(context)
  assert.deepEqual(upstream.asked, ['/a'])
  const { text } = await site.browser().get(site.address)
  const host = new URL(upstream.url('/')).host
  assert.deepEqual(cardsIn(text), [['A page &amp; more', 'All about &lt;b&gt;', `${host} · Shop`]])
  assert.doesNotMatch(text, /[ip]\.png/, 'nothing of other servers is loaded')
  await readEmbeds.run(context)
  assert.deepEqual(upstream.asked, ['/a'], 'it is asked once')
})

test('embeds of a change request are noted on merge, and concurrent runs fetch each address once', async () => {
  const upstream = await anUpstream({ '/a': about('A'), '/b': about('B') })
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const markdown = embedOf(upstream.url('/b'))
  await request.edit(
    pageWith(
      `${embedOf(upstream.url('/a'), 'mailto:a@b.c', '/files/x', 'ftp://x.test/')}<iframe src="${upstream.url('/a#x')}"></iframe>\n`,
    ),
    { operation: 'insert_reusable_content', title: 'Piece', document: { markdown } },
  )
  assert.deepEqual(await rows(space.org.id), [])
  assert.equal((await space.who.post(`${request.path}/merge`)).status, 200)
  await Promise.all([readEmbeds.run(context), readEmbeds.run(context)])
  const titles = (await rows(space.org.id)).map(({ address, title }) => [address, title])
  assert.deepEqual(titles, [
    [upstream.url('/a'), 'A'],
    [upstream.url('/b'), 'B'],
  ])
  assert.deepEqual(upstream.asked.toSorted(), ['/a', '/b'])
})

test('the first reader does not wait for an embed to be fetched, and the next one sees its title', async () => {
  const upstream = await anUpstream({ '/a': about('Found') })
  const site = await aSite(app, { pages: [pageWith(embedOf(upstream.url('/a')))] })
  const shown = async () => cardsIn((await site.browser().get(site.address)).text)
  assert.equal((await shown())[0]![0], 'a')
  await embeds.settled()
  assert.equal((await shown())[0]![0], 'Found')
})

test('a caption by the author wins over the title of the embedded page', async () => {
  const upstream = await anUpstream({ '/a': about('Theirs') })
  const text = `{% embed url="${upstream.url('/a')}" %}\nOurs\n{% endembed %}\n`
  const site = await aSite(app, { pages: [pageWith(text)] })
  await readEmbeds.run(context)
  assert.equal(cardsIn((await site.browser().get(site.address)).text)[0]![0], 'Ours')
})

test('markup in the title of an embedded page stays text on the site and in Markdown', async () => {
  const upstream = await anUpstream({
    '/a': page(
      '<title></title><meta property="og:title" content="<script>alert(1)</script> **[x](javascript:alert(1))** {% hint %}">',
    ),
  })
  const site = await aSite(app, { pages: [pageWith(embedOf(upstream.url('/a')))] })
  await readEmbeds.run(context)
  const { text } = await site.browser().get(site.address)
  assert.equal(cardsIn(text)[0]![0], '&lt;script&gt;alert(1)&lt;/script&gt; **[x](javascript:alert(1))** {% hint %}')
  const twin = await site.browser().get(`${site.address}index.md`)
  // The written Markdown is parsed as text again.
  const again = await aLiveSpace(app)
  const made = await again.edit({ operation: 'insert_page', document: { markdown: twin.text } })
  const [id] = idsOf(made)
  const { body } = await again.who.get(`${again.path}/content/page/${id}?format=html`)
  assert.doesNotMatch(JSON.stringify(body), /<script|<strong|href=\\"javascript/)
})

test('Markdown and llms-full.txt contain the titles of embeds', async () => {
  const upstream = await anUpstream({ '/a': about('Named') })
  const site = await aSite(app, { pages: [pageWith(embedOf(upstream.url('/a')))] })
  await readEmbeds.run(context)
  const expected = `{% embed url="${upstream.url('/a')}" %}\nNamed\n{% endembed %}`
  for (const path of ['index.md', 'llms-full.txt'])
    assert.ok((await site.browser().get(site.address + path)).text.includes(expected), path)
})

test('the app and the visual editor show the titles of embeds to members, and the text stays unchanged', async () => {
  const upstream = await anUpstream({ '/a': about('Named') })
  const space = await aLiveSpace(app)
  const markdown = `# Page\n\n${embedOf(upstream.url('/a'))}`
  const [id] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown } }))
  await readEmbeds.run(context)
  const writer = await signedIn(app, await space.org.member('edit'))
  const { body } = await space.who.get(`${space.path}/content/page/${id}`)
  assert.match((await writer.get(new URL(body.urls.app).pathname)).text, /<figcaption>\s*<p>Named<\/p>/)

  await space.changeRequest()
  const path = `/app/o/${space.org.id}/s/${space.id}/~/changes/1/pages/${id}`
  const page = await writer.get(path)
  const ask = async (part: string, fields: Record<string, string>) =>
    JSON.parse((await writer.submit(page, path, fields, {}, path + part)).text)
  const { markup } = await ask('/visual', { text: markdown, from: '0', to: '0' })
  assert.match(markup, /<figcaption>\s*<p>Named<\/p>/)
  assert.equal((await ask('/visual/text', { text: markdown, markup })).text, markdown)
})

test('a PDF is printed again once the embeds of its pages are known', async () => {
  const upstream = await anUpstream({ '/a': about('Named') })
  const space = await aLiveSpace(app)
  await space.edit(pageWith(embedOf(upstream.url('/a'))))
  const print = async () => {
    const { pathname, search } = new URL((await space.who.get(`${space.path}/pdf`)).body.url)
    const { status, headers } = await fetch(app.url + pathname + search)
    return [status, headers.get('etag')]
  }
  const before = await print()
  await embeds.settled()
  const after = await print()
  assert.deepEqual([before[0], after[0]], [200, 200])
  assert.notEqual(after[1], before[1])
  assert.deepEqual(await print(), after)
})

test('an embedded page that does not answer leaves its card unchanged and is fetched again later', async () => {
  const upstream = await anUpstream()
  const url = upstream.url('/gone/My%20page')
  const site = await aSite(app, { pages: [pageWith(embedOf(url, 'http://127.0.0.2:1/private'))] })
  await readEmbeds.run(context)
  const host = new URL(url).host
  assert.deepEqual(cardsIn((await site.browser().get(site.address)).text), [
    ['My page', `${host}/gone/My page`],
    ['private', '127.0.0.2:1/private'],
  ])
  const [gone, inside] = await rows(site.org.id)
  assert.deepEqual([gone.error, inside.error, inside.due_at], ['bad-status', 'private-address', null])
  assert.ok(gone.due_at > new Date())

  upstream.files['/gone/My%20page'] = about('Back')
  await app.db.run(sql`update embeds set due_at = now() where error = 'bad-status'`)
  await readEmbeds.run(context)
  assert.equal(cardsIn((await site.browser().get(site.address)).text)[0]![0], 'Back')
})

test('an embed fetched more than a week ago is fetched again when shown, and kept if that fails', async () => {
  const upstream = await anUpstream({ '/a': about('Before') })
  const site = await aSite(app, { pages: [pageWith(embedOf(upstream.url('/a')))] })
  await readEmbeds.run(context)
  const anew = async () => {
    await app.db.run(sql`update embeds set read_at = now() - interval '8 days' where organization_id = ${site.org.id}`)
    // This drops the cached snapshot of the site.
    await site.change({ title: `Site ${Math.random()}` })
    await site.browser().get(site.address)
    await embeds.settled()
    return cardsIn((await site.browser().get(site.address)).text)[0]![0]
  }
  upstream.files['/a'] = about('After')
  assert.equal(await anew(), 'After')
  upstream.files['/a'] = { status: 500 }
  assert.equal(await anew(), 'After')
  assert.equal(upstream.asked.length, 3)
})

test('an embed that was not shown for 90 days is forgotten', async () => {
  const upstream = await anUpstream({ '/a': about('Old') })
  const space = await aLiveSpace(app)
  await space.edit(pageWith(embedOf(upstream.url('/a'))))
  await readEmbeds.run(context)
  assert.equal((await rows(space.org.id)).length, 1)
  await app.db.run(sql`update embeds set asked_at = now() - interval '91 days' where organization_id = ${space.org.id}`)
  await readEmbeds.run(context)
  assert.deepEqual(await rows(space.org.id), [])
})

test('embeds known to one organization are not used for another', async () => {
  const upstream = await anUpstream({ '/a': about('Secret') })
  const one = await aLiveSpace(app)
  await one.edit(pageWith(embedOf(upstream.url('/a'))))
  await readEmbeds.run(context)
  const ask = (space: typeof one) => space.who.get(`${space.path}/embed?url=${encodeURIComponent(upstream.url('/a'))}`)
  upstream.files['/a'] = about('Public')
  assert.equal((await ask(one)).body.title, 'Secret')
  assert.equal((await ask(await aLiveSpace(app))).body.title, 'Public')
})

test('a page shows a thousand embeds, and a hundred of them are fetched', async () => {
  const upstream = await anUpstream()
  const urls = Array.from({ length: 1_000 }, (_, at) => upstream.url(`/${at}`))
  for (const at of urls.keys()) upstream.files[`/${at}`] = about(`Page ${at}`)
  // Embeds were not noted when this page was written, as for pages older than the feature.
  const site = await aSite(app, { pages: [pageWith(embedOf(...urls))] })
  await app.db.run(sql`delete from embeds where organization_id = ${site.org.id}`)
  const shown = async () => cardsIn((await site.browser().get(site.address)).text).map(([title]) => title)
  assert.equal((await shown()).length, 1_000)
  await embeds.settled()
  const titles = await shown()
  assert.deepEqual([titles[0], titles[99], titles[100]], ['Page 0', 'Page 99', '100'])
  assert.equal(upstream.asked.length, 100)
})

test('an organization can store a limited number of embeds, and one with many does not delay others', async () => {
  const upstream = await anUpstream({ '/a': about('Soon') })
  const [many, few] = [await aLiveSpace(app), await aLiveSpace(app)]
  await app.db.run(sql`
    insert into embeds (organization_id, address_hash, address, due_at)
    select ${many.org.id}, sha256(n::text::bytea), 'http://127.0.0.1:1/' || n, now() - interval '1 hour'
    from generate_series(1, ${mostOfOrganization}::int) n`)
  const text = embedOf(upstream.url('/a'))
  await many.edit(pageWith(text))
  assert.equal((await rows(many.org.id)).length, mostOfOrganization)
  await few.edit(pageWith(text))
  const stopping = new AbortController()
  upstream.files['/a'] = (_request, response) => {
    about('Soon')(_request, response)
    stopping.abort()
  }
  // The other organization gets its turn in the first round, not behind thousands.
  await readEmbeds.run({ ...context, stopping: stopping.signal })
  const tried = await app.db.one(sql<any>`
    select count(*)::int as count from embeds where organization_id = ${many.org.id} and read_at is not null`)
  assert.ok(tried.count < 100, `${tried.count} were asked before`)
  await app.db.run(sql`delete from embeds`)
})

test('an answer without a page keeps the known title of an embed', async () => {
  let status = 200
  const upstream = await anUpstream({
    '/a': (_request: unknown, response: ServerResponse) =>
      void response
        .writeHead(status, { 'content-type': 'text/html' })
        .end(status === 200 ? '<title>Known</title>' : ''),
  })
  const space = await aLiveSpace(app)
  await space.edit(pageWith(embedOf(upstream.url('/a'))))
  for (const each of [200, 202, 204, 304]) {
    status = each
    await app.db.run(sql`update embeds set due_at = now() where organization_id = ${space.org.id}`)
    await readEmbeds.run(context)
    const [row] = await rows(space.org.id)
    assert.deepEqual([row.title, row.error], ['Known', each === 200 ? null : 'bad-status'], String(each))
  }
})
