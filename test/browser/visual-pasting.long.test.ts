// Pasting, and where the writer continues afterwards, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { chooseWords, openEditor, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()
const aWriter = (markdown: string) => openVisual(app, browser, markdown)

const coloured = '<div style="font-family: monospace; white-space: pre;"><div><b># x</b></div><div>  y</div></div>'

test('an address pasted over words links them, also in a table cell, and pasted over an address it replaces that', async () => {
  const { paste, becomes, page, behind, key, type } = await aWriter(
    '# Tea\n\nSee **all** words here\n\nhttps://example.org/\n\n| A |\n| --- |\n| c |\n',
  )
  await chooseWords(page, 'words', 'words')
  await paste({ 'text/plain': 'https://example.com/a_(b)\n' })
  await type('!')
  await behind('c')
  await key('Shift+Home')
  await paste({ 'text/plain': 'https://example.com/c' })
  await chooseWords(page, 'https://example.org/', 'https://example.org/')
  await paste({ 'text/plain': 'https://example.com/d' })
  await becomes(
    '# Tea\n\nSee **all** [words](<https://example.com/a_(b)>)! here\n\n<https://example.com/d>\n\n| A |\n| --- |\n| [c](https://example.com/c) |\n',
  )
})

test('in the Markdown editor a pasted address also links words, but replaces the address of a link and code', async () => {
  const source = '# Tea\n\nSee words, [x](page.md), `code` and end.\n'
  const { page, field, text, choose } = await openEditor(app, browser, source)
  const paste = async (words: string, address: string) => {
    await field.focus()
    const at = (await text()).indexOf(words)
    await choose(at, at + words.length)
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '${address}')
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      if (field.dispatchEvent(event)) document.execCommand('insertText', false, '${address}')
    }`)
  }
  await paste('words', 'https://example.com/(a)')
  await paste('page.md', 'https://example.com/b')
  await paste('code', 'https://example.com/c')
  await paste('end', 'https://example.com/d')
  assert.equal(
    await text(),
    '# Tea\n\nSee [words](<https://example.com/(a)>), [x](https://example.com/b), `https://example.com/c` and [end](https://example.com/d).\n',
  )
})

test('pasted code of several lines becomes a code block with its language if known, and pasted Markdown is read as Markdown', async () => {
  const { behind, key, type, paste, becomes, page } = await aWriter('# Tea\n\nFirst\n\nLast\n')
  const copied = (mode: string, plain: string) => ({
    'text/html': coloured,
    'text/plain': plain,
    'vscode-editor-data': JSON.stringify({ version: 1, mode }),
  })
  await behind('First')
  await key('Enter')
  await paste(copied('shellscript', '# x\n  y ```\n'))
  await type('!')
  await becomes('# Tea\n\nFirst\n\n````bash\n# x\n  y ```!\n````\n\nLast\n')
  await untilTrue(page, '!isWorking')
  await behind('Last')
  await paste({ 'text/html': '<pre>a {\n  b\n}</pre>', 'text/plain': 'a {\n  b\n}\n' })
  await becomes('# Tea\n\nFirst\n\n````bash\n# x\n  y ```!\n````\n\nLast\n\n```\na {\n  b\n}\n```\n')
  await untilTrue(page, '!isWorking')
  await behind('First')
  await key('Enter')
  await paste(copied('markdown', '## Head\n\n- a\n'))
  await becomes('# Tea\n\nFirst\n\n## Head\n\n- a\n\n````bash\n# x\n  y ```!\n````\n\nLast\n\n```\na {\n  b\n}\n```\n')
})

test('blocks pasted into a line split it without stray blanks, and typing goes on after them', async () => {
  const { type, paste, becomes, page } = await aWriter('# Tea\n\nSee words here\n\n- Take some now\n')
  const blocks = { 'text/html': '<p>a <b>b</b></p><p>c</p>', 'text/plain': 'a b\n\nc' }
  await chooseWords(page, 'words', 'words')
  await paste(blocks)
  await type('!')
  await becomes('# Tea\n\nSee\n\na **b**\n\nc!\n\nhere\n\n- Take some now\n')
  await untilTrue(page, '!isWorking')
  await chooseWords(page, 'some', 'some')
  await paste(blocks)
  await type('!')
  await becomes('# Tea\n\nSee\n\na **b**\n\nc!\n\nhere\n\n- Take\n\n  a **b**\n\n  c!\n\n  now\n')
})

test('items pasted into a list of their kind become items of it, as close together as the others', async () => {
  const { behind, before, type, paste, becomes, page } = await aWriter(
    '# Tea\n\n* Take some now\n* b\n\n## More\n\n1. one\n2. two\n',
  )
  const [points, numbers] = [
    { 'text/html': '<ul><li>x<ul><li>n</li></ul></li><li>y</li></ul>', 'text/plain': 'x\nn\ny' },
    { 'text/html': '<ol><li>x</li><li>y</li></ol>', 'text/plain': 'x\ny' },
  ]
  await chooseWords(page, 'some', 'some')
  await paste(points)
  await type('!')
  await becomes('# Tea\n\n* Take\n* x\n  - n\n* y!\n* now\n* b\n\n## More\n\n1. one\n2. two\n')
  await untilTrue(page, '!isWorking')
  await behind('one')
  await paste(numbers)
  await type('!')
  await becomes('# Tea\n\n* Take\n* x\n  - n\n* y!\n* now\n* b\n\n## More\n\n1. one\n1. x\n2. y!\n2. two\n')
  await untilTrue(page, '!isWorking')
  await before('b')
  await paste(numbers)
  await type('?')
  await becomes(
    '# Tea\n\n* Take\n* x\n  - n\n* y!\n* now\n\n1. x\n2. y?\n\n* b\n\n## More\n\n1. one\n1. x\n2. y!\n2. two\n',
  )
})

test('Enter before a heading makes room for text above it, and bold does not change a heading', async () => {
  const { before, key, type, becomes, page, visual } = await aWriter('# Tea\n\n## Head here\n\nText\n')
  await before('Head here')
  await key('Enter', 'ArrowUp')
  await type('Above')
  await chooseWords(page, 'Head', 'Head')
  await key('Control+b')
  assert.equal(await visual.locator('h2').innerHTML(), 'Head here')
  await chooseWords(page, 'Text', 'Text')
  await key('Control+b')
  await key('End')
  await key('Control+b')
  await type(' more')
  await becomes('# Tea\n\nAbove\n\n## Head here\n\n**Text** more\n')
})

test('a newly added page ends with exactly one line end, whether text or a block is inserted first', async () => {
  const { page, type, key, text } = await aWriter('# Tea\n')
  const change = page.url().replace(/\/pages\/.*/, '')
  const add = async (title: string) => {
    await page.goto(`${change}/pages/new`)
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Add', exact: false }).first().click()
    await page.locator('.writing-visual h1').waitFor()
    await untilTrue(page, '!isWorking')
  }
  const saved = async () => {
    await key('Control+s')
    await page.getByText('Saved in the change request.').waitFor()
    return text()
  }
  await add('Pots')
  await type('Of iron.')
  assert.equal(await saved(), '# Pots\n\nOf iron.\n')
  await add('Cups')
  await type('/cards')
  await page.getByRole('option', { name: 'Cards' }).waitFor()
  await key('Enter')
  await page.locator('.writing-visual article').first().waitFor()
  assert.match(await saved(), /<\/table>\n$/)
})

test('pasted lines with equally many tabs become a table, also with an empty row, and indented lines stay lines', async () => {
  const { behind, key, paste, becomes } = await aWriter('# Tea\n\nFirst\n\nLast\n')
  await behind('First')
  await key('Enter')
  await paste({ 'text/plain': 'Name\tMinutes\r\n\t\r\nGreen | white\t3\r\n' })
  const table = '| Name | Minutes |\n| --- | --- |\n|  |  |\n| Green \\| white | 3 |'
  await becomes(`# Tea\n\nFirst\n\n${table}\n\nLast\n`)
  await behind('Last')
  await key('Enter')
  await paste({ 'text/plain': 'One\n\n\ta\n\tb' })
  await becomes(`# Tea\n\nFirst\n\n${table}\n\nLast\n\nOne\n\na\\\nb\n`)
})

test('a variable that is pasted or typed becomes one, also in a table cell, and other braces stay text', async () => {
  const { behind, paste, type, becomes, page } = await aWriter('# Tea\n\nMade by\n\n| A |\n| --- |\n| c |\n')
  const line = '{{ space.vars.maker }}'
  await behind('Made by')
  await type(' ')
  await paste({ 'text/plain': line, 'text/html': `<code>${line}</code>` })
  await type(' for {{ user }}, {{ page.vars.year }}.')
  await untilTrue(page, '!isWorking')
  await behind('c')
  await type(` ${line}!`)
  const shown = (name: string) => `<code class="expression">${name}</code>`
  const maker = shown('space.vars.maker')
  await becomes(
    `# Tea\n\nMade by ${maker} for \\{{ user }}, ${shown('page.vars.year')}.\n\n| A |\n| --- |\n| c ${maker}! |\n`,
  )
})
