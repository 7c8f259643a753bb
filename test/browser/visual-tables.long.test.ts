// Tables in the visual editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

/** Formatted unusually, so that a rewritten line is noticed. */
const table = '|A|B|\n|---|:-:|\n|c   |*d*|\n|e|f|'
const page = (now: string) => `# Tea\n\nSome *text*.\n\n${now}\n\n* Last\n`

async function aWriter(of = table) {
  const writer = await openVisual(app, browser, page(of))
  const cell = async (words: string) => {
    await writer.visual.locator('[data-cell]', { hasText: new RegExp(`^${words}$`) }).click()
    await writer.key('End')
  }
  const open = () => writer.page.getByRole('button', { name: 'Rows and columns' }).click()
  const choose = async (name: string) => {
    await open()
    await writer.page.getByRole('menuitem', { name, exact: true }).click()
  }
  return { ...writer, cell, open, choose }
}

test('table rows are added, moved and deleted at the cell with the cursor, and all other lines stay byte for byte', async () => {
  const { cell, choose, type, becomes } = await aWriter()
  await cell('c')
  await choose('Add a row below')
  await type('new')
  await becomes(page('|A|B|\n|---|:-:|\n|c   |*d*|\n| new |  |\n|e|f|'))
  await choose('Move the row down')
  await becomes(page('|A|B|\n|---|:-:|\n|c   |*d*|\n|e|f|\n| new |  |'))
  await cell('f')
  await choose('Delete the row')
  await becomes(page('|A|B|\n|---|:-:|\n|c   |*d*|\n| new |  |'))
  await cell('A')
  await choose('Add a row below')
  await type('first')
  await becomes(page('|A|B|\n|---|:-:|\n| first |  |\n|c   |*d*|\n| new |  |'))
})

test('table columns are added, moved, aligned and deleted, and no block but the table changes', async () => {
  const { cell, choose, open, type, becomes, page: view } = await aWriter()
  await cell('d')
  await choose('Add a column on the left')
  await type('new')
  await becomes(page('| A |  | B |\n| --- | --- | :---: |\n| c | new | _d_ |\n| e |  | f |'))
  await choose('Move the column right')
  await becomes(page('| A | B |  |\n| --- | :---: | --- |\n| c | _d_ | new |\n| e | f |  |'))
  await open()
  await view.getByRole('menuitemcheckbox', { name: 'Align right' }).click()
  await becomes(page('| A | B |  |\n| --- | :---: | ---: |\n| c | _d_ | new |\n| e | f |  |'))
  await open()
  assert.equal(await view.getByRole('menuitemcheckbox', { name: 'Align right' }).getAttribute('aria-checked'), 'true')
  await view.keyboard.press('Escape')
  await cell('A')
  await choose('Delete the column')
  await becomes(page('| B |  |\n| :---: | ---: |\n| _d_ | new |\n| f |  |'))
})

test('Tab moves from cell to cell and from the last one into a new row, and Shift+Tab moves back and out of the table', async () => {
  const { cell, key, type, becomes, page: view } = await aWriter()
  await cell('A')
  await key('Tab')
  await type('1')
  await key('Tab')
  await type('2')
  await key('Shift+Tab', 'Shift+Tab')
  await type('0')
  await becomes(page('| A0 | B1 |\n|---|:-:|\n| c2 | _d_ |\n|e|f|'))
  await cell('f')
  await key('Tab')
  await type('x')
  await key('Tab')
  await type('y')
  await becomes(page('| A0 | B1 |\n|---|:-:|\n| c2 | _d_ |\n|e|f|\n| x | y |'))
  await cell('A0')
  await key('Shift+Tab')
  await untilTrue(view, `!document.activeElement.matches('[data-cell]')`)
})

test('the cell menu can be opened and used with keys alone, and returns the focus to the cell', async () => {
  const { cell, key, type, becomes, page: view } = await aWriter()
  await cell('c')
  await key('Escape', 'Enter')
  await untilTrue(view, `document.activeElement.textContent === 'Add a row above'`)
  await key('ArrowUp', 'ArrowUp')
  await untilTrue(view, `document.activeElement.textContent === 'Align in the centre'`)
  await key('Home', 'ArrowDown', 'Enter')
  await type('x')
  await becomes(page('|A|B|\n|---|:-:|\n|c   |*d*|\n| x |  |\n|e|f|'))
  await key('Escape', 'Enter', 'Escape')
  await type('y')
  await becomes(page('|A|B|\n|---|:-:|\n|c   |*d*|\n| xy |  |\n|e|f|'))
})

test('the header row of a table can be neither moved nor deleted, and its last column cannot be deleted', async () => {
  const { cell, open, choose, becomes, page: view } = await aWriter('|A|\n|-|\n|b|')
  await cell('A')
  await open()
  for (const name of ['Add a row above', 'Move the row up', 'Move the row down', 'Delete the row', 'Delete the column'])
    assert.ok(await view.getByRole('menuitem', { name }).isDisabled(), name)
  await view.keyboard.press('Escape')
  await cell('b')
  await choose('Delete the row')
  await becomes(page('|A|\n|-|'))
})

test('a new table has the chosen number of columns and rows, and the cursor is in its first cell', async () => {
  const { behind, key, type, tool, becomes, page: view } = await aWriter()
  await behind('Some text.')
  await tool('Table')
  await view.getByRole('dialog').getByLabel('Columns').fill('2')
  await view.getByLabel('Rows below the header').fill('1')
  await key('Enter')
  await untilTrue(view, `document.activeElement.matches('th')`)
  await type('Name')
  await key('Tab', 'Tab')
  await type('pot')
  await becomes(page(`| Name |  |\n| --- | --- |\n| pot |  |\n\n${table}`))
  await key('Control+z', 'Control+z')
  await becomes(page(table))
  await tool('Table')
  await view.getByRole('dialog').waitFor()
  await key('Escape')
  await untilTrue(view, `!isWorking`)
  await becomes(page(table))
})

test('spreadsheet cells are pasted into one table cell each, and the table grows if it is too small', async () => {
  const { cell, paste, becomes, type } = await aWriter()
  await cell('f')
  await paste({ 'text/plain': '1\t2*\r\n3\t\n' })
  await type('!')
  await becomes(page('| A | B |  |\n| --- | :---: | --- |\n| c | _d_ |  |\n| e | 1 | 2\\* |\n|  | 3 | ! |'))
})

test('links in pasted spreadsheet cells stay links, and a javascript: link becomes plain text', async () => {
  const { cell, paste, becomes, type } = await aWriter()
  await cell('c')
  const sheet = `<table><tr><td>See <a href="https://example.org/a?b=1">this | that</a> and
    <a href="mailto:tea@example.org">write</a></td><td><a href="javascript:alert(1)">none</a></td></tr>
    <tr><td><a href="https://example.org/"> all </a></td><td>one<br><a href="https://example.org/b">two</a></td></tr></table>`
  await paste({ 'text/html': sheet, 'text/plain': 'See this | that and write\tnone\nall\t"one\ntwo"' })
  await type('!')
  const [first, second] = ['[this \\| that](https://example.org/a?b=1)', '[write](mailto:tea@example.org)']
  await becomes(
    page(
      `|A|B|\n|---|:-:|\n| See ${first} and ${second} | none |\n| [all](https://example.org/) | one<br>[two](https://example.org/b)! |`,
    ),
  )
})

test('the cell menu is accessible wide and light, and the menu and the table size dialog narrow and dark', async () => {
  const { cell, open, key, tool, page: view } = await aWriter()
  await cell('d')
  await open()
  assert.deepEqual(await flaws(view), [])
  await view.setViewportSize({ width: 360, height: 700 })
  await view.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(view), [])
  await key('Escape')
  await tool('More…')
  await tool('Table')
  await view.getByRole('dialog').waitFor()
  assert.deepEqual(await flaws(view), [])
})

test('the cell menu fits between the header and the lower edge of the window, also in a low one', async () => {
  const { cell, open, key, page: view } = await aWriter()
  for (const height of [868, 640, 420]) {
    await view.setViewportSize({ width: 1280, height })
    for (const words of ['A', 'e']) {
      await cell(words)
      await open()
      const edges = `(() => {
        const [head, menu] = ['.head', '.table-menu'].map((name) => document.querySelector(name).getBoundingClientRect())
        return [head.bottom <= menu.top, menu.bottom <= innerHeight, menu.height > 60]
      })()`
      assert.deepEqual(await view.evaluate(edges), [true, true, true], `${words} at ${height}`)
      await key('End')
      const last = view.getByRole('menuitemcheckbox', { name: 'Align right' })
      assert.ok(await last.evaluate((item) => item.matches(':focus')))
      await key('Escape')
    }
  }
})
