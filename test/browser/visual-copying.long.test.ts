// Copying, cutting and pasting in the visual editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { chooseWords, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const hint = '{% hint style="warning" %}\nHot _water_.\n{% endhint %}'

async function aWriter(markdown: string) {
  const writer = await openVisual(app, browser, markdown)
  await writer.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return writer
}

/** The HTML that another program gets when something is copied. */
const copied = (page: Page) =>
  page.evaluate<string>(
    `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((it) => it.text())`,
  )

test('pasted lines that are not Markdown stay lines and paragraphs, and their signs are escaped', async () => {
  const { behind, paste, becomes, page } = await aWriter('# Tea\n\nFirst\n\nLast\n')
  await behind('First')
  await paste({
    'text/plain': 'Dear *all*,\nthe pot_is_hot & <b>\n\n1. not a list,\nbut two lines\r\n\r\n\r\n{{ x }}\n',
  })
  const pasted = 'Dear \\*all\\*,\\\nthe pot_is_hot & \\<b>\n\n1\\. not a list,\\\nbut two lines\n\n\\{{ x }}'
  await becomes(`# Tea\n\nFirst\n\n${pasted}\n\nLast\n`)
  await untilTrue(page, `!isWorking`)
  await behind('Last')
  await paste({ 'text/plain': '• iron\n• clay\n\n3) boil\n4) pour' })
  await becomes(`# Tea\n\nFirst\n\n${pasted}\n\nLast\n\n- iron\n- clay\n\n3. boil\n4. pour\n`)
})

test('pasted lines of Markdown are inserted as Markdown', async () => {
  const { behind, paste, becomes } = await aWriter('# Tea\n\nFirst\n')
  await behind('First')
  await paste({ 'text/plain': '## Pots\n\n- of **iron**\n- [clay](x.md)' })
  await becomes('# Tea\n\nFirst\n\n## Pots\n\n- of **iron**\n- [clay](x.md)\n')
})

test('an edited block is copied and cut with its edits, at once and after a pause', async () => {
  const { behind, key, type, becomes, page } = await aWriter(`# Tea\n\none\n\n${hint}\n\ntwo\n\nthree\n`)
  await chooseWords(page, '.', '.')
  await key('ArrowRight')
  await type(' Very.')
  const now = hint.replace('.\n', '. Very.\n')
  await becomes(`# Tea\n\none\n\n${now}\n\ntwo\n\nthree\n`)
  await chooseWords(page, 'one', 'two')
  await key('Control+c')
  await behind('three')
  await key('Enter', 'Control+v')
  await becomes(`# Tea\n\none\n\n${now}\n\ntwo\n\nthree\n\none\n\n${now}\n\ntwo\n`)
  await untilTrue(page, `!isWorking`)
  // Stops the timer, so that the Markdown of this edit has not been derived yet.
  await page.evaluate(`clearTimeout(pause)`)
  await chooseWords(page, 'Hot ', 'Hot ')
  await type('Cold ')
  await page.evaluate(`clearTimeout(pause)`)
  await chooseWords(page, 'one', 'two')
  await key('Control+x')
  await becomes(`# Tea\n\nthree\n\none\n\n${now}\n\ntwo\n`)
  await behind('three')
  await key('Enter', 'Control+v')
  await becomes(`# Tea\n\nthree\n\none\n\n${now.replace('Hot', 'Cold')}\n\ntwo\n\none\n\n${now}\n\ntwo\n`)
})

test('marks, links, lists, tasks and formulas are pasted unchanged, and keep their format for other programs', async () => {
  const source =
    '# Tea\n\nSee **bold** and [pots](pots.md), $$a^2$$ :tea:\n\n- one\n  - two\n\n1. three\n\n- [x] four\n- [ ] five\n'
  const { behind, key, type, becomes, page } = await aWriter(`${source}\nLast\n`)
  await behind('Last')
  await type('!')
  await chooseWords(page, 'See', 'five')
  await key('Control+c')
  assert.match(await copied(page), /<strong>bold<\/strong>.*<a [^>]*data-href="pots.md">pots<\/a>.*<li[^>]*>one<ul/s)
  await behind('Last!')
  await key('Enter', 'Control+v')
  await becomes(`${source}\nLast!\n\n${source.replace('# Tea\n\n', '')}`)
})

test('a copied part of bold text, of a link and of a list keeps its format', async () => {
  const { behind, key, becomes, page } = await aWriter(
    '# Tea\n\n**all bold** [all link](x.md)\n\n1. one\n2. two\n\nA\n\nLast\n\nB\n',
  )
  await chooseWords(page, 'bold', 'bold')
  await key('Control+c')
  await behind('A')
  await key('Control+v')
  await becomes('# Tea\n\n**all bold** [all link](x.md)\n\n1. one\n2. two\n\nA**bold**\n\nLast\n\nB\n')
  await untilTrue(page, `!isWorking`)
  await chooseWords(page, 'link', 'link')
  await key('Control+c')
  await behind('B')
  await key('Control+v')
  await becomes('# Tea\n\n**all bold** [all link](x.md)\n\n1. one\n2. two\n\nA**bold**\n\nLast\n\nB[link](x.md)\n')
  await untilTrue(page, `!isWorking`)
  await chooseWords(page, 'one', 'one')
  await key('Control+c')
  await behind('Last')
  await key('Control+v')
  await becomes('# Tea\n\n**all bold** [all link](x.md)\n\n1. one\n2. two\n\nA**bold**\n\nLastone\n\nB[link](x.md)\n')
  await key('Control+z')
  await untilTrue(page, `!isWorking`)
  await chooseWords(page, 'one', 'two')
  await key('Control+x')
  await page.locator('.writing-visual > p').last().click()
  await key('End', 'Enter', 'Control+v')
  await becomes('# Tea\n\n**all bold** [all link](x.md)\n\nA**bold**\n\nLast\n\nB[link](x.md)\n\n1. one\n2. two\n')
})

test('formulas are pasted unchanged, even with a digit right after them', async () => {
  const { behind, key, becomes, page } = await aWriter('# Tea\n\nSee $$a^2$$5 and $$b$$.\n\nLast\n')
  await chooseWords(page, 'See', '.')
  await key('Control+c')
  await behind('Last')
  await key('Enter', 'Control+v')
  await becomes('# Tea\n\nSee $$a^2$$5 and $$b$$.\n\nLast\n\nSee $$a^2$$5 and $$b$$.\n')
})

test('a block copied from a list or a quote is pasted without the marks before its lines', async () => {
  const item = (lead: string) =>
    ['- b', '', '  ```js', '  x()', '', '    y()', '  ```'].map((line) => line && lead + line)
  const list = ['- a', ...item('  '), '  - c'].join('\n')
  const quote = '> one\n>\n> {% hint style="info" %}\n> Hot.\n>\n> Is it.\n> {% endhint %}\n>\n> two'
  const source = `# Tea\n\n${list}\n\n${quote}\n\nLast\n`
  const { behind, key, becomes, page } = await aWriter(source)
  await chooseWords(page, 'b', 'c')
  await key('Control+c')
  await behind('Last')
  await key('Enter', 'Control+v')
  const pasted = `${[...item(''), '', '- c'].join('\n')}\n`
  await becomes(`${source}\n${pasted}`)
  await key('Control+z')
  await becomes(source)
  await untilTrue(page, `!isWorking`)
  await chooseWords(page, 'one', 'two')
  await key('Control+c')
  await behind('Last')
  await key('Enter', 'Control+v')
  await becomes(`${source}\none\n\n${quote.split('\n').slice(2, 7).join('\n').replaceAll(/^> ?/gm, '')}\n\ntwo\n`)
})

test('a block that is edited and cut at once is pasted with its edits, below an empty quote', async () => {
  const another = hint.replace('Hot', 'Cold')
  const { behind, key, type, becomes, page } = await aWriter(
    `# Tea\n\nOne\n\nTwo\n\n${hint}\n\nThree\n\n${another}\n\nLast\n`,
  )
  await behind('One')
  await key('Enter')
  await type('> ')
  await chooseWords(page, 'Hot', 'Hot')
  await type('Warm')
  await page.evaluate(`clearTimeout(pause)`)
  await chooseWords(page, 'Two', 'Three')
  await key('Control+x')
  await behind('Last')
  await key('Enter', 'Control+v')
  await becomes(`# Tea\n\nOne\n\n${another}\n\nLast\n\nTwo\n\n${hint.replace('Hot', 'Warm')}\n\nThree\n`)
})

test('a list pasted into an empty item continues that list', async () => {
  const { behind, key, becomes, page } = await aWriter('# Tea\n\n- one\n- two\n\nText\n\n* three\n')
  await chooseWords(page, 'one', 'two')
  await key('Control+c')
  await behind('three')
  await key('Enter', 'Control+v')
  await becomes('# Tea\n\n- one\n- two\n\nText\n\n* three\n* one\n* two\n')
})

test('tables and code are copied as such for other programs, without the buttons beside them', async () => {
  const { key, page } = await aWriter('# Tea\n\none\n\n| A | B |\n| - | - |\n| c | d |\n\n```js\nx()\n```\n\ntwo\n')
  await chooseWords(page, 'one', 'two')
  await key('Control+c')
  const html = await copied(page)
  assert.match(html, /<table>.*<th[^>]*>A<\/th>.*<td[^>]*>d<\/td>.*<pre><code[^>]*>x\(\)\s*<\/code>/s)
  assert.doesNotMatch(html, /<button|contenteditable/)
  const plain = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(plain, /^one\s+A\s+B\s+c\s+d\s+x\(\)\s+two$/)
})

test('words can be dragged into a cell, and blocks that a cell cannot hold stay in place', async () => {
  const table = (last: string) => `| A | B |\n| - | - |\n| cc | ${last} |`
  const code = '```js\nx()\n```'
  const { visual, becomes, page, behind, type } = await aWriter(
    `# Tea\n\none\n\n${code}\n\ntwo\n\n${table('dd')}\n\nLast\n`,
  )
  const drag = (words: string) =>
    visual.getByText(words, { exact: true }).dragTo(visual.locator('td').last(), { sourcePosition: { x: 8, y: 8 } })
  await chooseWords(page, 'one', 'two')
  await drag('two')
  await behind('Last')
  await type('!')
  await becomes(`# Tea\n\none\n\n${code}\n\ntwo\n\n${table('dd')}\n\nLast!\n`)
  await chooseWords(page, 'two', 'two')
  await drag('two')
  await becomes(`# Tea\n\none\n\n${code}\n\n${table('ddtwo')}\n\nLast!\n`)
})
