// Sites in languages other than English, in a real browser: the variants that readers are offered in their language,
// and mirrored layout.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { petstore } from '../../src/openapi/testing/petstore.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { aLiveSpace, newPage } from '../editing.ts'
import { type TestSite, aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

/** A site in English, with variants in these languages at paths named after them. */
async function aSiteIn(...languages: string[]): Promise<TestSite> {
  const site = await aSite(app)
  expect(await site.who.patch(site.space.path, { language: 'en' }), 200)
  for (const language of languages) {
    const space = await aLiveSpace(app, site.org)
    expect(await space.edit(newPage('Welcome'), newPage('Guide')), 200)
    expect(await site.who.patch(space.path, { language }), 200)
    const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: space.id }), 201)
    expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { title: language, path: language }), 200)
  }
  return site
}

/** Opens a browser for a reader with these languages, which pages read from `navigator.languages`. */
async function aReader(...languages: string[]): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.url, locale: languages[0]! })
  after(() => context.close())
  const list = JSON.stringify(languages)
  await context.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ${list} })`)
  return context.newPage()
}

const offered = async (reader: Page, address: string) => {
  await reader.goto(address)
  return reader.locator('.offer:visible').evaluateAll((all) => all.map((each) => each.getAttribute('lang')))
}

test('the start page offers readers the variant in their language, and nothing to readers of the current language', async () => {
  const { address } = await aSiteIn('de', 'pt-br', 'ar', 'no', 'zh', 'zh-tw')
  const offers: [languages: string[], offered: string[]][] = [
    [['de-AT', 'en'], ['de']],
    [['en-GB', 'de'], []],
    [['sv', 'fi'], []],
    [['sv', 'de'], ['de']],
    [['pt-PT'], ['pt-br']],
    [['nb-NO'], ['no']],
    [['ar'], ['ar']],
    [['zh-CN'], ['zh']],
    [['zh-TW'], ['zh-tw']],
    [['zh-Hant-HK'], ['zh-tw']],
  ]
  for (const [languages, expected] of offers)
    assert.deepEqual(await offered(await aReader(...languages), address), expected, languages.join())

  const reader = await aReader('ar')
  await reader.goto(address)
  const offer = reader.locator('.offer:visible')
  assert.equal(await offer.getAttribute('dir'), 'rtl')
  assert.match(await offer.innerText(), /بالعربية/)
  assert.deepEqual(await flaws(reader), [])
  await offer.locator('a').click()
  await reader.waitForURL(`**${address}ar/`)
  // A reader who opened a variant or a page directly gets no offer.
  for (const below of ['ar/', 'guide', 'de/']) assert.deepEqual(await offered(reader, address + below), [], below)
})

test('an offer that was closed, or answered by choosing a variant, is not repeated on that site', async () => {
  const [first, second] = [await aSiteIn('de'), await aSiteIn('de')]
  const reader = await aReader('de')
  assert.deepEqual(await offered(reader, first.address), ['de'])
  await reader.locator('.offer:visible').getByRole('button', { name: 'Schließen' }).click()
  assert.equal(await reader.locator('.offer:visible').count(), 0)
  assert.deepEqual(await offered(reader, first.address), [])

  assert.deepEqual(await offered(reader, second.address), ['de'])
  await reader.locator('.variant summary').click()
  await reader.locator('.variant a').first().click()
  await reader.waitForURL(`**${second.address}`)
  assert.deepEqual(await offered(reader, second.address), [])
})

test('the start page is the same for every accept-language header, and redirects nobody', async () => {
  const site = await aSiteIn('de')
  const { address } = site
  const asked = ['de', 'en', 'fr;q=0.5, *', undefined].map((language) =>
    site.browser().get(address, { headers: language === undefined ? {} : { 'accept-language': language } }),
  )
  const answers = await Promise.all(asked)
  for (const { status, text, headers } of answers) {
    assert.deepEqual([status, text, headers['etag']], [200, answers[0]!.text, answers[0]!.headers['etag']])
    assert.doesNotMatch(String(headers['vary']), /language/i)
  }
  assert.match(answers[0]!.text, /class="offer"/)
  assert.doesNotMatch((await site.browser().get(`${address}guide`)).text, /class="offer"/)
})

test('a site in one language, or with versions in the same one, offers no variant', async () => {
  for (const languages of [[], ['en']]) {
    const { address } = await aSiteIn(...languages)
    assert.deepEqual(await offered(await aReader('de', 'en'), address), [])
  }
})

test('from right to left, the path of an operation is beside its method, and the icon of the open key is not mirrored', async () => {
  const block = '{% openapi-operation spec="shop" path="/pets" method="get" %}\n{% endopenapi-operation %}'
  const site = await aSite(app, { pages: [newPage('Pets', { document: { markdown: `# Pets\n\n${block}\n` } })] })
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const reader = await aReader('en')
  for (const language of ['en', 'ar']) {
    expect(await site.who.patch(site.space.path, { language }), 200)
    await reader.goto(site.address)
    const [method, path] = [reader.locator('.op-line .verb'), reader.locator('.op-path b')]
    const [a, b] = [(await method.boundingBox())!, (await path.boundingBox())!]
    const between = language === 'ar' ? a.x - (b.x + b.width) : b.x - (a.x + a.width)
    assert.ok(between > 0 && between < 40, `${language}: ${between}`)
  }
  await reader.keyboard.press('/')
  await reader.keyboard.type('pets')
  await reader.waitForSelector('.hit mark')
  const scale = "getComputedStyle(document.querySelector('.hit .go .i')).scale"
  assert.equal(await reader.evaluate(scale), 'none')
})
