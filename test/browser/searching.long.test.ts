// The search of a published site in a real browser: what readers see while they type, and when the server does not
// answer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { aSite } from '../visitor.ts'

const browser = await startBrowser()
const app = await startApp()

const markdown = (text: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown: text },
  ...more,
})

async function openSearch(...pages: object[]): Promise<Page> {
  const site = await aSite(app, { pages: [markdown('# Welcome\n\nHello.\n'), ...pages] })
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  after(() => page.context().close())
  await page.goto(`${app.url}${site.address}`)
  await page.keyboard.press('/')
  await page.waitForSelector('.hit')
  return page
}

test('after a failed search, Enter asks again, and shows the result before it is followed', async () => {
  const page = await openSearch(markdown('# Teapot\n\nFor tea.\n'))
  const here = page.url()
  await page.route(/q=teapot/, (route) => route.abort())
  // At once: with slow typing, an answer would come before the last letter, and Enter would follow that.
  await page.fill('dialog.search input', 'teapot')
  await page.waitForSelector('.none')
  await page.unroute(/q=teapot/)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.hit mark')
  assert.equal(page.url(), here)
  await page.keyboard.press('Enter')
  await page.waitForURL(/teapot$/)
})

test('a late search answer does not replace a newer one', async () => {
  const page = await openSearch(markdown('# Teapot\n\nFor tea.\n'), markdown('# Kettle\n\nFor water.\n'))
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/q=teapot/, async (route) => {
    await held
    await route.continue()
  })
  await Promise.all([page.waitForRequest(/q=teapot/), page.keyboard.type('teapot')])
  await page.fill('dialog.search input', 'kettle')
  // Suggestions that are shown before a search have no words marked.
  await page.waitForSelector('.hit b mark:text-is("Kettle")')
  await page.evaluate(`new MutationObserver(() => (globalThis.seen ??= []).push(document.querySelector('.hits').textContent))
    .observe(document.querySelector('.hits'), { childList: true })`)
  const late = page.waitForResponse(/q=teapot/)
  answer()
  await (await late).finished()
  await page.fill('dialog.search input', 'water')
  await page.waitForSelector('.hit small mark:text-is("water")')
  assert.deepEqual(await page.locator('.hit b').allTextContents(), ['Kettle'])
  assert.doesNotMatch((await page.evaluate<string[]>('seen')).join(), /Teapot/)
})

test('an answer that arrives after the search was closed does not navigate away', async () => {
  const page = await openSearch(markdown('# Teapot\n\nFor tea.\n'))
  const led: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && led.push(request.url()))
  // Holds the first search for `teapot` and later answers it with 401, as if the reader has to sign in again. Further
  // searches go through.
  await page.evaluate(`{
    const { fetch } = globalThis
    globalThis.refused = Promise.withResolvers()
    globalThis.asked = new Promise((resolve) => {
      globalThis.fetch = (address, ...more) => {
        if (!String(address).endsWith('q=teapot')) return fetch(address, ...more)
        globalThis.fetch = fetch
        resolve()
        return refused.promise
      }
    })
    undefined
  }`)
  await page.keyboard.type('teapot')
  await page.evaluate('globalThis.asked')
  // In one step: browsers report only later that a dialog was closed.
  await page.evaluate(
    `document.querySelector('dialog.search').close(); refused.resolve(new Response('', { status: 401 }))`,
  )
  await page.keyboard.press('/')
  await page.waitForSelector('.hit mark')
  assert.deepEqual(led, [])
})

test('a search row shows the words it was found by, however long the path to its page is', async () => {
  const above = 'A chapter with a name that is rather long'
  const text = `${'Many words stand here before it. '.repeat(10)} The walrus is here. ${'Others follow. '.repeat(20)}`
  const page = await openSearch(
    markdown(`# ${above}\n`, { ref: 'above' }),
    markdown(`# Below\n\n${text}\n`, { into: 'above' }),
  )
  await page.keyboard.type('walrus')
  await page.waitForSelector('.hit mark')
  const [mark, row] = await page.evaluate<{ right: number; bottom: number }[]>(
    `['.hit mark', '.hit small'].map((name) => document.querySelector(name).getBoundingClientRect().toJSON())`,
  )
  assert.ok(mark!.right <= row!.right && mark!.bottom <= row!.bottom + 1, JSON.stringify({ mark, row }))
})

test('the search shows that it is busy while an answer is pending', async () => {
  const page = await openSearch(markdown('# Teapot\n\nFor tea.\n'))
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/q=teapot/, async (route) => {
    await held
    await route.continue()
  })
  assert.equal(await page.locator('.hits[aria-busy]').count(), 0)
  await page.keyboard.type('teapot')
  await page.waitForSelector('.hits[aria-busy="true"]')
  const bar = `getComputedStyle(document.querySelector('.search-bar'), '::after').content`
  assert.equal(await page.evaluate(bar), '""')
  answer()
  await page.waitForSelector('.hit b mark:text-is("Teapot")')
  assert.equal(await page.locator('.hits[aria-busy]').count(), 0)
  assert.equal(await page.evaluate(bar), 'none')
})
