// A published site in a real browser: readers see where they are, however long the page and the lists beside it are.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { idsOf } from '../editing.ts'
import { aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

const markdown = (text: string) => ({ operation: 'insert_page', document: { markdown: text } })
const paragraphs = (count: number) => 'Some words that fill a line.\n\n'.repeat(count)
const sections = (count: number, name: string, length: number) =>
  Array.from({ length: count }, (_, number) => `## ${name} ${number}\n\n${paragraphs(length)}`).join('')

const home = { kind: 'url', url: 'https://example.com/' }

async function aPage(text: string, options: BrowserContextOptions = {}) {
  const site = await aSite(app, { pages: [markdown(text)] })
  // With reduced motion, the page jumps straight to the target of a link.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}`)
  return page
}

/** Whether an item is completely visible in the box that scrolls around it. */
const isInView = (page: Page, item: string, box: string) =>
  page.evaluate<boolean>(`(() => {
    const item = document.querySelector(${JSON.stringify(item)}).getBoundingClientRect()
    const box = document.querySelector(${JSON.stringify(box)}).getBoundingClientRect()
    return item.width > 0 && item.top >= box.top && item.bottom <= box.bottom && item.left >= box.left && item.right <= box.right
  })()`)

test('an outline longer than the screen shows the part with the current heading', async () => {
  const page = await aPage(`# Long\n\n${sections(60, 'Part', 10)}`)
  await page.evaluate(`location.hash = 'part-45'`)
  await page.waitForSelector('aside.toc [aria-current]:has-text("Part 45")')
  assert.ok(await isInView(page, 'aside.toc [aria-current]', 'aside.toc'))
  await page.evaluate('scrollTo(0, 0)')
  await page.waitForSelector('aside.toc [aria-current]:has-text("Part 0")')
  assert.ok(await isInView(page, 'aside.toc [aria-current]', 'aside.toc'))
  assert.equal(await page.evaluate('scrollY'), 0, 'the page stays where it is')

  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(`location.hash = 'part-30'`)
  await page.waitForSelector('.subbar [data-here]:has-text("Part 30")')
  await page.evaluate(`document.querySelector('.subbar summary').click()`)
  await page.waitForFunction(`document.querySelector('.subbar .toc').scrollTop > 0`)
  assert.ok(await isInView(page, '.subbar .toc [aria-current]', '.subbar .toc'))
})

test('a link to a heading leads below the bars at the top', async () => {
  for (const width of [360, 820, 1100, 1440]) {
    const page = await aPage(`# Long\n\n${sections(9, 'Part', 20)}`, { viewport: { width, height: 800 } })
    await page.evaluate(`location.hash = 'part-5'`)
    await page.waitForFunction('scrollY > 0')
    const [heading, bar] = await page.evaluate<[number, number]>(`[
      document.getElementById('part-5').getBoundingClientRect().top,
      Math.max(...['.head', '.subbar'].map((each) => document.querySelector(each).getBoundingClientRect().bottom)),
    ]`)
    assert.ok(heading >= bar && heading < bar + 40, `${width}: ${heading} below ${bar}`)
  }
})

test('a link to a heading in closed folds opens them and leads there, with or without motion and script', async () => {
  const fold = (inside: string) => `<details>\n\n<summary>More</summary>\n\n${inside}\n\n</details>\n\n`
  const text = `# Folds\n\n## Start\n\n${paragraphs(5)}${fold(`### Outer\n\n${paragraphs(9)}${fold('#### Inner\n\nText.')}`)}${paragraphs(60)}[To the inner one](#inner)\n\n${paragraphs(9)}`
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await aPage(text, { reducedMotion, javaScriptEnabled })
      const isAtTop = (id: string) => `(() => {
        const { top } = document.getElementById('${id}').getBoundingClientRect()
        const bar = document.querySelector('.head').getBoundingClientRect().bottom
        return top >= bar && top < bar + 60
      })()`
      await page.evaluate('scrollTo({ top: 1500, behavior: "instant" })')
      await page.click('aside.toc a:has-text("Outer")')
      await untilTrue(page, isAtTop('outer'))
      await page.reload()
      await page.click('text=To the inner one')
      await untilTrue(page, isAtTop('inner'))
    }
  }
})

test('folds are opened by script in browsers that do not open them for an address', async () => {
  const fold = '<details>\n\n<summary>More</summary>\n\n### Inside\n\nText.\n\n</details>\n'
  const page = await aPage(`# Folds\n\n${paragraphs(60)}${fold}\n${paragraphs(60)}`)
  // If a script changes the address, no browser opens folds, so only our script can.
  await page.evaluate(`history.replaceState(null, '', '#inside'); dispatchEvent(new HashChangeEvent('hashchange'))`)
  await page.waitForSelector('#inside:visible')
  assert.ok(await page.evaluate('scrollY > 0'))
})

test('the outline marks the current heading, in Chinese too, and a chosen one near the end', async () => {
  const page = await aPage(
    `# 指南\n\n## 安装\n\n${paragraphs(30)}## 用法\n\n${paragraphs(30)}## 末一\n\n短。\n\n## 末二\n\n短。\n`,
  )
  const here = () => page.textContent('aside.toc [aria-current]')
  assert.equal(await here(), '安装')
  await page.click('aside.toc a:has-text("用法")')
  await page.waitForSelector('aside.toc [aria-current]:has-text("用法")')
  await page.click('aside.toc a:has-text("末一")')
  await page.waitForSelector('aside.toc [aria-current]:has-text("末一")')
  await page.click('aside.toc a:has-text("末二")')
  await page.waitForSelector('aside.toc [aria-current]:has-text("末二")')

  const short = await aPage('# Short\n\n## First\n\nText.\n\n## Second\n\nText.\n', {
    viewport: { width: 1440, height: 1600 },
  })
  assert.equal(await short.textContent('aside.toc [aria-current]'), 'First', 'all is in view, and nobody has scrolled')
  await short.click('aside.toc a:has-text("Second")')
  await short.waitForSelector('aside.toc [aria-current]:has-text("Second")')
})

test('on a phone the bar above the text shows the full current heading', async () => {
  const titles = ['`code` comes first', 'Before [a link](https://example.com) and after', 'Q & A']
  const text = titles.map((title) => `## ${title}\n\n${paragraphs(30)}`).join('')
  const page = await aPage(`# Long\n\n${text}`, { viewport: { width: 390, height: 800 } })
  for (const name of ['code comes first', 'Before a link and after', 'Q & A']) {
    await page.evaluate(
      `[...document.querySelectorAll('.subbar .toc a')].find((a) => a.textContent === '${name}').click()`,
    )
    await page.waitForSelector(`.subbar [data-here]:text-is("${name}")`)
  }
})

test('with more tabs than fit, the chosen one is in view, on the next visit and in other tab groups', async () => {
  const tabs = Array.from({ length: 20 }, (_, n) => `{% tab title="Language ${n}" %}\nText ${n}.\n{% endtab %}\n`).join(
    '',
  )
  const both = `# Tabs\n\n{% tabs %}\n${tabs}{% endtabs %}\n\n{% tabs %}\n${tabs}{% endtabs %}\n`
  const page = await aPage(both, { viewport: { width: 390, height: 800 } })
  const inView = () => isInView(page, '.tabs:last-child [aria-selected=true]', '.tabs:last-child .tablist')
  await page.click('[role=tab]:has-text("Language 15") >> nth=0')
  assert.equal(await page.textContent('.tabs:last-child [aria-selected=true]'), 'Language 15')
  assert.ok(await inView())
  await page.reload()
  assert.equal(await page.textContent('.tabs:last-child [aria-selected=true]'), 'Language 15')
  assert.ok(await inView())
})

test('each search answer starts at its first row, however far the previous one was scrolled', async () => {
  const site = await aSite(app, {
    pages: Array.from({ length: 12 }, (_, n) =>
      markdown(`# Teapot ${n}\n\nFor tea.\n\n## Teapot lid ${n}\n\nA lid.\n`),
    ),
  })
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 600 } })).newPage()
  after(() => page.context().close())
  await page.goto(`${app.url}${site.address}`)
  await page.keyboard.press('/')
  await page.keyboard.type('tea')
  await page.waitForSelector('.hit:nth-of-type(9) mark:text-is("Tea")')
  await page.evaluate(`document.querySelector('.hits').scrollTop = 300`)
  await page.keyboard.type('pot')
  await page.waitForSelector('.hit:nth-of-type(9) mark:text-is("Teapot")')
  assert.ok(await isInView(page, '.hit[aria-selected=true]', '.hits'))
})

test('the deepest entries of a seven-level menu have room for their words, on a phone too', async () => {
  const site = await aSite(app, { pages: [markdown('# Welcome\n')] })
  let [into, path] = [{}, '']
  for (let level = 1; level <= 7; level++) {
    const [id] = idsOf(await site.space.edit({ ...markdown(`# Level ${level}\n`), ...into }))
    into = { into: id }
    path += `level-${level}/`
  }
  for (const width of [360, 1280]) {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${app.url}${site.address}${path}`)
    const room = await page.evaluate<number>(`document.querySelector('.nav [aria-current=page]').clientWidth`)
    assert.ok(room > 120, `${width}: ${room}`)
  }
})

test('on a phone the menu closes after following a link on the same page, and before the page is left', async () => {
  const site = await aSite(app, { pages: [markdown(`# Long\n\n${sections(9, 'Part', 20)}`)] })
  const [page] = expect(await site.who.get(`${site.space.path}/content`), 200).pages
  const link = { operation: 'insert_page', type: 'link', title: 'To part five' }
  expect(await site.space.edit({ ...link, target: { kind: 'anchor', page: page.id, anchor: 'part-5' } }), 200)
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' })
  after(() => context.close())
  const reading = await context.newPage()
  await reading.goto(`${app.url}${site.address}`)
  // The second click leads to the same address again.
  for (let times = 0; times < 2; times++) {
    await reading.click('[data-drawer]')
    await reading.click('.nav a:has-text("To part five")')
    assert.equal(await reading.locator('.nav[data-open], main[inert]').count(), 0)
    await untilTrue(reading, 'scrollY > 0')
  }
  // Browsers keep the page that is left and restore it as it was, so the menu must be closed on leaving.
  await reading.click('[data-drawer]')
  await reading.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
  assert.equal(await reading.locator('.nav[data-open], main[inert]').count(), 0)
})

test('an announcement with a long link does not make a phone scroll sideways, and leaves room for its message', async () => {
  const { who, path, address } = await aSite(app)
  const link = { title: 'All that you have to do before the end of the year, step by step', to: home }
  const announcement = { enabled: true, message: 'Version one ends. '.repeat(6).trim(), style: 'info', link }
  const look = expect(await who.get(`${path}/customization`), 200)
  expect(await who.put(`${path}/customization`, { ...look, announcement }), 200)
  const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${address}`)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
  assert.ok((await page.locator('.notice span').boundingBox())!.width > 240)
})

test('on a right-to-left site, English announcements and footers end with their full stop', async () => {
  const { who, path, address, space } = await aSite(app)
  expect(await who.patch(space.path, { language: 'ar' }), 200)
  const announcement = { enabled: true, message: 'Version two is out.', style: 'info' }
  expect(await who.put(`${path}/customization`, { announcement, footer: { copyright: 'Tea Ltd.', groups: [] } }), 200)
  const context = await browser.newContext()
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${address}`)
  assert.equal(await page.getAttribute('html', 'dir'), 'rtl')
  for (const words of ['.notice span', '.foot-end span span']) {
    const [first, last] = await page.evaluate<number[]>(`(() => {
      const text = document.querySelector('${words}').firstChild
      const at = (letter) => {
        const range = new Range()
        range.setStart(text, letter)
        range.setEnd(text, letter + 1)
        return range.getBoundingClientRect().left
      }
      return [at(0), at(text.length - 1)]
    })()`)
    assert.ok(first! < last!, `${words}: ${first} ${last}`)
  }
})

test('with forced colours, the open menu and the search dialog have a border', async () => {
  const page = await aPage('# Page\n', { viewport: { width: 820, height: 800 }, forcedColors: 'active' })
  const edge = (of: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${of}')).borderInlineEndWidth`)
  await page.click('[data-drawer]')
  assert.equal(await edge('.nav[data-open]'), '1px')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  assert.equal(await edge('dialog.search[open]'), '1px')
})

test('with forced colours, rules are drawn and marked lines of code stay marked', async () => {
  const page = await aPage('# Page\n\n***\n\n```js {1}\none()\ntwo()\n```\n', { forcedColors: 'active' })
  const drawn = await page.evaluate<string[]>(`[
    getComputedStyle(document.querySelector('.prose hr')).borderBlockStartWidth,
    ...[...document.querySelectorAll('.line')].map((line) => getComputedStyle(line).outlineStyle),
  ]`)
  assert.deepEqual(drawn, ['1px', 'solid', 'none'])
})

test('without a header, the site title and search stay in view however far the menu is scrolled', async () => {
  const pages = Array.from({ length: 45 }, (_, number) => markdown(`# Page ${number}\n\nText.\n`))
  const site = await aSite(app, { pages: [...pages, markdown('# Last\n\nText.\n')] })
  expect(await site.who.put(`${site.path}/customization`, { header: { preset: 'none' } }), 200)
  const context = await browser.newContext({ viewport: { width: 1280, height: 700 } })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}last`)
  await untilTrue(page, `document.querySelector('.nav').scrollTop > 200`)
  for (const item of ['.nav .brand', '.nav .find', '.nav [aria-current="page"]'])
    assert.ok(await isInView(page, item, '.nav'), item)
  // No part of the menu is visible above or below the search button.
  const over = `(() => {
    const { left, right, top, bottom } = document.querySelector('.nav .find').getBoundingClientRect()
    return [[left + 20, top - 4], [right - 20, bottom + 2]].every(([x, y]) => !document.elementFromPoint(x, y).closest('.nav ul'))
  })()`
  assert.ok(await page.evaluate(over))
})
