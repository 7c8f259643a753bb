// The settings of a look are what a reader sees, in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { type TestSite, aSite, expect } from '../visitor.ts'

const browser = await startBrowser()
const app = await startApp()
const pages = [{ operation: 'insert_page', document: { markdown: '# Start\n\nText.\n\n```\ncode\n```\n' } }]
const colours = (light: string, dark = light) => ({ light, dark })

async function openWith(site: TestSite, look: object, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(app.url + site.address)
  return page
}

/**
 * Measures how far the backgrounds of code and of the page, and the colour of its text, are from grey: the largest
 * difference between the red, green and blue parts (0 to 255).
 */
async function farthestFromGrey(page: Page): Promise<number> {
  const parts = await page.evaluate<number[][]>(`['.code', 'html', 'h1'].map((name) => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector(name))
    const at = new OffscreenCanvas(1, 1).getContext('2d')
    at.fillStyle = name === 'h1' ? color : backgroundColor
    at.fillRect(0, 0, 1, 1)
    return [...at.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  })`)
  return Math.max(...parts.map((rgb) => Math.max(...rgb) - Math.min(...rgb)))
}

test('greys have no hue on a site whose colours are black, white or grey', async () => {
  const site = await aSite(app, { pages })
  const looks = [
    { tint: { color: colours('#808080') } },
    { tint: { color: colours('#808080') }, background: 'match' },
    { primaryColor: colours('#000000', '#ffffff') },
    { primaryColor: colours('#333333', '#cccccc'), theme: 'muted' },
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const styling of looks) {
      const far = await farthestFromGrey(await openWith(site, { styling }, colorScheme))
      assert.ok(far <= 2, `${colorScheme} ${JSON.stringify(styling)}: ${far}`)
    }
    const red = { tint: { color: colours('#ff0000') } }
    assert.ok((await farthestFromGrey(await openWith(site, { styling: red }, colorScheme))) > 5, colorScheme)
  }
})

test('a site starts light or dark as set, or as the device of the reader is set if it chose neither', async () => {
  const site = await aSite(app, { pages })
  const look = `${site.path}/customization`
  const isDark = async (device: 'light' | 'dark') => {
    const context = await browser.newContext({ colorScheme: device })
    after(() => context.close())
    const page = await context.newPage()
    await page.goto(app.url + site.address)
    assert.equal(await page.locator('[data-theme-toggle]').count(), 1, 'they can switch')
    return page.evaluate<boolean>(`{
      const { colorScheme } = getComputedStyle(document.documentElement)
      colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
    }`)
  }
  const seen = async () => [await isDark('light'), await isDark('dark')]
  assert.deepEqual(await seen(), [false, true], 'nothing chosen')
  // A look that was read can be sent back, and nothing changes.
  const read = expect(await site.who.get(look), 200)
  expect(await site.who.put(look, { ...read, title: 'The Book' }), 200)
  assert.deepEqual(await seen(), [false, true], 'sent as it was read')
  for (const [first, expected] of [
    ['dark', [true, true]],
    ['light', [false, false]],
    ['system', [false, true]],
    ['light', [false, false]],
  ] as const) {
    const { themes } = expect(await site.who.put(look, { themes: { default: first, toggeable: true } }), 200)
    assert.deepEqual([themes.default, await seen()], [first, expected])
  }
  expect(await site.who.put(look, expect(await site.who.get(look), 200)), 200)
  assert.deepEqual(await seen(), [false, false], 'light was chosen, and is read and sent again')
  expect(await site.who.put(look, {}), 200)
  assert.deepEqual(await seen(), [false, true], 'nothing chosen any more')
})

test('a header link with links below it keeps its own target and style', async () => {
  const site = await aSite(app, { pages })
  const to = (path: string) => ({ kind: 'url', url: `https://example.org/${path}` })
  const below = [{ title: 'Tea', to: to('tea') }]
  const links = [
    { title: 'Products', to: to('products'), links: below },
    { title: 'More', to: null, links: below },
    { title: 'Buy', style: 'button-primary', to: to('buy'), links: below },
  ]
  const page = await openWith(site, { header: { links } })
  const [products, more, buy] = await page.locator('.head .head-menu').all()
  const leads = (menu: typeof products) =>
    menu!.locator('a').evaluateAll((all) => all.map((each) => `${each.textContent} ${each.getAttribute('href')}`))
  await products!.locator('summary').click()
  assert.ok(await products!.getByRole('link', { name: 'Products' }).isVisible())
  assert.deepEqual(await leads(products), ['Products https://example.org/products', 'Tea https://example.org/tea'])
  assert.deepEqual(await leads(more), ['Tea https://example.org/tea'])
  assert.deepEqual(await leads(buy), ['Buy https://example.org/buy', 'Tea https://example.org/tea'])
  const grounds = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.head .head-menu > summary')].map((each) => getComputedStyle(each).backgroundColor)`,
  )
  assert.notEqual(grounds[2], grounds[1], 'a button looks like one')
})
