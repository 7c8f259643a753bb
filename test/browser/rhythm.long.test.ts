// The layout of a published page, in a real browser: what belongs together is close together, and nothing is cut off.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { newPage } from '../editing.ts'
import { aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

async function openPage(text: string, { width = 1280, at = '', look = {} } = {}): Promise<Page> {
  const site = await aSite(app, { pages: [newPage('Text', { document: { markdown: `# Text\n\n${text}\n` } })] })
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}${at}`)
  return page
}

/** Opens a page of a site with these pages, where the menu is beside it. */
async function openMenu(pages: object[], at = ''): Promise<Page> {
  const site = await aSite(app, { pages })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}${at}`)
  return page
}

/** The distance from the bottom of one element to the top of another. */
const between = (page: Page, above: string, below: string) =>
  page.evaluate<number>(`{
    const [above, below] = ${JSON.stringify([above, below])}.map((name) => document.querySelector(name).getBoundingClientRect())
    below.top - above.bottom
  }`)

const step = (title: string, text: string) => `{% step %}\n### ${title}\n\n${text}\n{% endstep %}`

test('lists in steps have the same bullet marks as elsewhere', async () => {
  const list = '* one\n  * two\n    * three\n'
  const page = await openPage(`${list}\n{% stepper %}\n${step('First', list)}\n{% endstepper %}\n`)
  const marks = `[...document.querySelectorAll('.prose ul')].map((list) => getComputedStyle(list.querySelector('li')).listStyleType)`
  assert.deepEqual(await page.evaluate(marks), ['disc', 'circle', 'square', 'disc', 'circle', 'square'])
})

test('a box keeps its distance from the heading of a step or a hint above it', async () => {
  const fold = '<details>\n\n<summary>More</summary>\n\nText\n\n</details>'
  const steps = `{% stepper %}\n${step('First', fold)}\n${step('Second', '| A | B |\n| - | - |\n| 1 | 2 |')}\n{% endstepper %}`
  const page = await openPage(`{% hint style="info" %}\n### Title\n\n${steps}\n{% endhint %}`)
  for (const [above, below] of [
    ['.hint h3', '.steps'],
    ['.step h3', '.fold'],
    ['.step:last-child h3', '.step:last-child .table'],
  ] as const) {
    const gap = await between(page, above, below)
    assert.ok(gap >= 10, `${below}: ${gap}`)
  }
})

test('a divider within a block is in the middle of what it divides', async () => {
  const page = await openPage('{% hint style="info" %}\nAbove\n\n***\n\nBelow\n{% endhint %}')
  const [above, below] = [await between(page, '.hint p', '.hint hr'), await between(page, '.hint hr', '.hint hr + p')]
  assert.ok(Math.abs(above - below) < 4 && below < 30, `${above} and ${below}`)
})

test('a block in a list is closer to its own words than to the next item', async () => {
  const page = await openPage(
    '* One\n\n  ```js\n  const a = 1\n  ```\n\n* Two\n\n  {% hint style="info" %}\n  Text\n  {% endhint %}\n\n* Three',
  )
  for (const [own, block, next] of [
    ['li:nth-child(1) > p', '.code', 'li:nth-child(2) > p'],
    ['li:nth-child(2) > p', '.hint', 'li:nth-child(3) > p'],
  ] as const) {
    const [before, behind] = [await between(page, own, block), await between(page, block, next)]
    assert.ok(behind > before, `${block}: ${before} before, ${behind} behind`)
  }
})

test('a long option in a two-column table leaves room for its meaning, on a phone too', async () => {
  const option = '`--a-very-long-option-name-that-goes-on=<with-a-value-that-is-long-too>`'
  const text = `| Option | Meaning |\n| --- | --- |\n| ${option} | What it does, in a sentence that is longer than the others. |\n| \`-v\` | Short. |`
  for (const width of [360, 1280]) {
    const page = await openPage(text, { width })
    const [over, room] = await page.evaluate<[number, number]>(`{
      const box = document.querySelector('.table')
      ;[box.scrollWidth - box.clientWidth, box.querySelector('td:last-child').clientWidth / box.clientWidth]
    }`)
    assert.equal(over, 0, String(width))
    assert.ok(room > 0.35, `${width}: ${room}`)
  }
})

test('short options in a table are not broken, however long their descriptions are', async () => {
  const much = 'It says a lot. '.repeat(40)
  const page = await openPage(
    `| Option | Meaning |\n| --- | --- |\n| \`--verbose\` | ${much} |\n| \`-o, --output\` | ${much} |`,
    { width: 360 },
  )
  const lines = `[...document.querySelectorAll('td code')].map((code) => {
    const range = document.createRange()
    range.selectNodeContents(code)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })`
  assert.deepEqual(await page.evaluate(lines), [1, 1])
})

test('an option in a text is not broken after its hyphens, and one longer than a line still fits', async () => {
  const options = ['--no-color', '-X', '--proxy-header', '--verbose --dry-run']
  const text = Array.from({ length: 40 }, (_, number) => `take \`${options[number % 4]}\`${' or'.repeat(number % 5)}`)
  const page = await openPage(`${text.join(', ')}.\n\nThen \`--${'long-'.repeat(30)}option\`.`, { width: 360 })
  const broken = `[...document.querySelectorAll('.prose p:first-child code')].flatMap((code) => {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    const words = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { index, 0: word } of node.data.matchAll(/[\\w-]+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(word)
      }
    return words
  })`
  assert.deepEqual(await page.evaluate(broken), [])
  assert.equal(await page.textContent('.prose code'), '--no-color')
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 360'))
})

test('the last letter of a site title is not cut off', async () => {
  const page = await openPage('Text.', { look: { title: 'Everything curl', styling: { font: 'IBMPlexSerif' } } })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  const head = () => page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 56 } })
  const shown = await head()
  await page.locator('.head .brand > span').evaluate((title: any) => (title.style.overflow = 'visible'))
  assert.ok(shown.equals(await head()))
})

test('a link to a part of a long page opens there at once, and links within the page scroll smoothly', async () => {
  const parts = Array.from({ length: 60 }, (_, number) => `## Part ${number}\n\n${'It goes on. '.repeat(60)}`)
  const page = await openPage(parts.join('\n\n'), { at: '#part-50' })
  const top = `document.getElementById('part-50').getBoundingClientRect().top`
  const first = await page.evaluate<number>(top)
  assert.ok(first > 0 && first < 200, String(first))
  // Links within the page scroll smoothly, so that the reader sees the way.
  assert.equal(
    await page
      .locator('.page > .toc a')
      .first()
      .evaluate((link: any) => {
        link.focus()
        return (globalThis as any).getComputedStyle(link.ownerDocument.documentElement).scrollBehavior
      }),
    'smooth',
  )
})

test('tabs that do not fit fade at the edge that hides others, and tabs that fit do not fade', async () => {
  const tabs = (count: number) =>
    `{% tabs %}\n${Array.from({ length: count }, (_, number) => `{% tab title="Language ${number}" %}\nText\n{% endtab %}\n`).join('\n')}{% endtabs %}`
  const page = await openPage(`${tabs(16)}\n\nText\n\n${tabs(2)}`)
  const fadeOf = (at: number) => `getComputedStyle(document.querySelectorAll('.tablist')[${at}]).maskImage`
  await untilTrue(page, `${fadeOf(0)} !== 'none'`)
  assert.equal(await page.evaluate(fadeOf(1)), 'none')
  const first = await page.evaluate<string>(fadeOf(0))
  await page.evaluate(`document.querySelector('.tablist').scrollTo({ left: 1e5, behavior: 'instant' })`)
  await untilTrue(page, `![${JSON.stringify(first)}, 'none'].includes(${fadeOf(0)})`)
})

test('pages after a group stand apart from those in it', async () => {
  const group = { operation: 'insert_page', type: 'group', ref: 'guides', metadata: { title: 'Guides' } }
  const page = await openMenu([
    newPage('Home'),
    group,
    newPage('First', { into: 'guides' }),
    newPage('Second', { into: 'guides' }),
    newPage('After'),
  ])
  const link = (name: string) => `.nav a[href$="/${name}"]`
  assert.ok((await between(page, link('guides/first'), link('guides/second'))) < 5)
  assert.ok((await between(page, link('guides/second'), link('after'))) > 15)
})

test('in the menu, the icon of a group is beside its title', async () => {
  const group = { operation: 'insert_page', type: 'group', ref: 'g', metadata: { title: 'Guides', icon: 'pen' } }
  const page = await openMenu([newPage('Home'), group, newPage('First', { into: 'g' })])
  const [icon, title] = await page.evaluate<[number, number]>(`{
    const heading = document.querySelector('.nav h2')
    const range = document.createRange()
    range.selectNodeContents(heading.lastChild)
    ;[heading.querySelector('.i'), range].map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2)
  }`)
  assert.ok(Math.abs(icon - title) < 3, `${icon} and ${title}`)
})

test('in the menu, there is room for the title of a page however many levels it is down', async () => {
  const levels = Array.from({ length: 14 }, (_, at) =>
    newPage(`Level ${at}`, { ref: `l${at}`, ...(at > 0 && { into: `l${at - 1}` }) }),
  )
  const path = levels.map((_, at) => `level-${at}`).join('/')
  const page = await openMenu([newPage('Home'), ...levels], path)
  const widths = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.nav li a')].slice(1).map((link) => link.getBoundingClientRect().width)`,
  )
  assert.equal(widths.length, levels.length)
  assert.ok(Math.min(...widths) > 120, widths.join(' '))
})
