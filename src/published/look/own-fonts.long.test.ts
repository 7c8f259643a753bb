// Fonts of an organization, as readers of its sites get them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { startBrowser } from '../../../test/browser/browser.ts'
import { png } from '../../../test/every-content.ts'
import { bold, oldBold, regular } from '../../../test/fonts.ts'
import { upload } from '../../../test/uploading.ts'
import { type TestSite, aSite, expect } from '../../../test/visitor.ts'
import { anotherNode } from '../../audience/testing/another-node.ts'
import { sql } from '../../db/sql.ts'
import { Looks } from './looks.ts'

const browser = await startBrowser()
const app = await startApp()

async function aFont({ org, who }: TestSite, fontFamily: string, faces: [number, Buffer][]) {
  const fontFaces = []
  for (const [weight, bytes] of faces) {
    const file = { bytes, name: 'a.woff2', kind: 'customization_font' }
    fontFaces.push({ weight, storageKey: await upload(app, { client: who, organizationId: org.id }, file) })
  }
  return expect(await who.put(`/v1/orgs/${org.id}/fonts`, { fontFamily, fontFaces }), 201)
}

const setIn = async ({ who, path }: TestSite, styling: object) =>
  expect(await who.put(`${path}/customization`, { styling }), 200)

/** Loads the start page and its style sheet the way a reader of the site does. */
async function seen(site: TestSite, reader = site.browser()) {
  const { text, headers } = await reader.get(site.address)
  const [, preload] = /<link rel="preload" href="([^"]+)" as="font" type="([^"]+)"/.exec(text) ?? []
  const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
  const css = (await reader.get(sheet!)).text
  const files = [...css.matchAll(/url\((own\/[\w.]+)\)/g)].map(([, file]) => `${site.address}~/assets/${file}`)
  return { text, headers, preload: preload!, sheet: sheet!, css, files }
}

test('a site in fonts of its organization serves them from its own address, cached as immutable', async () => {
  const site = await aSite(app)
  const text = await aFont(site, `Acme "Sans" 'x' </style>`, [
    [400, regular],
    [700, oldBold],
  ])
  const code = await aFont(site, 'Inter', [[400, bold]])
  await setIn(site, { font: text, monospaceFont: code })
  const { css, files, preload, headers, sheet } = await seen(site)
  assert.match(css, new RegExp(`--font-body: 'Acme Sans x style ${text.id}', ui-sans-serif, `))
  assert.match(css, new RegExp(`--font-mono: 'Inter ${code.id}', ui-monospace, `))
  assert.match(css, /format\('woff2'\); font-weight: 400; font-display: swap; }/)
  assert.match(css, /format\('woff'\); font-weight: 700; font-display: swap; }/)
  assert.equal(files.length, 3)
  assert.equal(preload, files[0], 'the weight of text is there early')
  assert.match(String(headers['content-security-policy']), /font-src 'self';/)
  for (const [at, type, bytes] of [
    [0, 'font/woff2', regular],
    [1, 'font/woff', oldBold],
    [2, 'font/woff2', bold],
  ] as const) {
    const { status, headers } = await site.browser().get(files[at]!)
    assert.deepEqual([status, headers['content-type'], headers['x-content-type-options']], [200, type, 'nosniff'])
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(Number(headers['content-length']), bytes.length)
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/)
  }
  // A process that has not drawn any page of the site yet serves the same.
  Object.assign(app.app, { looks: new Looks() })
  assert.equal((await site.browser().get(sheet)).text, css)

  expect(await site.who.post(`/v1/orgs/${site.org.id}/fonts/${code.id}`, { fontFamily: 'Mono' }), 201)
  assert.match((await seen(site)).css, /--font-mono: 'Mono /, 'a change is seen at once')
})

test('a space of a site can have its own fonts, and a font no longer chosen gets 404', async () => {
  const site = await aSite(app)
  const font = await aFont(site, 'Acme', [[400, regular]])
  const look = `${site.path}/site-spaces/${site.siteSpaceId}/customization`
  expect(await site.who.patch(look, { styling: { headingFont: { id: font.id } } }), 200)
  const { css, files, preload } = await seen(site)
  assert.match(css, /--font-heading: 'Acme /)
  assert.match(preload, /inter-latin/)
  assert.equal((await site.browser().get(files[0]!)).status, 200)
  expect(await site.who.delete(look), 205)
  assert.equal((await site.browser().get(files[0]!)).status, 404)
})

test('the font address of a site serves only fonts that the site uses', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const other = await aSite(app)
  const font = await aFont(site, 'Acme', [[400, regular]])
  const unused = await aFont(site, 'Unused', [[400, bold]])
  const foreign = await aFont(other, 'Other', [[400, oldBold]])
  await setIn(site, { font })
  await setIn(other, { font: foreign })
  const files = [{ name: 'a.png', base64: png, contentType: 'image/png' }]
  expect(await site.space.edit({ operation: 'insert_files', files }), 200)
  const pathOf = (each: any) =>
    `${site.address}~/assets/own/${new URL(each.fontFaces[0].sources[0].url).pathname.split('/').at(-1)}`
  const stranger = site.browser()
  assert.equal((await stranger.get(site.address)).status, 404, 'who has no key reads nothing')
  assert.equal((await stranger.get(pathOf(font))).status, 200, 'what it is set in is no secret')
  const { hash } = await app.db.one(sql<{ hash: string }>`
    select hash from blobs where organization_id = ${site.org.id} and content_type = 'image/png'`)
  for (const path of [
    pathOf(unused),
    pathOf(foreign),
    `${site.address}~/assets/own/${hash}.woff2`,
    `${site.address}~/assets/own/${hash}`,
    pathOf(font).replace('.woff2', ''),
    pathOf(font).replace('.woff2', '.woff'),
    pathOf(font).replace('/own/', '/'),
    pathOf(font).replace('/own/', '/own/x/../'),
    `${site.address}~/assets/own/`,
    `${site.address}~/assets/own`,
  ]) {
    const { status, headers } = await stranger.get(path)
    assert.deepEqual([status, headers['cache-control']], [404, 'private, no-store'], path)
  }
})

test('a second node serves the style sheet and fonts of a page before it hears of the change', async () => {
  const site = await aSite(app)
  const second = await anotherNode(app)
  assert.equal((await second.browser.get(site.address)).status, 200)
  // Simulates a message that takes a while to arrive.
  Object.assign(second.db.news, { hear: () => {} })
  await setIn(site, {
    font: await aFont(site, 'Acme', [[400, regular]]),
    primaryColor: { light: '#aa3311', dark: '#ee7755' },
  })
  const { sheet, files } = await seen(site)
  for (const file of [files[0]!, sheet]) assert.equal((await second.browser.get(file)).status, 200, file)
  const unknown = sheet.replace(/site\.\w+/, 'site.000000000000')
  assert.equal((await second.browser.get(unknown)).status, 404)
})

test('a browser loads the organization fonts for text and code without violating the content security policy', async () => {
  const pages = [{ operation: 'insert_page', document: { markdown: '# Title\n\nText **bold**.\n\n```\ncode\n```\n' } }]
  const site = await aSite(app, { pages })
  const font = await aFont(site, 'Acme', [
    [400, regular],
    [700, bold],
  ])
  await setIn(site, { font, monospaceFont: await aFont(site, 'Mono', [[400, oldBold]]) })
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(app.url + site.address)
  const loaded = await page.evaluate<string[]>(
    `document.fonts.ready.then(() => [...document.fonts].flatMap(({ family, weight, status }) => status === 'loaded' ? family.replaceAll('"', '').split(' ')[0] + ' ' + weight : []))`,
  )
  assert.deepEqual(loaded.toSorted(), ['Acme 400', 'Acme 700', 'Mono 400'])
  assert.deepEqual(complaints, [])
  await page.close()
})
