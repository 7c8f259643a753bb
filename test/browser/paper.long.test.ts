// A published page on paper: nothing is cut off and nothing is repeated.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { petstore } from '../../src/openapi/testing/petstore.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { newPage } from '../editing.ts'
import { aSite } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

/** The width of an A4 sheet between its margins, in pixels. */
const width = 673

async function onPaper(text: string, spec?: object): Promise<Page> {
  const site = await aSite(app, { pages: [newPage('Text', { document: { markdown: `# Text\n\n${text}\n` } })] })
  if (spec) await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(spec) })
  const context = await browser.newContext({ viewport: { width, height: 950 } })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}`)
  await page.emulateMedia({ media: 'print' })
  return page
}

/** Elements that are cut off at the right edge of the sheet. */
const cutOff = `[...document.querySelectorAll('.prose *')]
  .filter((each) => !each.closest('math, svg') && each.getBoundingClientRect().right > ${width} + 1)
  .map((each) => each.outerHTML.slice(0, 80))`

/** The words in table cells that are broken across lines. */
const broken = `[...document.querySelectorAll('td, th')].flatMap((cell) => {
  const words = []
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: word } of node.data.matchAll(/[a-z\\d]+/gi)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (tops.size > 1) words.push(word)
    }
  }
  return words
})`

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
const table = (head: readonly string[], ...rows: string[][]) =>
  row(head) + row(head.map(() => '---')) + rows.map(row).join('')

const endless = 'y'.repeat(120)

test('on paper, a table with many columns fits the sheet, and words that fit are not broken', async () => {
  const columns = Array.from({ length: 14 }, (_, number) => `Col ${number}`)
  const texts = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda true 2026 null'.split(' ')
  const page = await onPaper(table(columns, texts, texts.toReversed()))
  assert.deepEqual(await page.evaluate(cutOff), [])
  assert.deepEqual(await page.evaluate(broken), [])
  const long = 'How long the client waits for the server before it gives up and tries the next address in the list.'
  const options = await onPaper(
    table(
      ['Name', 'Type', 'Default', 'Description'],
      ['`timeoutSeconds`', 'number', 'required', long],
      ['`address`', 'string', 'optional', `${long} ${long}`],
    ),
  )
  assert.deepEqual(await options.evaluate(cutOff), [])
  assert.deepEqual(await options.evaluate(broken), [])
})

test('on paper, an unbreakable word is broken wherever it is, and leaves room for what is beside it', async () => {
  const page = await onPaper(
    `Press <kbd>${endless}</kbd> or \`${endless}\`\n\n` +
      ['A', 'B', 'C']
        .map((_, at) => [endless, `\`${endless}\``, `<kbd>${endless}</kbd>`][at]!)
        .map((word) => table(['A', 'B', 'C'], ['x', word, 'Some words that fill a column and wrap in it']))
        .join('\n') +
      `\n<table><tr><td colspan="2">A</td><td>${endless}</td></tr><tr><td>B</td><td>C</td><td>D</td></tr></table>\n`,
  )
  assert.deepEqual(await page.evaluate(cutOff), [])
  assert.deepEqual(
    (await page.evaluate<string[]>(broken)).filter((word) => word !== endless),
    [],
  )
  const narrowest = await page.evaluate<number>(
    `Math.min(...[...document.querySelectorAll('.table td:last-child')].map((cell) => cell.offsetWidth))`,
  )
  assert.ok(narrowest > 80, String(narrowest))
})

test('on paper, a code line too long for the sheet continues below itself, not below its number', async () => {
  const code = `{% code lineNumbers="true" %}\n\`\`\`\n${'words and more '.repeat(20)}\nshort\n\`\`\`\n{% endcode %}\n`
  const page = await onPaper(code)
  const lefts = await page.evaluate<number[][]>(`[...document.querySelectorAll('.line')].map((line) => {
    const range = document.createRange()
    range.selectNodeContents(line)
    const rows = Object.groupBy(range.getClientRects(), ({ top }) => Math.round(top))
    return Object.values(rows).map((row) => Math.round(Math.min(...row.map(({ left }) => left))))
  })`)
  assert.ok(lefts[0]!.length > 1, JSON.stringify(lefts))
  assert.equal(new Set(lefts.flat()).size, 1, JSON.stringify(lefts))
  assert.deepEqual(await page.evaluate(cutOff), [])
})

test('on paper, interactive parts are left out: a video is its address, and a footnote has no way back', async () => {
  const page = await onPaper(
    '{% embed url="https://www.youtube.com/watch?v=abc" %}\n\nA note[^1].\n\n- [x] done\n- no task\n\n[^1]: Said.\n',
  )
  const [content, art] = await page.evaluate<string[]>(
    `[getComputedStyle(document.querySelector('.embed'), '::after').content,
      getComputedStyle(document.querySelector('.embed-art')).display]`,
  )
  assert.deepEqual([content, art], ['"https://www.youtube.com/watch?v=abc"', 'none'])
  const [box, words] = await page.evaluate<[number, number]>(
    `['.embed', '.embed-text b'].map((each) => document.querySelector(each).getBoundingClientRect().left)`,
  )
  assert.ok(words - box > 8, 'its title has room beside the edge')
  assert.ok(await page.isVisible('.notes li'))
  assert.ok(await page.isHidden('.notes a'))
  // Printers leave out backgrounds, but this bullet consists of nothing else.
  assert.equal(
    await page.evaluate(`getComputedStyle(document.querySelector('.tasks .bullet')).printColorAdjust`),
    'exact',
  )
})

test('a printed operation continues from sheet to sheet, with no empty bar above its code', async () => {
  const operation = '{% openapi-operation spec="shop" path="/pets" method="get" %}\n{% endopenapi-operation %}'
  const page = await onPaper(operation, petstore)
  // Firefox does not break a row of a grid across sheets if the row could begin on the next sheet.
  const grids = `['.op', '.op-grid', '.op-grid > *', '.op-aside'].filter((each) =>
    getComputedStyle(document.querySelector(each)).display !== 'block')`
  assert.deepEqual(await page.evaluate(grids), [])
  assert.ok(await page.isVisible('.op-aside pre'))
  assert.ok(await page.isHidden('.op-aside .code-head'))
})

test('a printed heading stays on one sheet with its first lines, at no extra distance', async () => {
  const page = await onPaper('## Tea\n\nWarm the pot.')
  const [room, inside, apart] = await page.evaluate<[string, string, number]>(`(() => {
    const heading = document.querySelector('.prose h2')
    const words = document.createRange()
    words.selectNodeContents(heading.firstChild)
    const below = heading.nextElementSibling.getBoundingClientRect().top
    const { blockSize } = getComputedStyle(heading, '::after')
    return [blockSize, getComputedStyle(heading).breakInside, below - words.getBoundingClientRect().bottom]
  })()`)
  assert.ok(Number.parseFloat(room) > 60, room)
  assert.equal(inside, 'avoid')
  assert.ok(apart > 0 && apart < 30, String(apart))
})

test('a printed link is followed by its address, unless its text is the address', async () => {
  const page = await onPaper(
    'See [named](https://a.test/one), https://a.test/two, <https://a.test/three> and [`https://a.test/four`](https://a.test/four).\n\n' +
      '- [in a list](https://a.test/five) and [https://a.test/shown](https://a.test/meant)\n',
  )
  const printed = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.prose a:not([class])')].map((link) => {
      const { content } = getComputedStyle(link, '::after')
      return link.textContent + (content === 'none' ? '' : content)
    })`,
  )
  // The address is left to right even between words from right to left. Otherwise its slashes would be out of place.
  const direction = `getComputedStyle(document.querySelector('.prose a'), '::after').direction`
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  assert.equal(await page.evaluate(direction), 'ltr')
  assert.deepEqual(printed, [
    'named" (https://a.test/one)"',
    'https://a.test/two',
    'https://a.test/three',
    'https://a.test/four',
    'in a list" (https://a.test/five)"',
    'https://a.test/shown" (https://a.test/meant)"',
  ])
})
