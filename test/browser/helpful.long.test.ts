// Pages that ask whether they help, in a real browser: with and without script, with a keyboard, on a phone.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { newPage } from '../editing.ts'
import { type TestSite, aSite, expect } from '../visitor.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'

const browser = await startBrowser()
const app = await startApp()

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function anAskingSite(language?: string, visibility = 'public') {
  const site = await aSite(app, { visibility, pages: [newPage('Welcome'), newPage('Guide')] })
  if (language) expect(await site.who.patch(site.space.path, { language }), 200)
  expect(await site.who.put(`${site.path}/customization`, { feedback: { enabled: true } }), 200)
  return site
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ userAgent: firefox, viewport: { width: 1280, height: 900 }, ...options })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

async function said(site: TestSite) {
  await app.app.insights.flush()
  const told = async (what: string) => expect(await site.who.get(`${site.path}/insights/${what}`), 200).items
  const [ratings, remarks] = await Promise.all([told('ratings'), told('remarks')])
  return [
    ...ratings.map(({ title, helpful, unhelpful }: any) => [title, helpful, unhelpful]),
    ...remarks.map(({ text }: any) => text),
  ]
}

const shown = (page: Page) => page.$$eval('.rate > *', (all) => all.map((each: any) => each.checkVisibility()))

test('a reader who rates a page stays on it, is thanked, and can write a comment', async () => {
  const site = await anAskingSite()
  const page = await open(`${app.url}${site.address}guide`)
  assert.deepEqual(await shown(page), [true, false, false])
  assert.deepEqual(await flaws(page), [])
  await page.focus('.rate-ask [value=no]')
  await page.keyboard.press('Enter')
  await untilTrue(page, `document.activeElement.textContent === 'Thank you!'`)
  assert.deepEqual(await shown(page), [false, true, false])
  assert.deepEqual(await flaws(page), [])
  await page.keyboard.press('Tab')
  await page.keyboard.type('How hot?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await untilTrue(page, `document.activeElement.textContent.startsWith('Thank you, that')`)
  assert.deepEqual(await shown(page), [false, false, true])
  assert.deepEqual(await flaws(page), [])
  assert.equal(page.url(), `${app.url}${site.address}guide`)
  assert.deepEqual(await said(site), [['Guide', 0, 1], 'How hot?'])
})

test('without script, feedback works through forms, on public sites and with share links', async () => {
  for (const visibility of ['public', 'share-link']) {
    const site = await anAskingSite(undefined, visibility)
    const link = visibility === 'public' ? undefined : await site.who.post(`${site.path}/share-links`, { name: 'Us' })
    const start = link ? new URL(expect(link, 201).urls.published).pathname : site.address
    const page = await open(app.url + start, { javaScriptEnabled: false })
    await page.click('.rate-ask [value=yes]')
    await page.waitForURL(/#~thanks$/)
    assert.deepEqual(await page.locator('.rate > :visible').count(), 1)
    await page.fill('.rate-more textarea', 'More pictures')
    await page.click('.rate-more button')
    await page.waitForURL(/#~sent$/)
    assert.equal(await page.locator('.rate > :visible').textContent(), 'Thank you, that is on its way to the authors.')
    assert.deepEqual(await said(site), [['Welcome', 1, 0], 'More pictures'], visibility)
  }
})

test('a comment that cannot be sent says so, and keeps what was typed', async () => {
  const site = await anAskingSite()
  const page = await open(app.url + site.address)
  await page.click('.rate-ask [value=yes]')
  await page.waitForSelector('.rate-more[data-on]')
  await page.fill('.rate-more textarea', 'Kept')
  await page.route('**/~/helpful', (route) => route.abort())
  await page.click('.rate-more button')
  await untilTrue(page, `document.querySelector('.toast').textContent.startsWith('That did not get through')`)
  assert.equal(await page.inputValue('.rate-more textarea'), 'Kept')
})

test('the feedback question fits a 320 pixel page in German, Polish, Russian and Arabic', async () => {
  for (const language of ['de', 'pl', 'ru', 'ar']) {
    const site = await anAskingSite(language)
    const page = await open(app.url + site.address, { viewport: { width: 320, height: 700 } })
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'), language)
    await page.click('.rate-ask [value=no]')
    await page.waitForSelector('.rate-more[data-on]')
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'), language)
  }
})
