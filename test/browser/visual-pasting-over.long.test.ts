// Content that replaces a selection or is put into marks, links, code and cells, in a real browser.
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { newPage } from '../editing.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { chooseWords, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const bold = { 'text/html': '<b>X</b> <i>y</i>', 'text/plain': 'X y' }
const lines = { 'text/plain': 'one\n\ntwo' }
const page = (middle: string) => `# Tea\n\n${middle}\n\nEnd\n`

const overs: [what: string, text: string, from: string, to: string, copied: Record<string, string>, now: string][] = [
  ['from bold to plain', 'Some **bold words** here now.', 'words', 'here', bold, 'Some **bold** **X** _y_ now.'],
  ['from a link on', 'A [link on](https://a.org/) here.', 'on', 'here', bold, 'A [link ](https://a.org/)**X** _y_.'],
  ['within bold', 'Some **bold mid end** now.', 'mid', 'mid', lines, 'Some **bold**\n\none\n\ntwo\n\n**end** now.'],
  ['of two paragraphs', 'One **bold** too.\n\nTwo _more_ now.', 'bold', 'more', bold, 'One **X** _y_ now.'],
  ['within code', 'Some `co mid de` now.', 'mid', 'mid', bold, 'Some `co X y de` now.'],
  [
    'behind bold',
    'Some **bold** x **now**.',
    'x',
    'x',
    { 'text/html': '<b>X</b>', 'text/plain': 'X' },
    'Some **bold** **X** **now**.',
  ],
  [
    'between bold',
    'Some **bold**x**now**.',
    'x',
    'x',
    { 'text/html': '<b>X</b>', 'text/plain': 'X' },
    'Some **boldXnow**.',
  ],
]
for (const [what, text, from, to, copied, now] of overs)
  test(`pasting over words ${what} leaves the text around them intact and is undone in one step`, async () => {
    const writer = await openVisual(app, browser, page(text))
    await chooseWords(writer.page, from, to)
    await writer.paste(copied)
    await writer.becomes(page(now))
    await untilTrue(writer.page, '!isWorking')
    await writer.key('Control+z')
    await writer.becomes(page(text))
  })

test('pasting over a whole page keeps only its settings, and pasting what no page can hold replaces nothing', async () => {
  const { page, visual, key, paste, becomes } = await openVisual(
    app,
    browser,
    '---\nicon:   leaf # mine\n---\n\n# Tea\n\nSome **bold**.\n\n{% hint style="info" %}\nHot\n{% endhint %}\n',
  )
  await visual.getByText('Some').click()
  await key('Control+a', 'Control+a')
  await paste({ 'text/html': '<h1>Pots</h1><p>Of <b>iron</b>.</p>', 'text/plain': 'Pots\nOf iron.' })
  await becomes('---\nicon:   leaf # mine\n---\n\n# Pots\n\nOf **iron**.\n')
  await untilTrue(page, '!isWorking')
  // If no page can hold the content, such as a drawing, there is neither text nor markup, and nothing is replaced.
  await key('Control+a')
  await paste({ 'image/x-drawing': '…' })
  await sleep(600)
  await becomes('---\nicon:   leaf # mine\n---\n\n# Pots\n\nOf **iron**.\n')
})

test('words that begin in bold or are code can be linked to a page and to an address', async () => {
  const { page, type, key, becomes, text } = await openVisual(
    app,
    browser,
    '# Tea\n\nSome **bold words** here.\n\nA `key` or `two`.\n',
    newPage('Pots'),
  )
  await chooseWords(page, 'words', 'here')
  await page.getByRole('button', { name: 'Page link' }).click()
  await page.getByRole('dialog', { name: 'Link to a page' }).getByRole('button', { name: 'Pots' }).click()
  const href = /\((\S*)\)/
  await untilTrue(page, `/\\]\\(/.test(field.value)`)
  const [, pots] = href.exec(await text())!
  await becomes(`# Tea\n\nSome **bold [words](${pots})**[ here](${pots}).\n\nA \`key\` or \`two\`.\n`)
  await chooseWords(page, 'key', 'two')
  await key('Control+k')
  await type('a.org')
  await key('Enter')
  await becomes(`# Tea\n\nSome **bold [words](${pots})**[ here](${pots}).\n\nA [\`key\` or \`two\`](https://a.org).\n`)
})

const table = (cell: string) => `# Tea\n\n[One](https://a.org/) $$x|y$$\n\n| A | B |\n|---|---|\n| c | ${cell} |\n`

test('content pasted into a table cell keeps its marks, links and formulas, and a pasted sheet keeps its cells', async () => {
  const { page, visual, key, paste, becomes } = await openVisual(app, browser, table('d'))
  const inCell = async (words: string) => {
    await untilTrue(page, '!isWorking')
    await visual.locator('[data-cell]', { hasText: new RegExp(`^${words}$`) }).click()
    await key('End')
  }
  await inCell('d')
  await paste({
    'text/html': '<h2>or <a href="https://b.org/">the <b>pot|s</b></a></h2>',
    'text/plain': 'or the pot|s',
  })
  await becomes(table('dor [the **pot\\|s**](https://b.org/)'))
  await key('Control+z')
  await becomes(table('d'))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await untilTrue(page, '!isWorking')
  await visual.getByText('One').click()
  await key('Home', 'Shift+End', 'Control+c')
  await inCell('d')
  await key('Control+v')
  await becomes(table('d[One](https://a.org/) $$x\\|y$$'))
  await key('Control+z')
  await becomes(table('d'))
  // As Excel copies them: a column, and cells of several lines.
  await inCell('d')
  await paste({ 'text/html': '<table><tr><td>1</td></tr><tr><td>2</td></tr></table>', 'text/plain': '1\r\n2\r\n' })
  await becomes(table('1 |\n|  | 2'))
  await inCell('c')
  await paste({
    'text/html': '<table><tr><td>3<br>\n  more</td><td>4</td></tr></table>',
    'text/plain': '"3\nmore"\t4\r\n',
  })
  await becomes(table('1 |\n|  | 2').replace('| c | 1 |', '| 3<br>more | 4 |'))
})

test('pasted rich text stays rich text if code in it looks like Markdown, and so does a line from Google Docs', async () => {
  const { page, behind, key, paste, becomes } = await openVisual(app, browser, '# Tea\n\nOne\n')
  await behind('One')
  await key('Enter')
  await paste({
    'text/html': '<h2>Install</h2><pre># first\nnpm ci</pre><p>Then <b>start</b>.</p>',
    'text/plain': 'Install\n\n# first\nnpm ci\nThen start.',
  })
  const now = '# Tea\n\nOne\n\n## Install\n\n```\n# first\nnpm ci\n```\n\nThen **start**.'
  await becomes(`${now}\n`)
  await untilTrue(page, '!isWorking')
  await key('Enter')
  await paste({
    'text/html':
      '<meta charset="utf-8"><span style="font-weight:700;white-space:pre;white-space:pre-wrap;" id="docs-internal-guid-1">It boils.</span>',
    'text/plain': 'It boils.',
  })
  await becomes(`${now}\n\n**It boils.**\n`)
})

test('if the server does not answer, pasted text stays as Markdown, and what is typed next does not replace it', async () => {
  const { page, behind, paste, type, text } = await openVisual(app, browser, '# Tea\n\nOne\n')
  await behind('One')
  await page.route('**/visual', (route) => route.abort())
  await paste(lines)
  await page.getByText('The server did not answer.').waitFor()
  await page.unroute('**/visual')
  await type('!')
  assert.equal(await text(), '# Tea\n\nOne\n\none\n\ntwo!\n')
  await page.getByRole('button', { name: 'Visual', exact: true }).click()
  await page.locator('.writing-visual').getByText('two!').waitFor()
})
