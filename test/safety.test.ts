// Whatever people write, and wherever they can write it, nothing of it runs in the browser of a reader, with and
// without the content security policy. Here are the blocks of pages; safety-places.long.test.ts has all other places.
// Each place gets a share of the payloads, and every place a different one. `npm run drill -- safety` tries all of them
// everywhere.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from './app.ts'
import { startBrowser } from './browser/browser.ts'
import { inert, pathsOf } from './safety/pages.ts'
import { pageOf, sentinel } from './safety/places.ts'
import { inPages, inText, insert, payloads, sayHowMany, some, timeout } from './safety/trials.ts'
import { bothWays, nowhereElse, watch } from './safety/watch.ts'
import { aSite, expect } from './visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser(nowhereElse)
const app = await startApp()
after(() => console.log(sayHowMany()))

test('there are at least 600 payloads, and a page that lets them through runs them', { timeout }, async () => {
  assert.ok(payloads.length >= 600)
  const watched = await watch(browser, app.url, false)
  const frames = payloads
    .filter(({ kind }) => ['handlers', 'places', 'pictures', 'mutations', 'endings'].includes(kind))
    .filter((_, index) => index % 4 === 0)
    .map(({ text }) => `<iframe srcdoc="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`)
  await watched.context.route(`${app.url}/careless`, (route) =>
    route.fulfill({ contentType: 'text/html', body: frames.join('') }),
  )
  const seen = await watched.visit(`${app.url}/careless`)
  const numbers = new Set(seen.filter((what) => what.startsWith('FIRED ')))
  assert.ok(numbers.size > 20, `only ${numbers.size} of ${frames.length} ran`)
  await watched.close()
})

test('no hostile text of a page runs in any block, or hides the text after it', { timeout }, async () => {
  const placed = inText()
  const parts = inPages(placed)
  const site = await aSite(app, { pages: parts.map((part, at) => insert(pageOf(part), { title: `Page ${at}` })) })
  const pages = await pathsOf(app, site)
  await bothWays(browser, app.url, async (watched, withPolicy) => {
    for (const [at, { url }] of pages.entries()) {
      await inert(watched, url)
      if (!withPolicy) continue
      const text = (await watched.page.textContent('article')) ?? ''
      const missing = parts[at]!.filter(({ number }) => !text.includes(sentinel(number)))
      assert.deepEqual(missing, [], 'something hides what comes after it')
    }
  })
})

test('HTML returned by the API is as harmless as that of a site', { timeout }, async () => {
  const site = await aSite(app, {
    pages: inPages(inText()).map((part, at) => insert(pageOf(part), { title: `Page ${at}` })),
  })
  const { pages } = expect(await site.who.get(`${site.space.path}/content`), 200)
  const parts: string[] = []
  for (const { id } of pages)
    parts.push(expect(await site.who.get(`${site.space.path}/content/page/${id}?format=html`), 200).html)
  const said = some(4, 6)
  for (let at = 0; at < said.length; at += 20) {
    const markdown = said
      .slice(at, at + 20)
      .map(({ text }) =>
        text
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n'),
      )
      .join('\n\nx\n\n')
    const { id } = expect(await site.who.post(`${site.space.path}/comments`, { body: { markdown } }), 200)
    parts.push(expect(await site.who.get(`${site.space.path}/comments/${id}?format=html`), 200).body.html)
  }
  const watched = await watch(browser, app.url, false)
  await watched.context.route(`${app.url}/shown/*`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: parts[Number(route.request().url().split('/').at(-1))]!,
    }),
  )
  for (const at of parts.keys()) await inert(watched, `${app.url}/shown/${at}`)
  await watched.close()
})
