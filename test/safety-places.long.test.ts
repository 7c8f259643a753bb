// What safety.test.ts shows for the blocks of pages, for all other places: titles and names, addresses, the look of a
// site, files, specifications, diagrams and PDFs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { putSpec } from '../src/openapi/testing/specs.ts'
import { startApp } from './app.ts'
import { startBrowser } from './browser/browser.ts'
import { inert, pathsOf } from './safety/pages.ts'
import { linksOf } from './safety/pdf.ts'
import { diagram, pageOf, places } from './safety/places.ts'
import { hostileSpec, operations } from './safety/specification.ts'
import {
  type Numbered,
  asTitle,
  count,
  fits,
  insert,
  isDrill,
  payloads,
  sayHowMany,
  some,
  timeout,
} from './safety/trials.ts'
import { type Looking, bothWays, nowhereElse } from './safety/watch.ts'
import { aSite, expect } from './visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser(nowhereElse)
const app = await startApp()
after(() => console.log(sayHowMany()))

const withAndWithoutPolicy = (work: Looking) => bothWays(browser, app.url, work)

test(
  'no hostile title, description or name runs on the page, in menus, search, feeds and lists',
  { timeout },
  async () => {
    const named = some(10)
    const site = await aSite(app, {
      pages: [
        insert('# Start\n\nText.\n'),
        insert(
          `{% updates format="full" %}\n${named.map(({ text }) => `{% update date="2026-01-01" %}\n## ${text.replace(/\n/g, ' ')}\n\n${text}\n{% endupdate %}`).join('\n')}\n{% endupdates %}\n`,
          { title: 'Updates', slug: 'updates' },
        ),
      ],
    })
    for (let at = 0; at < named.length; at += 50) {
      const pages = named.slice(at, at + 50).map((each) =>
        insert(`${each.text}\n\nteapot\n`, {
          title: asTitle(each),
          description: each.text,
          emoji: each.text.slice(0, 50),
          icon: each.text.slice(0, 50),
        }),
      )
      expect(await site.space.edit(...pages), 200)
    }
    expect(await site.who.patch(site.path, { title: named[0]!.text.slice(0, 128) }), 200)
    const home = `${app.url}${site.address}`
    const pages = await pathsOf(app, site)
    await withAndWithoutPolicy(async (watched, withPolicy) => {
      // Every title is in every menu, so a sample of the pages is enough. The rest of a page is the same with the
      // policy, which only adds protection.
      const looked = pages.filter((_, index) => (isDrill && !withPolicy) || index % 20 === 0)
      for (const { url } of looked) await inert(watched, url)
      for (const path of ['~/search?q=teapot', 'updates', 'sitemap.xml', 'robots.txt'])
        await inert(watched, home + path)
      await inert(watched, `${home}updates/rss.xml`)
      // In the search dialog, our script draws the results.
      await watched.open(home)
      await watched.page.keyboard.press('/')
      await watched.page.keyboard.type('teapot')
      await watched.page.waitForSelector('.hit mark')
      assert.deepEqual(await watched.look(), [])
      // Sent as text: a browser shows or saves it, and does not interpret it as anything else.
      for (const path of ['llms.txt', 'llms-full.txt', 'updates.md']) {
        const { headers, text } = await site.browser().get(`${site.address}${path}`)
        assert.match(String(headers['content-type']), /^text\/(?:plain|markdown)/)
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.ok(text.length > 100)
      }
    })
  },
)

test('no hostile address runs on a missing page or in search', { timeout }, async () => {
  const site = await aSite(app)
  const home = `${app.url}${site.address}`
  const [asPath, asQuestion] = [some(48), some(48, 8)]
  await withAndWithoutPolicy(async (watched) => {
    for (let at = 0; at < asPath.length; at += 8) {
      const group = asPath.slice(at, at + 8).map(({ text }) => encodeURIComponent(text.slice(0, 100)))
      await inert(watched, `${home}${group.join('-')}`)
    }
    for (let at = 0; at < asQuestion.length; at += 4) {
      const group = asQuestion.slice(at, at + 4).map(({ text }) => text.slice(0, 120))
      await inert(watched, `${home}~/search?q=${encodeURIComponent(group.join(' '))}`)
    }
  })
})

test('no hostile text or address in the look of a site runs', { timeout }, async () => {
  const site = await aSite(app)
  const [inHeader, inFooter] = [some(16, 1, fits(64)).slice(0, 50), some(2, 2, fits(64)).slice(0, 600)]
  const link = ({ text }: Numbered) => ({ title: text, to: { kind: 'url', url: 'https://example.org/' } })
  const address = `https://example.org/"onerror='fired(1)'><script>fired(2)</script>`
  const groups = Array.from({ length: Math.ceil(inFooter.length / 50) }, (_, at) =>
    inFooter.slice(at * 50, at * 50 + 50),
  )
  const look = {
    title: inHeader[0]!.text,
    header: {
      logo: { light: address, dark: address },
      links: inHeader.map((each, index) => ({ ...link(each), links: index % 2 === 0 ? [] : [link(each)] })),
    },
    footer: {
      logo: { light: address, dark: address },
      groups: groups.map((group) => ({ title: group[0]!.text, links: group.map(link) })),
      copyright: inHeader
        .map(({ text }) => text)
        .join(' ')
        .slice(0, 512),
    },
    favicon: { icon: { light: address, dark: address } },
    announcement: { enabled: true, message: inHeader.at(-1)!.text, style: 'info', link: link(inHeader.at(-1)!) },
  }
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  await withAndWithoutPolicy((watched) => inert(watched, `${app.url}${site.address}`))

  // An address that would run is refused when it is written.
  for (const { text } of some(
    2,
    0,
    payloads.filter(({ kind }) => kind === 'addresses'),
  )) {
    const to = { kind: 'url', url: text }
    const answer = await site.who.put(`${site.path}/customization`, {
      header: { links: [{ title: 'x', to, links: [] }] },
    })
    if (answer.status === 200) await withAndWithoutPolicy((watched) => inert(watched, `${app.url}${site.address}`))
    else assert.equal(answer.status, 400, answer.text)
    for (const logo of [{ light: text, dark: text }])
      assert.equal(
        (await site.who.put(`${site.path}/customization`, { header: { logo, links: [] } })).status,
        400,
        text,
      )
  }
})

test('an uploaded file is never shown as a page, whatever its name and bytes', { timeout }, async () => {
  const svgs = payloads
    .filter(({ kind }) => kind === 'pictures')
    .map(({ text }) => `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`)
  const bodies = [
    ...svgs,
    '<html><script>fired(0)</script></html>',
    '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">fired(0)</x:script>',
    '%PDF-1.7 <script>fired(0)</script>',
    'GIF89a/*<svg/onload=fired(0)>*/=1;fired(0)',
  ]
  const named = some(8, 3, fits(200))
  count(bodies.length)
  const site = await aSite(app)
  const files = [
    ...bodies.map((body, at) => ({
      name: `x${at}.svg`,
      bytes: body,
      contentType: at % 2 === 0 ? 'image/svg+xml' : 'text/html',
    })),
    ...named.map(({ text }) => ({ name: text, bytes: 'x', contentType: 'text/html' })),
  ]
  const ids: string[] = []
  for (const { name, bytes, contentType } of files) {
    const added = await site.space.edit({
      operation: 'insert_files',
      files: [{ name, base64: Buffer.from(bytes).toString('base64'), contentType }],
    })
    if (added.status === 200) ids.push(added.body.insertedFiles[0].id)
    else assert.equal(added.status, 400, added.text)
  }
  assert.ok(ids.length >= bodies.length + 20, `${ids.length} of ${files.length}`)
  const shown = ids.map((id) => `{% file src="/files/${id}" %}\n\n![x](/files/${id})\n`).join('\n')
  expect(await site.space.edit(insert(`# Files\n\n${shown}`)), 200)
  await withAndWithoutPolicy((watched) => inert(watched, `${app.url}${site.address}files`))
  const { text } = await site.browser().get(`${site.address}files`)
  const addresses = [
    ...new Set([...text.matchAll(/(?:href|src)="([^"]*\/~\/files\/[^"]*)"/g)].map(([, href]) => href!)),
  ]
  assert.ok(addresses.length >= bodies.length, `${addresses.length}`)
  for (const address of addresses) {
    const { headers } = await site.browser().get(address.replaceAll('&amp;', '&').replaceAll('&#39;', "'"))
    // Pictures and PDFs are shown, if their bytes are of that kind.
    const isShown = /^(?:image\/gif|application\/pdf)$/.test(String(headers['content-type']))
    if (!isShown) assert.match(String(headers['content-disposition']), /^attachment/, address)
    assert.match(String(headers['content-security-policy']), /sandbox/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

test('no hostile text in a specification runs where its operations are shown', { timeout }, async () => {
  const site = await aSite(app)
  const hostile = some(8, 4)
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(hostileSpec(hostile)) })
  expect(await site.space.edit(insert(`# Operations\n\n${operations(hostile)}`)), 200)
  await withAndWithoutPolicy(async (watched) => {
    await inert(watched, `${app.url}${site.address}operations`)
    assert.ok((await watched.page.locator('.op').count()) > 1)
  })
})

test('no hostile diagram runs, neither in the page nor in the frame that draws it', { timeout }, async () => {
  const drawn = some(
    2,
    0,
    payloads.filter(({ kind }) => kind === 'diagrams'),
  )
  const diagrams = [...drawn, ...some(60, 7)].map((payload) => ({ ...payload, place: diagram }))
  const site = await aSite(app, { pages: [insert(pageOf(diagrams), { title: 'Diagrams' })] })
  await withAndWithoutPolicy(async (watched) => {
    await inert(watched, `${app.url}${site.address}`)
    const figures = watched.page.locator('[data-diagram]')
    const count = await figures.count()
    assert.ok(count > diagrams.length)
    // The frame sends one message when it is ready, and one for each diagram.
    while ((await watched.page.evaluate<number>('messages.length')) <= count) await sleep(100)
    // Each picture is shown after it is decoded, a little later.
    await figures
      .locator('img')
      .nth(Math.ceil(count / 4))
      .waitFor()
    assert.deepEqual(await watched.look(), [])
  })
})

test(
  'links in a PDF lead only to web, mail and telephone addresses, and it contains no actions',
  { timeout },
  async () => {
    const links = payloads.filter(({ kind }) => ['addresses', 'links', 'markdown'].includes(kind))
    const inPdf = some(2, 0, links).map((payload) => ({ ...payload, place: places['address of a link']! }))
    const site = await aSite(app, {
      pages: [insert(`# Paper\n\n[fine](https://example.org/fine)\n\n${pageOf(inPdf)}`)],
    })
    const [page] = expect(await site.who.get(`${site.space.path}/content`), 200).pages
    const { urls, actions } = await linksOf(app, site, page.id)
    assert.ok(urls.includes('https://example.org/fine'), urls.join('\n'))
    for (const url of urls) assert.match(url, /^(?:https?|mailto|tel):/i)
    assert.deepEqual(actions, [])
  },
)
