// A published site in a real browser: what readers do, with a keyboard, on a phone, in the dark, and without script.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { aLiveSpace } from '../editing.ts'
import { type TestSite, aSite, expect, inSeconds, signToken } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

const everything = readFileSync(new URL('../pages/every-block.md', import.meta.url), 'utf8')
const markdown = (text: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown: text },
  ...more,
})

async function aBook() {
  const site = await aSite(app, {
    pages: [
      markdown('# Welcome\n\nHello. Go to the [guide](guide.md).\n\n## One\n\nText.\n\n## Two\n\nText.\n'),
      markdown(everything),
      markdown('# Guide\n\nHow to boil water in a teapot.\n\n## Boiling\n\nHot.\n'),
    ],
  })
  return { site, url: `${app.url}${site.address}` }
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  after(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  assert.deepEqual(complaints, [])
  return page
}

test('readers follow links and the previous-page link, and the menu marks the current page', async () => {
  const { url } = await aBook()
  const page = await open(url)
  assert.equal(await page.textContent('h1'), 'Welcome')
  await page.click('.prose a:has-text("guide")')
  assert.equal(await page.textContent('h1'), 'Guide')
  assert.equal(await page.getAttribute('nav.nav [aria-current=page]', 'href'), new URL('guide', url).pathname)
  await page.click('.turn [rel=prev]')
  assert.notEqual(await page.textContent('h1'), 'Guide')
})

test('the keyboard opens the search, moves in it, follows a hit, and closes it', async () => {
  const { url } = await aBook()
  const page = await open(url)
  await page.keyboard.press('/')
  await page.keyboard.type('teapot')
  // Suggestions are shown before anything is searched for. Only search results have the typed words marked.
  await page.waitForSelector('.hit mark')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/guide/)
  await page.keyboard.press('Control+k')
  assert.ok(await page.isVisible('dialog.search'))
  await page.keyboard.press('Escape')
  assert.ok(await page.isHidden('dialog.search'))
})

test('the search looks in the version that is read', async () => {
  const { site, url } = await aBook()
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(markdown('# Welcome\n'), markdown('# Second guide\n\nA teapot.\n')), 200)
  const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { path: 'second' }), 200)
  for (const [where, title] of [
    ['', 'Guide'],
    ['second/', 'Second guide'],
  ] as const) {
    const page = await open(`${url}${where}`)
    await page.keyboard.press('/')
    await page.keyboard.type('teapot')
    await page.waitForSelector('.hit mark')
    assert.deepEqual(await page.locator('.hit b').allTextContents(), [title])
  }
})

test('a chosen theme is kept on the next page', async () => {
  const { url } = await aBook()
  const page = await open(url, { colorScheme: 'light' })
  await page.click('[data-theme-toggle]')
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  await page.goto(`${url}guide`)
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  assert.doesNotMatch(background, /255, 255, 255/)
})

test('a page that the browser restores has the theme chosen since', async () => {
  const page = await open((await aBook()).url, { colorScheme: 'light' })
  const theme = await page.evaluate<unknown[]>(`(() => {
    localStorage.setItem('lectern:theme', 'dark')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return [document.documentElement.dataset.theme, document.querySelector('.theme [aria-pressed=true]').value]
  })()`)
  assert.deepEqual(theme, ['dark', 'dark'])
})

test('tabs change by click and by keyboard, and code is copied as it was written', async () => {
  const { url } = await aBook()
  const page = await open(`${url}every-block`, { permissions: ['clipboard-read', 'clipboard-write'] })
  const shown = () =>
    page.$$eval('.tabs .panel[data-on]', (panels) => panels.map((panel) => panel.textContent?.trim().slice(0, 3)))
  const before = await shown()
  await page.click('.tabs [role=tab] >> nth=1')
  assert.notDeepEqual(await shown(), before)
  await page.keyboard.press('ArrowLeft')
  assert.deepEqual(await shown(), before)
  await page.hover('.prose > .code >> nth=0')
  // Waiting starts before the action, because the mark is shown only briefly.
  const copiedNow = page.waitForSelector('.copy[data-done]')
  await page.click('.prose > .code .copy >> nth=0')
  await copiedNow
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, await page.$eval('.prose > .code pre code', (code) => code.textContent!.replace(/\n$/, '')))
})

test('an address within a tab opens that tab, and the outline marks only visible headings', async () => {
  const tab = (title: string) =>
    `{% tab title="${title}" %}\n### In ${title}\n\n${'Text.\n\n'.repeat(30)}{% endtab %}\n`
  const site = await aSite(app, {
    pages: [
      markdown(`# Tabs\n\n## First\n\n{% tabs %}\n${tab('one')}${tab('two')}{% endtabs %}\n\n## Last\n\nText.\n`),
    ],
  })
  const url = `${app.url}${site.address}`
  const page = await open(url)
  assert.equal(await page.textContent('aside.toc [aria-current]'), 'First')
  await page.click('aside.toc a:has-text("In two")')
  await page.waitForSelector('h3#in-two:visible')
  const other = await open(`${url}#in-two`)
  await other.waitForSelector('h3#in-two:visible')
  assert.equal(await other.textContent('[role=tab][aria-selected=true]'), 'two')
})

test('pressing Enter before the answer arrives follows the answer to what was typed', async () => {
  const { url } = await aBook()
  const page = await open(url)
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/q=teapot/, async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press('/')
  await page.waitForSelector('.hit')
  await page.keyboard.type('teapot')
  await page.keyboard.press('Enter')
  assert.equal(page.url(), url)
  answer()
  await page.waitForURL(/guide/)
})

test('diagrams are drawn as pictures of their own size, in the colours of the site', async () => {
  const small = '```mermaid\nflowchart LR\n  A --> B\n```\n'
  const plan = '```mermaid\ngantt\n  dateFormat YYYY-MM-DD\n  First :a, 2026-01-01, 30d\n  Second :after a, 20d\n```\n'
  const site = await aSite(app, { pages: [markdown(`# Drawn\n\n${small}\n${plan}`)] })
  const page = await open(`${app.url}${site.address}`)
  await page.locator('[data-diagram] img').nth(1).waitFor({ timeout: 20_000 })
  const [flow, gantt] = await page.$$eval('[data-diagram] img', (images: any[]) =>
    images.map(({ src, clientWidth, naturalWidth }) => ({ svg: decodeURIComponent(src), clientWidth, naturalWidth })),
  )
  assert.ok(flow!.naturalWidth > 50 && flow!.clientWidth <= flow!.naturalWidth, JSON.stringify(flow))
  const colour = await page.evaluate<string>(`(() => {
    const pen = document.createElement('canvas').getContext('2d')
    pen.fillStyle = getComputedStyle(document.querySelector('.nav [aria-current=page]')).backgroundColor
    pen.fillRect(0, 0, 1, 1)
    return 'rgb(' + [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).join(', ') + ')'
  })()`)
  assert.ok(flow!.svg.includes(`fill:${colour}`), colour)
  const bars = [...gantt!.svg.matchAll(/<rect[^>]* width="([\d.-]+)"[^>]*class="task /g)].map(([, width]) =>
    Number(width),
  )
  assert.ok(bars.length === 2 && bars.every((width) => width > 50), bars.join())
})

test('diagrams keep their colours with reduced motion and with forced colours', async () => {
  const site = await aSite(app, { pages: [markdown('# Drawn\n\n```mermaid\nflowchart LR\n  A --> B\n```\n')] })
  const drawn = async (options: BrowserContextOptions) => {
    const page = await open(`${app.url}${site.address}`, options)
    await page.waitForSelector('[data-diagram] img', { timeout: 20_000 })
    return decodeURIComponent((await page.getAttribute('[data-diagram] img', 'src'))!)
  }
  const usual = await drawn({})
  assert.equal(await drawn({ reducedMotion: 'reduce' }), usual)
  assert.equal(await drawn({ forcedColors: 'active' }), usual)
})

test('on a phone a wide diagram is large enough for its words, and scrolls within its figure', async () => {
  const steps = Array.from({ length: 9 }, (_, number) => `S${number}[Step number ${number}] --> S${number + 1}`)
  const wide = `# Wide\n\n\`\`\`mermaid\nflowchart LR\n${steps.join('\n')}\n\`\`\`\n`
  const site = await aSite(app, { pages: [markdown(wide)] })
  const page = await open(`${app.url}${site.address}`, { viewport: { width: 390, height: 800 } })
  await page.waitForSelector('[data-diagram] img', { timeout: 20_000 })
  const [shown, own] = await page.$eval('[data-diagram] img', (image: any) => [image.clientWidth, image.naturalWidth])
  assert.ok(own > 800 && shown >= own * 0.7, `${shown} of ${own}`)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'))
  const figure = page.locator('[data-diagram]')
  await figure.focus()
  assert.ok(await figure.evaluate((box: any) => box.scrollWidth > box.clientWidth && box.tabIndex === 0))
})

test('on a phone the menu is a drawer that returns the focus when closed', async () => {
  const { url } = await aBook()
  const page = await open(url, { viewport: { width: 390, height: 800 } })
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'))
  await page.click('[data-drawer]')
  await page.waitForSelector('.nav[data-open]')
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate('document.activeElement.hasAttribute("data-drawer")'), true)
})

test('on a phone the drawer has the versions and links that do not fit the header, even with a wide logo', async () => {
  const { site, url } = await aBook()
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(markdown('# Old welcome\n')), 200)
  expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const look = expect(await site.who.get(`${site.path}/customization`), 200)
  const links = [{ title: 'Blog', to: { kind: 'url', url: 'https://example.com/blog' } }]
  const logo = 'https://example.invalid/logo.svg'
  const header = { preset: 'default', links: [{ title: 'More', to: null, links }], logo: { light: logo, dark: logo } }
  expect(await site.who.put(`${site.path}/customization`, { ...look, header }), 200)

  const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
  after(() => context.close())
  const page = await context.newPage()
  const body =
    '<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="200"><rect width="2400" height="200"/></svg>'
  await page.route(logo, (route) => route.fulfill({ contentType: 'image/svg+xml', body }))
  await page.goto(url, { waitUntil: 'load' })
  const edges = await page.$$eval('.head-row [data-drawer], .head-row .brand, .head-row .find', (all) =>
    all.map((each) => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]),
  )
  assert.ok(edges[0]![1]! - edges[0]![0]! >= 36, 'the button of the menu has its size')
  assert.ok(edges[0]![1]! <= edges[1]![0]! && edges[1]![1]! <= edges[2]![0]!, `they do not overlap: ${edges.join(' ')}`)
  await page.click('[data-drawer]')
  assert.ok(await page.isVisible('.nav-foot a:has-text("Blog")'))
  await page.click('.nav-variants summary')
  await page.click('.nav-variants a:not([aria-current])')
  await page.waitForSelector('h1:has-text("Old welcome")')
})

test('unbreakable words in titles, text and code do not make a page scroll sideways', async () => {
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const site = await aSite(app, {
    pages: [
      markdown(`# ${word}\n\n## ${word}\n\n${word} \`${word}\`\n`),
      markdown('# Guide\n'),
      markdown(`# Last ${word}\n\n{% hint style="info" %}\n\`\`\`sh\n${word} ${word}\n\`\`\`\n{% endhint %}\n`),
    ],
  })
  for (const width of [390, 1280]) {
    const page = await open(`${app.url}${site.address}guide`, { viewport: { width, height: 800 } })
    const sideways = `[...document.querySelectorAll('html, .turn, .turn a, .nav a')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.outerHTML.slice(0, 80))`
    assert.deepEqual(await page.evaluate(sideways), [])
    for (const path of ['', `last-${word.toLowerCase().replace('ä', 'a')}`]) {
      const answer = await page.goto(`${app.url}${site.address}${path}`)
      assert.equal(answer!.status(), 200, path)
      assert.deepEqual(await page.evaluate(sideways), [])
    }
  }
})

test('without script, pages can be read, navigated and searched', async () => {
  const { url } = await aBook()
  const page = await open(`${url}every-block`, { javaScriptEnabled: false })
  assert.equal(await page.locator('.tabs .panel:visible').count(), 2)
  await page.click('a.find')
  await page.fill('input[name=q]', 'teapot')
  await page.click('form[role=search] button')
  assert.match((await page.textContent('.lost'))!, /Guide/)
  await page.click('.lost a.ref')
  assert.match(page.url(), /guide/)
})

test('a share link opens a closed site, and a token of the visitor authentication lets readers in', async () => {
  const { site, url } = await aBook()
  await site.change({ visibility: 'share-link' })
  const closed = await open(`${app.url}/`)
  assert.equal((await closed.goto(url))!.status(), 404)
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends' }), 201)
  await closed.goto(new URL(new URL(link.urls.published).pathname, app.url).href)
  assert.equal(await closed.textContent('h1'), 'Welcome')
  assert.equal(closed.url(), url)

  await site.change({ visibility: 'visitor-auth' })
  assert.equal((await closed.goto(url))!.status(), 401)
  await closed.goto(`${url}guide?jwt_token=${await tokenFor(site)}`)
  assert.equal(await closed.textContent('h1'), 'Guide')
  assert.ok(!closed.url().includes('jwt_token'))
})

test('a reader whose sign-in has ended during a search signs in again, and gets the results', async () => {
  const { site, url } = await aBook()
  await site.change({ visibility: 'visitor-auth' })
  const fallbackURL = `${app.url}/login`
  expect(await site.who.patch(`${site.path}/publishing/auth`, { fallbackURL }), 200)
  const token = await tokenFor(site)
  const page = await open(`${url}?jwt_token=${token}`)
  await page.keyboard.press('/')
  await page.waitForSelector('.hit')
  await page.context().clearCookies()
  // Inserted at once: with slow typing, the first letters would already redirect the reader.
  await page.keyboard.insertText('teapot')
  await page.waitForURL(`${fallbackURL}?*`)
  const location = new URL(page.url()).searchParams.get('location')
  await page.goto(`${url}${location}?jwt_token=${token}`)
  assert.equal(await page.textContent('.lost a.ref b'), 'Guide')
})

test('a section with a condition is shown and found only for readers who meet it', async () => {
  const { site, url } = await aBook()
  const sections = `# Plans\n\n{% if visitor.claims.plan == "pro" %}\n## For pro\n\nA secret teapot.\n{% endif %}\n\n## For all\n\nText.\n`
  expect(await site.space.edit(markdown(sections)), 200)
  const claims = { plan: { type: 'string', description: 'What was bought' } }
  const jsonSchema = { type: 'object', additionalProperties: false, properties: claims }
  expect(await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema }), 200)
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)

  const stranger = await open(`${url}plans`)
  assert.deepEqual(await stranger.locator('.prose h2').allTextContents(), ['For all#'])
  const pro = await open(`${url}plans?jwt_token=${signToken(privateKey, { plan: 'pro', exp: inSeconds(600) })}`)
  assert.deepEqual(await pro.locator('.prose h2').allTextContents(), ['For pro#', 'For all#'])
  assert.deepEqual(await pro.locator('aside.toc li').allTextContents(), ['For pro', 'For all'])
  const found = async (page: Page) => {
    await page.goto(`${url}~/search?q=secret`)
    return (await page.locator('.lost a.ref').count()) > 0
  }
  assert.deepEqual([await found(stranger), await found(pro)], [false, true])
})

test('the not-found page searches for the words of its address', async () => {
  const { url } = await aBook()
  const page = await (await browser.newContext()).newPage()
  after(() => page.context().close())
  assert.equal((await page.goto(`${url}guides/teapots`))!.status(), 404)
  await page.click('form[role=search] button')
  assert.match(page.url(), /~\/search\?q=guides\+teapots/)
})

test('long code can be unfolded without script, and is printed in full', async () => {
  const code = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n')
  const site = await aSite(app, {
    pages: [markdown(`# Long\n\n{% code expandable="true" %}\n\`\`\`\n${code}\n\`\`\`\n{% endcode %}\n`)],
  })
  const page = await open(`${app.url}${site.address}`, { javaScriptEnabled: false })
  const height = async () => (await page.locator('.code pre').boundingBox())!.height
  const folded = await height()
  await page.click('.code-more')
  assert.ok((await height()) > 2 * folded)
  await page.focus('.code-more input')
  await page.keyboard.press('Space')
  assert.equal(await height(), folded)
  await page.emulateMedia({ media: 'print' })
  assert.ok((await height()) > 2 * folded)
  assert.ok(await page.isHidden('.code-more'))
})

test('code that overflows once its font has loaded can be scrolled by keyboard', async () => {
  const site = await aSite(app, { pages: [markdown(`# Code\n\n\`\`\`\n${'i'.repeat(60)}\n\`\`\`\n`)] })
  const page = await open('about:blank', { viewport: { width: 390, height: 900 } })
  const { promise: meanwhile, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('**/*mono*.woff2', async (route) => {
    await meanwhile
    await route.continue()
  })
  await page.goto(`${app.url}${site.address}`, { waitUntil: 'domcontentloaded' })
  await page.locator('pre:not([tabindex])').waitFor()
  letThrough()
  await page.locator('pre[tabindex="0"]').waitFor()
})

test('a page read in dark mode is light on paper, including pictures and diagrams', async () => {
  const [light, dark] = ['light', 'dark'].map((each) => `${app.url}/favicon.svg?${each}`)
  const both =
    `<figure><picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">` +
    `<img src="${light}" alt="A lamp"></picture></figure>`
  const site = await aSite(app, { pages: [markdown(`# Lamp\n\n${both}\n\n\`\`\`mermaid\npie\n  "A" : 1\n\`\`\`\n`)] })
  const page = await open(`${app.url}${site.address}`)
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
  await page.waitForSelector('.diagram img.drawn-dark', { timeout: 20_000 })
  const look = () =>
    page.evaluate<string[]>(
      `['.on-light', '.on-dark'].map((each) => getComputedStyle(document.querySelector(each)).display)
        .concat(getComputedStyle(document.querySelector('.diagram img')).filter)`,
    )
  assert.deepEqual(await look(), ['none', 'contents', 'none'])
  await page.emulateMedia({ media: 'print' })
  const [onLight, onDark, filter] = await look()
  assert.notEqual(onLight, 'none')
  assert.equal(onDark, 'none')
  assert.match(filter!, /^invert/)
})

test('formulas are set in the bundled font, and a page without formulas does not load it', async () => {
  const site = await aSite(app, {
    pages: [
      markdown('# Sums\n\n$$\n\\left( \\frac{\\frac{a}{b}}{\\frac{c}{d}} \\right) x\n$$\n'),
      markdown('# Words\n\nNone.\n'),
    ],
  })
  const page = await open(`${app.url}${site.address}`)
  const isLoaded = `document.fonts.ready.then(() => [...document.fonts].some((face) => face.family.includes('STIX') && face.status === 'loaded'))`
  assert.equal(await page.evaluate(isLoaded), true)
  const [bracket, letter] = await page.evaluate<[number, number]>(
    `['mo', 'math > mrow > mi:last-child'].map((each) => document.querySelector(each).getBoundingClientRect().height)`,
  )
  assert.ok(bracket > 2.5 * letter, `${bracket} beside ${letter}`)
  await page.goto(`${app.url}${site.address}words`)
  assert.equal(await page.evaluate(isLoaded), false)
})

test('an ask button opens the search with its question, and leads on to all results', async () => {
  const pages = Array.from({ length: 12 }, (_, n) => markdown(`# Teapot ${n}\n\nFor tea.\n`))
  const ask = '<button type="button" class="button primary" data-action="ask" data-query="teapot">Ask</button>'
  const site = await aSite(app, { pages: [markdown(`# Welcome\n\n${ask}\n`), ...pages] })
  const page = await open(`${app.url}${site.address}`)
  await page.click('.prose .btn')
  assert.equal(await page.inputValue('dialog.search input'), 'teapot')
  await page.waitForSelector('.hit mark')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/~\/search\?q=teapot$/)
  await page.click('[rel=next]')
  assert.match((await page.textContent('.lost h2'))!, /\(11–1[23]\)/)
})

test('without a header, search and menu are beside the page, or above it on a phone', async () => {
  const { site, url } = await aBook()
  expect(await site.who.put(`${site.path}/customization`, { header: { preset: 'none' } }), 200)
  const page = await open(url)
  assert.ok(await page.isHidden('.head'))
  assert.deepEqual(await seriousFlaws(page), [])
  await page.click('.nav .find')
  assert.ok(await page.isVisible('dialog.search'))
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 800 })
  assert.ok(await page.isVisible('.head .find'))
  await page.click('[data-drawer]')
  assert.ok(await page.isHidden('.nav .find'))
})

test('a code theme opposite to the page has no serious accessibility flaws, in light and dark', async () => {
  const { site, url } = await aBook()
  // The opposite of the usual choice: dark code on a light page.
  const codeTheme = { light: 'monokai', dark: 'solarized-light' }
  const styling = { codeTheme: { default: codeTheme, openapi: codeTheme }, theme: 'gradient', background: 'match' }
  expect(await site.who.put(`${site.path}/customization`, { styling }), 200)
  for (const colorScheme of ['light', 'dark'] as const)
    assert.deepEqual(await seriousFlaws(await open(`${url}every-block`, { colorScheme })), [], colorScheme)
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`pages have no serious accessibility flaws: ${colorScheme}, ${width} pixels`, async () => {
      const { url } = await aBook()
      const page = await open(`${url}every-block`, { colorScheme, viewport: { width, height: 900 } })
      assert.deepEqual(await seriousFlaws(page), [])
      await page.goto(`${url}nothing-here`)
      assert.deepEqual(await seriousFlaws(page), [])
    })
  }
}

async function tokenFor(site: TestSite): Promise<string> {
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  return signToken(privateKey, { exp: inSeconds(600) })
}

const seriousFlaws = (page: Page) =>
  flaws(page, {
    rules: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    impacts: ['serious', 'critical'],
  })
