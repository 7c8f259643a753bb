// Differences between Safari and the browser of these tests: what Safari lacks is taken away here, or the style sheets
// are checked for it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { newPage } from '../editing.ts'
import { type TestSite, aSite } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

const tabs = (text: string) => `{% tabs %}
{% tab title="One" %}
Text.
{% endtab %}
{% tab title="Two" %}
### In two

${text}
{% endtab %}
{% endtabs %}`

const aBook = () =>
  aSite(app, {
    pages: [
      { operation: 'insert_page', document: { markdown: `# Teapots\n\n## First\n\nText.\n\n${tabs('Text.')}\n` } },
      newPage('Kettle'),
    ],
  })

/** Opens a page in a browser, with a script that runs before those of the page. */
async function open(path: string, script = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1280, height: 900 }, ...options })
  after(() => context.close())
  await context.addInitScript(script)
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(path)
  return page
}

async function signIn(page: Page, site: TestSite): Promise<void> {
  const { secret } = await aSession(app, site.org.admin)
  await page.context().addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
}

test('if scripts may copy only during a click, a page is still copied although its text is fetched first', async () => {
  const site = await aBook()
  const whileClicked = `{
    let isClicked = false
    addEventListener('click', () => { isClicked = true; setTimeout(() => (isClicked = false)) }, true)
    for (const name of ['write', 'writeText']) {
      const real = Clipboard.prototype[name]
      Clipboard.prototype[name] = function (...given) {
        return isClicked ? real.apply(this, given) : Promise.reject(new DOMException('Too late', 'NotAllowedError'))
      }
    }
  }`
  const page = await open(site.address, whileClicked, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.click('[data-copy-page]')
  await page.waitForSelector('.toast:text-is("Copied")')
  assert.match(await page.evaluate('navigator.clipboard.readText()'), /^# Teapots\n/)
})

test('without checkVisibility, the outline, addresses within tabs and the search work', async () => {
  const { address } = await aBook()
  const page = await open(`${address}#in-two`, 'delete Element.prototype.checkVisibility')
  assert.ok(await page.isVisible('#in-two'))
  assert.equal(await page.locator('aside.toc [aria-current]').count(), 1)
  await page.keyboard.press('/')
  await page.waitForSelector('dialog.search .hit')
})

test('Enter that ends a word of an input method follows no hit, even if only its key code says so', async () => {
  const { address } = await aBook()
  const page = await open(address)
  await page.keyboard.press('/')
  await page.keyboard.type('kettle')
  await page.waitForSelector('.hit mark')
  await page.locator('dialog.search input').dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  assert.ok(await page.isVisible('dialog.search'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/kettle/)
})

test('the search key opens the search again after closing, even if the focus stays in the dialog', async () => {
  const { address } = await aBook()
  const page = await open(address)
  // Keeps the closed dialog displayed, so that the focus stays in it.
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('dialog.search { display: flex }')
    document.adoptedStyleSheets = [sheet]
  }`)
  for (const [key, isOpen] of [
    ['/', true],
    ['Escape', false],
    ['/', true],
  ] as const) {
    await page.keyboard.press(key)
    // The page learns a little later that the dialog was closed.
    await untilTrue(page, `document.querySelector('dialog.search').open === ${isOpen}`)
    await untilTrue(page, `document.activeElement.matches('dialog.search input') === ${isOpen}`)
  }
})

test('a touch outside a menu closes it without a click', async () => {
  const { address } = await aBook()
  const page = await open(address)
  await page.click('.page-actions summary')
  await page.locator('.page-actions .menu-list a').first().dispatchEvent('pointerdown', { bubbles: true })
  assert.ok(await page.isVisible('.page-actions .menu-list'))
  await page.locator('.prose p').first().dispatchEvent('pointerdown', { bubbles: true })
  assert.ok(await page.isHidden('.page-actions .menu-list'))
})

test('on touch screens no field has text below 16 pixels, so that phones do not zoom in', async () => {
  const site = await aBook()
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
  const page = await open('/login', '', phone)
  const small = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('input, select, textarea')]
      .filter((each) => !['hidden', 'checkbox', 'radio', 'file', 'color'].includes(each.type))
      .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 16)
      .map((each) => location.pathname.replace(/[0-9a-f-]{36}/g, '…') + ' ' + each.name)`)
  const found = await small()
  await signIn(page, site)
  const change = await site.space.changeRequest()
  const [home, space] = [`/app/o/${site.org.id}`, `/app/o/${site.org.id}/s/${site.space.id}`]
  const { pages } = (await site.who.get(`${change.path}/content/pages`)).body
  for (const path of [
    `${site.address}no-such-page`,
    `${site.address}~/search?q=x`,
    '/docs/api',
    '/account',
    ...['', '/people', '/people/invites', '/settings', '/record', '/specifications'].map((each) => home + each),
    ...['', '/~/settings', '/~/access', '/~/git', '/~/changes/1', `/~/changes/1/pages/${pages[0].id}`].map(
      (each) => space + each,
    ),
    ...['', '/look', '/redirects', '/claims'].map((each) => `${home}/sites/${site.id}${each}`),
  ]) {
    const response = await page.goto(path)
    if (!path.includes('no-such-page')) assert.equal(response!.status(), 200, path)
    found.push(...(await small()))
  }
  assert.deepEqual(found, [])
})

test('rows of tabs scroll only sideways, and a chosen option does not widen the page', async () => {
  const site = await aBook()
  const page = await open(site.address)
  const upAndDown = `[...document.querySelectorAll('.work-tabs, .tablist')]
    .map((row) => getComputedStyle(row).overflowY + (row.scrollHeight - row.clientHeight))`
  for (const row of await page.evaluate<string[]>(upAndDown)) assert.match(row, /^hidden/)
  await signIn(page, site)
  await page.goto(`/app/o/${site.org.id}`)
  assert.deepEqual(await page.evaluate(upAndDown), ['hidden0'])
  await page.goto(`/app/o/${site.org.id}/sites/${site.id}/look`)
  assert.equal(await page.evaluate('getComputedStyle(document.querySelector("select")).contain'), 'paint')
})

test('search results take the height of their content, not a share of the dialog', async () => {
  const { address } = await aBook()
  const page = await open(address)
  await page.keyboard.press('/')
  await page.waitForSelector('dialog.search .hit')
  assert.equal(await page.evaluate('getComputedStyle(document.querySelector(".hits")).flexBasis'), 'auto')
})

const sheets = globSync('../../src/*/assets/*.css', { cwd: import.meta.dirname }).map((sheet) => ({
  sheet,
  css: readFileSync(new URL(sheet, import.meta.url), 'utf8'),
}))

test('content-visibility is used only in browsers that support scroll anchoring', () => {
  const guessing = sheets.filter(({ css }) => css.includes('content-visibility: auto'))
  assert.equal(guessing.length, 1)
  for (const { sheet, css } of guessing)
    assert.doesNotMatch(css.split('@supports (overflow-anchor: auto)')[0]!, /content-visibility: auto/, sheet)
})

test('properties that Safari knows by a prefixed name are also written with that name', () => {
  assert.ok(sheets.length > 20)
  for (const { sheet, css } of sheets) {
    for (const name of ['user-select', 'backdrop-filter', 'box-decoration-break', 'text-size-adjust'])
      for (const [, value] of css.matchAll(new RegExp(`^ *${name}: (.*);$`, 'gm')))
        assert.match(css, new RegExp(`^ *-webkit-${name}: ${RegExp.escape(value!)};$`, 'm'), `${sheet}: ${name}`)
  }
})
