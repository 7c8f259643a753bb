// A published site in a real browser: menus fit their contents on every screen, and show readers where they are.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { aLiveSpace, newPage } from '../editing.ts'
import { type TestSite, aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser(['--host-resolver-rules=MAP lectern.test 127.0.0.1'])
const app = await startApp()

async function open(site: TestSite, path = '', width = 1280): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 700 }, reducedMotion: 'reduce' })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}${path}`)
  return page
}

/** A site with one section for each of the arguments. All but the first are in a group. */
async function aSiteWithGroup(
  first: object,
  ...others: { title: string; icon?: string; description?: string }[]
): Promise<TestSite> {
  const site = await aSite(app)
  const [before] = expect(await site.who.get(`${site.path}/site-spaces`), 200).items
  const ids: string[] = []
  for (const more of others) {
    const space = await aLiveSpace(app, site.org)
    expect(await space.edit(newPage(`Start of ${more.title}`)), 200)
    const { id } = expect(await site.who.post(`${site.path}/sections`, { spaceId: space.id }), 201)
    expect(await site.who.patch(`${site.path}/sections/${id}`, more), 200)
    ids.push(id)
  }
  const { section } = expect(await site.who.get(`${site.path}/site-spaces`), 200).items.find(
    ({ id }: { id: string }) => id === before.id,
  )
  expect(await site.who.patch(`${site.path}/sections/${section}`, first), 200)
  expect(await site.who.post(`${site.path}/section-groups`, { title: 'Kits', icon: 'star', sections: ids }), 201)
  return site
}

/**
 * Whether an open menu is completely on the screen and does not make the page scroll sideways. Its items may scroll
 * within it.
 */
const onScreen = (menu: string) => `(() => {
    const box = document.querySelector('${menu}').getBoundingClientRect()
    return box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight &&
      document.documentElement.scrollWidth <= innerWidth
  })()`
const isOnScreen = (page: Page, menu: string) => page.evaluate<boolean>(onScreen(menu))

test('a group of sections has its icon and is marked while one of them is read, and items in its menu have icons', async () => {
  const site = await aSiteWithGroup({ title: 'Guides' }, { title: 'Java', icon: 'book' })
  const page = await open(site)
  await page.click('.sections summary')
  await page.click('.sections .menu-list a')
  await page.waitForSelector('h1:has-text("Start of Java")')
  const tab = page.locator('.sections > details > summary')
  assert.equal(await tab.locator('use[href="#i-star"]').count(), 1)
  const underline = (of: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${of}'), '::after').content`)
  assert.equal(await underline('.sections summary'), '""')
  assert.equal(await underline('.sections > a'), 'none')
  await tab.click()
  const [item, icon] = await Promise.all([
    page.locator('.sections .menu-list a').boundingBox(),
    page.locator('.sections .menu-list a .i').boundingBox(),
  ])
  assert.ok(icon!.x - item!.x < 20, 'the icon stands before the title')
})

test('a long section description, and one at the end of the row, do not make the page scroll sideways', async () => {
  const title = 'All that is to be known about the making of tea, from the leaf to the cup'
  const about = { title: 'Java', description: `${title}. `.repeat(3).trim() }
  const site = await aSiteWithGroup({ title }, about)
  for (const width of [980, 1280]) {
    const page = await open(site, '', width)
    await page.click('.sections summary')
    await untilTrue(page, onScreen('.sections .menu-list'))
  }
})

test('with many links beside a menu, their titles keep room beside their icons', async () => {
  const site = await aSiteWithGroup({ title: 'Guides' }, { title: 'Java' })
  for (let number = 1; number <= 13; number++) {
    const link = { title: `Elsewhere ${number}`, url: 'https://example.com/', icon: 'star' }
    expect(await site.who.post(`${site.path}/external-links`, link), 201)
  }
  const page = await open(site)
  const widths = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.sections > a > span')].map((each) => each.clientWidth)`,
  )
  assert.equal(widths.length, 14)
  assert.ok(Math.min(...widths) > 40, widths.join(' '))
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
})

test('with more sections than fit, titles are whole, menus open below them, and the current section is in view', async () => {
  const site = await aSiteWithGroup({ title: 'Guides' }, { title: 'Java' })
  const addLinks = async (from: number) => {
    for (let number = from; number < from + 14; number++)
      expect(await site.who.post(`${site.path}/external-links`, { title: `Elsewhere ${number}`, url }), 201)
  }
  const url = 'https://example.com/'
  const addSection = async (title: string) =>
    expect(await site.who.post(`${site.path}/sections`, { spaceId: site.space.id, title }), 201)
  await addLinks(1)
  const group = [(await addSection('Cups')).id]
  expect(await site.who.post(`${site.path}/section-groups`, { title: 'More', sections: group }), 201)
  await addLinks(15)
  const last = await addSection('The last one')
  const inView = (of: string) => `(() => {
    const box = document.querySelector('${of}').getBoundingClientRect()
    return box.width > 0 && box.left >= 0 && box.right <= innerWidth
  })()`

  const page = await open(site, `${last.path}/`)
  assert.deepEqual(
    await page.evaluate(`[...document.querySelectorAll('.sections > a > span, .sections > .menu > summary > span')]
      .filter((each) => each.scrollWidth > each.clientWidth || each.clientWidth < 20).map((each) => each.textContent)`),
    [],
  )
  await untilTrue(page, inView('.sections > [aria-current]'))
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))

  const menu = page.locator('.sections > .menu').nth(1)
  await menu.locator('summary').click()
  await untilTrue(page, onScreen('.sections > .menu[open] > .menu-list'))
  await untilTrue(
    page,
    `(() => {
      const menu = document.querySelector('.sections > .menu[open]')
      const [title, list] = [...menu.children].map((part) => part.getBoundingClientRect())
      return Math.abs(title.left - list.left) < 2 && list.top >= title.bottom
    })()`,
  )
  await menu.locator('a').click()
  await page.waitForSelector('.sections > .menu[data-current]')
  await untilTrue(page, inView('.sections > [data-current]'))
})

test('the last link of a menu longer than the screen can be reached', async () => {
  const site = await aSite(app)
  const to = { kind: 'url', url: 'https://example.com/' }
  const links = Array.from({ length: 40 }, (_, n) => ({ title: `Link ${n}`, to }))
  const header = { preset: 'default', links: [{ title: 'Many', to: null, links }] }
  expect(await site.who.put(`${site.path}/customization`, { header }), 200)
  const page = await open(site)
  await page.click('.head-menu summary')
  assert.ok(await isOnScreen(page, '.head-menu .menu-list'))
  await page.locator('.head-menu a:has-text("Link 39")').scrollIntoViewIfNeeded()
  assert.ok(await isOnScreen(page, '.head-menu li:last-child a'))
})

test('on a phone, the menu of page actions stays on the screen, with and without script', async () => {
  const site = await aSite(app)
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ viewport: { width: 320, height: 700 }, javaScriptEnabled })
    after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${app.url}${site.address}`)
    await page.click('.page-actions summary')
    assert.ok(await isOnScreen(page, '.page-actions .menu-list'), `script: ${javaScriptEnabled}`)
  }
})

test('a menu closes when the focus leaves it, and covers nothing that has the focus', async () => {
  const site = await aSite(app)
  const page = await open(site)
  await page.focus('.page-actions summary')
  await page.keyboard.press('Enter')
  assert.ok(await page.isVisible('.page-actions .menu-list'))
  await page.keyboard.press('Tab')
  assert.ok(await page.isVisible('.page-actions .menu-list'), 'its links are in it')
  await page.focus('.turn a')
  assert.ok(await page.isHidden('.page-actions .menu-list'))
})

test('a page that the browser restores has no menu open', async () => {
  const page = await open(await aSite(app))
  await page.click('.page-actions summary')
  assert.ok(await page.isVisible('.page-actions .menu-list'))
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
  assert.ok(await page.isHidden('.page-actions .menu-list'))
})

test('the MCP address is copied without leaving the page', async () => {
  const site = await aSite(app)
  expect(await site.who.put(`${site.path}/customization`, { pageActions: { items: ['mcp'] } }), 200)
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}`)
  await page.click('.page-actions summary')
  // Waiting starts before the action, because the mark is shown only briefly.
  const copiedNow = page.waitForSelector('[data-copy][data-done]')
  await page.click('.page-actions [data-copy]')
  await copiedNow
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), `http://lectern.test${site.address}~/mcp`)
  assert.equal(page.url(), `${app.url}${site.address}`)
})

test('a long breadcrumb is one line on a phone, with its first and last pages, and complete on a wide screen', async () => {
  const site = await aSite(app)
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const title = (name: string) => `All about ${name} and what comes of it`
  const pages = names.map((name, at) =>
    newPage(title(name), { ref: name, slug: name, ...(at > 0 && { into: names[at - 1] }) }),
  )
  expect(await site.space.edit(...pages, newPage('Below', { into: 'g' })), 200)
  for (const width of [320, 1280]) {
    const page = await open(site, `${names.join('/')}/below`, width)
    const seen = await page
      .locator('.crumbs a')
      .evaluateAll((links: any[]) => links.filter((link) => link.checkVisibility()).map((link) => link.textContent))
    assert.deepEqual(seen, (width === 320 ? ['a', 'f', 'g'] : names).map(title))
    const { height } = (await page.locator('.crumbs').boundingBox())!
    assert.equal(height < 30, width === 320, String(height))
    assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`))
  }
})

test('unbreakable names in a breadcrumb do not make a phone scroll sideways', async () => {
  const site = await aSite(app)
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
  expect(
    await site.space.edit(newPage(word, { ref: 'above', slug: 'above' }), newPage('Below', { into: 'above' })),
    200,
  )
  const page = await open(site, 'above/below', 320)
  assert.equal(await page.textContent('.crumbs li:last-child'), word)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
})

test('code can be copied without TLS too, and the focus stays', async () => {
  const code = { document: { markdown: '# Code\n\n```sh\necho tea\n```\n' } }
  const site = await aSite(app, { pages: [newPage('Code', code)] })
  const context = await browser.newContext()
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`http://lectern.test:${new URL(app.url).port}${site.address}`)
  assert.equal(await page.evaluate('isSecureContext'), false)
  await page.focus('.code .copy')
  // Waiting starts before the action, because the mark is shown only briefly.
  const copiedNow = page.waitForSelector('.copy[data-done]')
  await page.keyboard.press('Enter')
  await copiedNow
  assert.ok(await page.evaluate(`document.activeElement.matches('.copy')`))
  await page.keyboard.press('/')
  await page.keyboard.press('Control+V')
  assert.equal(await page.inputValue('dialog.search input'), 'echo tea')
})

test('a page with its page tree hidden has it behind the menu button on a phone, and nowhere else', async () => {
  const layout = '---\nlayout:\n  tableOfContents:\n    visible: false\n---\n\n'
  const parts = '## One\n\nText.\n\n## Two\n\nText.\n'
  const landing = { document: { markdown: `${layout}# Landing\n\n${parts}` } }
  const site = await aSite(app, { pages: [newPage('Landing', landing), newPage('Guide')] })
  const page = await open(site, '', 1440)
  assert.ok(await page.isHidden('.nav'))
  const [text, outline] = await Promise.all([
    page.locator('main').boundingBox(),
    page.locator('aside.toc').boundingBox(),
  ])
  assert.ok(outline!.x >= text!.x + text!.width, 'the outline stands beside the text')
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ viewport: { width: 390, height: 700 }, javaScriptEnabled })
    after(() => context.close())
    const phone = await context.newPage()
    await phone.goto(`${app.url}${site.address}`)
    await phone.click('[data-drawer]')
    await phone.click('.nav a:has-text("Guide")')
    await phone.waitForSelector('h1:has-text("Guide")')
  }
})

test('on a wide page the outline is folded above the text, which takes the room beside it', async () => {
  const wide = '---\nlayout:\n  width: wide\n---\n\n# Wide\n\n## One\n\nText.\n\n## Two\n\nText.\n'
  const site = await aSite(app, { pages: [newPage('Wide', { document: { markdown: wide } })] })
  const page = await open(site, '', 1440)
  assert.ok(await page.isHidden('aside.toc'))
  await page.click('.subbar summary')
  await page.click('.subbar a:has-text("Two")')
  await page.waitForURL(/#two$/)
  assert.ok((await page.locator('main').boundingBox())!.width > 1000)
})

test('a version with a long name leaves room for the header on a small screen, and keeps its full accessible name', async () => {
  const site = await aSite(app)
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Old')), 200)
  expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const title = 'Version 3.14 with a long name for all who need support'
  expect(await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { title }), 200)
  const to = { kind: 'url', url: 'https://example.com/' }
  const links = Array.from({ length: 9 }, (_, n) => ({ title: `Header link ${n}`, to, links: [] }))
  const look = { title: 'A site with a long title of its own, too', header: { preset: 'default', links } }
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  for (const width of [960, 1024, 1152]) {
    const page = await open(site, '', width)
    assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), String(width))
    assert.match((await page.getAttribute('.variant summary', 'aria-label'))!, new RegExp(title))
    assert.ok((await page.locator('.variant summary').boundingBox())!.width > 90)
  }
})

test('a full header fits on a small laptop', async () => {
  const site = await aSite(app)
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Old')), 200)
  expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const to = { kind: 'url', url: 'https://example.com/' }
  const socialAccounts = ['github', 'discord', 'linkedin'].map((platform) => ({
    platform,
    handle: 'tea',
    display: { header: true },
  }))
  const button = { title: 'Sign in', style: 'button-secondary', to, links: [] }
  const some = Array.from({ length: 5 }, (_, n) => ({ title: `Header link ${n}`, to, links: [] }))
  const one = [{ title: 'One link alone that has a lot to say', to, links: [] }]
  for (const links of [some, one]) {
    const header = { preset: 'default', links: [...links, button], primaryLink: { title: 'Get started', to } }
    for (const search of ['prominent', 'subtle']) {
      for (const title of ['Tea', 'All that there is to know about tea']) {
        const look = { title, header, socialAccounts, styling: { search } }
        expect(await site.who.put(`${site.path}/customization`, look), 200)
        for (const width of [960, 1024, 1280]) {
          const page = await open(site, '', width)
          const shown = await page.evaluate<number>('document.documentElement.scrollWidth')
          assert.ok(shown <= width, `${search} search, ${links.length} links, ${title}: ${shown} on ${width}`)
        }
      }
    }
  }
})

test('the page menu has a text label if no button is before it: without script, or with nothing to copy', async () => {
  const site = await aSite(app)
  const label = async (javaScriptEnabled: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled })
    after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${app.url}${site.address}`)
    return page.locator('.page-actions summary').innerText()
  }
  const items = (pageActions: object) =>
    site.who.put(`${site.path}/customization`, { pdf: { enabled: true }, pageActions })
  expect(await items({ items: ['markdown'] }), 200)
  assert.equal(await label(true), '')
  assert.equal(await label(false), 'More for this page')
  expect(await items({ items: [] }), 200)
  assert.equal(await label(true), 'More for this page')
})
