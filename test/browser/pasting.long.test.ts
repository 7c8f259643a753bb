// How the editor handles text that is pasted, and how it finds a page to link to, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { newPage } from '../editing.ts'
import { openEditor } from './editor.ts'
import { until } from '../until.ts'

const browser = await startBrowser()
const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function anEditor(markdown: string, ...others: object[]) {
  const opened = await openEditor(app, browser, markdown, ...others)
  const { page, field } = opened
  await field.focus()
  /** Pastes as a browser does: if no script handles the event, the plain text is inserted. */
  const paste = (html: string, plain: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', ${JSON.stringify(html)})
      clipboardData.setData('text/plain', ${JSON.stringify(plain)})
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      if (document.querySelector('textarea').dispatchEvent(event)) document.execCommand('insertText', false, ${JSON.stringify(plain)})
    })()`)
  const becomes = (wanted: string) =>
    untilTrue(page, `document.querySelector('textarea').value === ${JSON.stringify(wanted)}`)
  return { ...opened, at: opened.choose, paste, becomes }
}

test('text pasted from a word processor becomes Markdown, and undoing it gives the plain text', async () => {
  const { page, at, paste, becomes, text } = await anEditor('# Tea\n\nFirst.\n')
  await at(14)
  await paste('<h2>Pots</h2><ul><li>of <b>iron</b></li></ul>', 'Pots\r\nof iron')
  await becomes('# Tea\n\nFirst.\n\n## Pots\n\n- of **iron**\n')
  await page.getByText('Pasted as Markdown.').waitFor()
  await page.keyboard.type('!')
  assert.equal(await text(), '# Tea\n\nFirst.\n\n## Pots\n\n- of **iron**!\n')
  for (let times = 0; times < 9 && (await text()) !== '# Tea\n\nFirst.\nPots\nof iron'; times++)
    await page.keyboard.press('Control+z')
  assert.equal(await text(), '# Tea\n\nFirst.\nPots\nof iron')
})

test('pasted words in a line stay in it, and text typed meanwhile is kept', async () => {
  const { page, at, paste, becomes } = await anEditor('# Tea\n\nTake  of it.\n')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/pasted', async (route) => held.then(() => route.continue()))
  await at(12)
  await paste('<a href="https://example.org/">a spoon</a>', 'a spoon')
  await page.keyboard.type(' or two')
  release()
  await becomes('# Tea\n\nTake [a spoon](https://example.org/) or two of it.\n')
})

test('a second paste before the first is converted also becomes Markdown', async () => {
  const { page, at, paste, becomes } = await anEditor('# Tea\n\nTake .\n')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/pasted', async (route) => held.then(() => route.continue()))
  await at(12)
  await paste('<b>a spoon</b>', 'a spoon')
  await page.keyboard.type(' or ')
  await paste('<i>two</i>', 'two')
  release()
  await becomes('# Tea\n\nTake **a spoon** or _two_.\n')
})

test('code, Markdown and unformatted text are pasted as they are, and so is everything if the server does not answer', async () => {
  const { page, at, paste, becomes } = await anEditor('# Tea\n\n```\n\n```\n')
  let asked = 0
  await page.route('**/pasted', async (route) => {
    asked++
    await route.abort()
  })
  await at(11)
  await paste('<b>in code</b>', 'in code')
  await becomes('# Tea\n\n```\nin code\n```\n')
  await at(23)
  await paste('<div style="white-space: pre;"><b>let</b> a</div>', 'let a;')
  await paste('<h2>Pots</h2>', '## Pots;')
  await paste('<div><span style="color:red">red</span></div>', 'red;')
  await becomes('# Tea\n\n```\nin code\n```\nlet a;## Pots;red;')
  assert.equal(asked, 0)
  await paste('<b>bold</b>', 'bold')
  // The plain text is there before the server is asked for something better.
  await until('the request', () => asked === 1)
  await becomes('# Tea\n\n```\nin code\n```\nlet a;## Pots;red;bold')
  assert.equal(asked, 1)
})

test('text pasted into a table row stays in its cell', async () => {
  const table = '# Tea\n\n| A | B |\n| - | - |\n| c |  |\n'
  const row = table.indexOf('| c |') + 6
  const { page, field, at, paste, becomes } = await anEditor(table)
  const pasted = async (html: string, plain: string, wanted: string, where = row) => {
    await field.fill(table)
    await at(where)
    await paste(html, plain)
    await becomes(table.slice(0, where) + wanted + table.slice(where))
    await page.getByText('Pasted as Markdown.').waitFor({ state: html === '' ? 'detached' : 'visible' })
  }
  await pasted('', 'a | b', 'a \\| b')
  await pasted('', ' a ', ' a ')
  await pasted('', 'a \\| b\r\n*c*', 'a \\| b *c*')
  await pasted(
    '<b>a | b</b> or <a href="https://example.org/">c</a>',
    'a | b or c',
    '**a \\| b** or [c](https://example.org/)',
  )
  // Outside of the cells, nothing is escaped: text beside the rows is not for a cell, and a copied row is to stay a
  // row.
  await pasted('', 'a | b', 'a | b', row + 3)
  await pasted('', '| a | b |\n', '| a | b |\n', table.indexOf('| c |'))
  await pasted('', 'a | b', 'a | b', 5)
})

test('pasted pictures are fetched into the change request, and a refused one keeps its address', async () => {
  const { page, at, paste, text } = await anEditor('# Tea\n\nA pot:\n')
  await at(14)
  const picture = `${app.url}/favicon.svg`
  await paste(
    `<p>A <b>pot</b></p><p><img src="${picture}" alt="Pot"></p><p><img src="http://10.1.2.3/a.png"><img src="${app.url}/healthz"><img src="file:///a.png"></p>`,
    'A pot',
  )
  await page.getByText('The picture at 10.1.2.3 stays there.').waitFor()
  await page.getByText('The file at this address is not a picture.').waitFor()
  await page.getByText('Some pictures were not pasted').waitFor()
  assert.match(
    await text(),
    /^# Tea\n\nA pot:\n\nA \*\*pot\*\*\n\n!\[Pot\]\(\/files\/[\w-]{36}\)\n\n!\[\]\(http:\/\/10\.1\.2\.3\/a\.png\)!\[\]\(http[^)]*healthz\)/,
  )
})

test('a page to link to is found by typing its title, and is inserted as a link by keyboard', async () => {
  const { page, at, becomes } = await anEditor('# Tea\n\nSee this.\n', newPage('Pots'), newPage('Cups'))
  await at(17)
  await page.getByRole('button', { name: 'Page link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link to a page' })
  await dialog.getByText('2 found').waitFor()
  assert.deepEqual(await flaws(page), [])
  await page.keyboard.type('cu')
  await dialog.getByText('1 found').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await becomes('# Tea\n\nSee this.\n[Cups](/cups.md)')
  await page.locator('.writing-preview a', { hasText: 'Cups' }).waitFor()
  await at(11, 15)
  await page.getByRole('button', { name: 'Page link' }).click()
  // Without waiting for the list of pages.
  await page.keyboard.type('pots')
  await page.keyboard.press('Enter')
  await becomes('# Tea\n\nSee [this](/pots.md).\n[Cups](/cups.md)')
  await page.getByRole('button', { name: 'Page link' }).click()
  await page.keyboard.press('Escape')
  await untilTrue(page, `document.activeElement === document.querySelector('textarea')`)
})

test('Enter chooses a page only when meant: not while it ends a composed word, and once if pressed twice', async () => {
  const { page, at, becomes, text } = await anEditor('# Tea\n\nSee.\n', newPage('Cups'), newPage('Pots'))
  await at(12)
  await page.getByRole('button', { name: 'Page link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link to a page' })
  await dialog.getByText('2 found').waitFor()
  await page.evaluate(`document.querySelector('.writing-choice input').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))`)
  assert.ok(await dialog.isVisible())
  assert.equal(await text(), '# Tea\n\nSee.\n')
  // Both presses come before the answer. After it, the dialog is closed, and the key would go to the text.
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*?find=*', async (route) => held.then(() => route.continue()))
  await page.keyboard.type('pots')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  release()
  await becomes('# Tea\n\nSee.\n[Pots](/pots.md)')
  await page.waitForLoadState('networkidle')
  assert.equal(await text(), '# Tea\n\nSee.\n[Pots](/pots.md)')
})

test('a paste converted while a page is chosen stays where it was pasted, with the link after it', async () => {
  const { page, at, paste, becomes } = await anEditor('# Tea\n\nTake .\n', newPage('Pots'))
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/pasted', async (route) => held.then(() => route.continue()))
  await at(12)
  await paste('<a href="https://example.org/">a spoon</a>', 'a spoon')
  await page.getByRole('button', { name: 'Page link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link to a page' })
  await dialog.getByText('1 found').waitFor()
  const answered = page.waitForResponse('**/pasted')
  release()
  await (await answered).finished()
  await page.keyboard.type('po')
  assert.equal(await dialog.locator('input').inputValue(), 'po')
  await page.keyboard.press('Enter')
  await becomes('# Tea\n\nTake [a spoon](https://example.org/)[Pots](/pots.md).\n')
})

test('fetching a pasted picture changes no other address, in code or with the same beginning', async () => {
  const picture = `${app.url}/favicon.svg`
  const { page, at, paste, text } = await anEditor(`# Tea\n\nFrom \`${picture}\`.\n`)
  await at((await text()).length)
  const images = [`${picture}?1`, picture, picture].map((src) => `<p><img src="${src}" alt="Pot"></p>`)
  await paste(`<p>A <b>pot</b></p>${images.join('')}`, 'A pot')
  await untilTrue(page, `document.querySelector('textarea').value.split('![Pot](/files/').length === 4`)
  const file = String.raw`!\[Pot\]\(\/files\/[\w-]{36}\)`
  const [head, ...rest] = (await text()).split('\n\nA **pot**\n\n')
  assert.equal(head, `# Tea\n\nFrom \`${picture}\`.`)
  assert.match(rest.join(), new RegExp(`^${file}\\s+${file}\\s+${file}\\s*$`))
})
