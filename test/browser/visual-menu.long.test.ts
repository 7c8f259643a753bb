// The list of blocks where somebody writes without seeing Markdown, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { newPage } from '../editing.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

async function aWriter(...others: object[]) {
  const writer = await openVisual(app, browser, '# Tea\n\nFirst\n', ...others)
  const { page } = writer
  const list = page.getByRole('listbox', { name: 'Blocks' })
  const names = () => list.getByRole('option').allTextContents()
  /** In a new paragraph. */
  const begin = async (words: string) => {
    await writer.key('Enter')
    await writer.type(words)
  }
  await writer.behind('First')
  return { ...writer, list, names, begin }
}

test('a slash in an empty paragraph lists the blocks there are, and words behind it look for one', async () => {
  const { begin, list, names, type, key, becomes } = await aWriter()
  await begin('/')
  await list.waitFor()
  for (const name of ['Heading', 'Tasks', 'Quote', 'Hint: warning', 'Table', 'Steps', 'Formula', 'File or picture'])
    assert.ok((await names()).includes(name), name)
  await type('hea')
  assert.deepEqual(await names(), ['Heading', 'Smaller heading'])
  await key('ArrowDown', 'Enter')
  await type('Pots')
  await begin('/todo')
  await key('Enter')
  await type('boil')
  await key('Enter', 'Enter')
  await type('/quo')
  await key('Tab')
  await type('said')
  await key('Enter', 'Enter')
  await type('/divider')
  await key('Enter')
  await type('/warn')
  await key('Enter')
  await type('Hot')
  await key('Control+Enter')
  await type('/expand')
  await key('Enter')
  await type('More')
  await key('Control+Enter')
  await type('/col')
  await list.waitFor()
  assert.equal((await names())[0], 'Columns')
  await key('Escape', 'Backspace', 'Backspace', 'Backspace', 'Backspace')
  await becomes(
    '# Tea\n\nFirst\n\n### Pots\n\n- [ ] boil\n\n> said\n\n***\n\n{% hint style="warning" %}\nHot\n{% endhint %}\n\n<details>\n\n<summary>More about it</summary>\n\nMore\n\n</details>\n',
  )
})

test('a name of several words is typed as it reads, and a path with blanks stays one', async () => {
  const { begin, list, names, type, key, becomes, page } = await aWriter()
  await begin('/numbered li')
  await list.waitFor()
  assert.deepEqual(await names(), ['Numbered list'])
  await key('Enter')
  await type('boil')
  await key('Enter', 'Enter')
  await type('/code block')
  await key('Enter')
  await untilTrue(page, `getSelection().toString() === 'code'`)
  await type('x()')
  await key('Control+Enter')
  await type('/table of contents')
  assert.ok(await list.isHidden())
  await becomes('# Tea\n\nFirst\n\n1. boil\n\n```\nx()\n```\n\n/table of contents\n')
})

test('a block is chosen with a mouse, also within a hint, and with a button without typing a slash', async () => {
  const { begin, list, tool, type, key, becomes, page } = await aWriter()
  await tool('Hint')
  await untilTrue(page, `getSelection().toString() === 'Good to know.'`)
  await type('Mind')
  await begin('/')
  await list.getByRole('option', { name: 'List', exact: true }).click()
  await type('pots')
  await key('Control+Enter')
  await page.getByTitle('Add a block').click()
  await list.getByRole('option', { name: 'Code block' }).click()
  await untilTrue(page, `getSelection().toString() === 'code'`)
  await type('x()')
  await becomes('# Tea\n\nFirst\n\n{% hint style="info" %}\nMind\n\n- pots\n{% endhint %}\n\n```\nx()\n```\n')
})

test('a slash is a slash: with Escape, with a blank behind it, in a text, in code, in a cell, and where no block is called so', async () => {
  const { begin, list, tool, type, key, becomes, behind, page } = await aWriter()
  await type(' and/or')
  await begin('/usr')
  await key('Escape')
  await type('/bin')
  await begin('/ root')
  await begin('/etc/hosts')
  await tool('Code block')
  await type('/')
  assert.ok(await list.isHidden())
  await key('Control+Enter')
  await type('End')
  await becomes('# Tea\n\nFirst and/or\n\n/usr/bin\n\n/ root\n\n/etc/hosts\n\n```\n/\n```\n\nEnd\n')
  await behind('End')
  await begin('/tab')
  await list.waitFor()
  await page.locator('.writing-visual').getByText('/usr/bin').click()
  await list.waitFor({ state: 'hidden' })
  await becomes('# Tea\n\nFirst and/or\n\n/usr/bin\n\n/ root\n\n/etc/hosts\n\n```\n/\n```\n\nEnd\n\n/tab\n')
})

test('what was looked for in the list is no step of what is taken back', async () => {
  const { begin, key, type, tool, becomes, page } = await aWriter()
  await begin('/hint')
  // As long as a pause is.
  await page.waitForTimeout(700)
  await key('Enter')
  await becomes('# Tea\n\nFirst\n\n{% hint style="info" %}\nGood to know.\n{% endhint %}\n')
  await key('Control+z')
  await becomes('# Tea\n\nFirst\n')
  await tool('Heading')
  await type('!')
})

test('a formula, an embed and a page are asked for, and nothing stands there when nobody answers', async () => {
  const { begin, key, becomes, behind, page } = await aWriter(newPage('Pots'))
  await begin('/formula')
  await key('Enter')
  await page.getByRole('textbox', { name: 'The formula, in TeX' }).fill('e = "mc"')
  await page.getByRole('button', { name: 'OK' }).click()
  const formula = '# Tea\n\nFirst\n\n$$\ne = "mc"\n$$\n'
  await becomes(formula)
  await untilTrue(page, `!isWorking`)
  await behind('First')
  await begin('/video')
  await key('Enter')
  await page
    .getByRole('textbox', { name: 'The address of a video, a document or anything else to show' })
    .fill('https://example.org/"v')
  await key('Enter')
  await becomes(formula.replace('First\n', 'First\n\n{% embed url="https://example.org/%22v" %}\n'))
  await key('Control+z')
  await becomes(formula)
  await untilTrue(page, `!isWorking`)
  await behind('First')
  await begin('/embed')
  await key('Enter')
  await page.getByRole('textbox', { name: 'The address of a video, a document or anything else to show' }).waitFor()
  await key('Escape')
  await untilTrue(page, `!isWorking`)
  await becomes(formula)
  await behind('First')
  await begin('/page')
  await key('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Pots' }).click()
  await becomes(formula.replace('First\n', 'First\n\n[Pots](/pots.md)\n'))
})

test('the list is known to whoever hears the page: which of it is chosen, and that it is there', async () => {
  const { begin, key, page, visual, list } = await aWriter()
  await begin('/h')
  const field = page.getByRole('combobox', { name: 'The page as it is seen' })
  assert.equal(await field.getAttribute('aria-expanded'), 'true')
  await key('ArrowDown')
  const id = await field.getAttribute('aria-activedescendant')
  assert.equal(await page.locator(`[id="${id}"][aria-selected=true]`).textContent(), 'Smaller heading')
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
  await key('Escape')
  await list.waitFor({ state: 'hidden' })
  assert.equal(await visual.getAttribute('aria-multiline'), 'true')
  assert.equal(await visual.getAttribute('aria-activedescendant'), null)
})
