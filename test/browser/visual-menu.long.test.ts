// The list of blocks in the visual editor, in a real browser.
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
  /** Types the words in a new paragraph. */
  const begin = async (words: string) => {
    await writer.key('Enter')
    await writer.type(words)
  }
  await writer.behind('First')
  return { ...writer, list, names, begin }
}

test('dismissing the question of a block changes nothing, and typing goes on where the cursor was', async () => {
  const { page, begin, key, type, tool, behind, becomes } = await aWriter()
  const dismiss = async () => {
    await page.getByRole('dialog').waitFor()
    await key('Escape')
    await untilTrue(page, '!isWorking')
  }
  await begin('/warn')
  await key('Enter')
  await untilTrue(page, '!isWorking')
  await type('Hot')
  await key('Control+Enter')
  const hint = '{% hint style="warning" %}\nHot\n{% endhint %}'
  // Above the question is a frame, which must not get what is typed.
  await type('/table')
  await key('Enter')
  await dismiss()
  await type('Own')
  await becomes(`# Tea\n\nFirst\n\n${hint}\n\nOwn\n`)
  await behind('First')
  await key('ArrowLeft', 'ArrowLeft')
  await tool('Table')
  await dismiss()
  await type('-')
  await becomes(`# Tea\n\nFir-st\n\n${hint}\n\nOwn\n`)
  await key('Control+z')
  await becomes(`# Tea\n\nFirst\n\n${hint}\n\nOwn\n`)
})

test('a slash in an empty paragraph lists the available blocks, and the words typed after it filter the list', async () => {
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

test('a block name of several words is found when typed with blanks, and other words with blanks after a slash stay text', async () => {
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

test('words find a block in any order, and a list that closed because of a mistake opens again once it is corrected', async () => {
  const { begin, list, names, type, key, becomes } = await aWriter()
  const found: Record<string, string[]> = {
    'bullet list': ['List'],
    'todo list': ['Tasks'],
    'hint warning': ['Hint: warning'],
    ol: ['Numbered list'],
    ul: ['List'],
  }
  await key('Enter')
  for (const [sought, blocks] of Object.entries(found)) {
    await type(`/${sought}`)
    assert.deepEqual(await names(), blocks, sought)
    for (let at = 0; at <= sought.length; at++) await key('Backspace')
  }
  await type('/quoet')
  assert.ok(await list.isHidden())
  await key('Backspace', 'Backspace')
  assert.ok(await list.isVisible())
  await type('te')
  assert.deepEqual(await names(), ['Quote'])
  await key('Escape', 'Backspace')
  assert.ok(await list.isHidden())
  await becomes('# Tea\n\nFirst\n\n/quot\n')
  await key('Enter')
  await begin('/usr/bin')
  await key('Backspace')
  assert.ok(await list.isHidden())
})

test('a new diagram starts with an example that is selected, so typing replaces it', async () => {
  const { begin, list, names, type, key, becomes, page } = await aWriter()
  await begin('/merm')
  await list.waitFor()
  assert.deepEqual(await names(), ['Diagram'])
  await key('Enter')
  await becomes('# Tea\n\nFirst\n\n```mermaid\ngraph LR\n  Start --> End\n```\n')
  await untilTrue(page, `getSelection().toString() === 'graph LR\\n  Start --> End'`)
  await type('pie')
  await becomes('# Tea\n\nFirst\n\n```mermaid\npie\n```\n')
})

test('a block can be chosen with the mouse, also inside a hint, and with a button instead of a slash', async () => {
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

test('a slash stays text after Escape or a click elsewhere, before a blank, within a text, in code, and if no block has that name', async () => {
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

test('the words typed to find a block in the list are not an undo step', async () => {
  const { begin, key, type, tool, becomes, page } = await aWriter()
  await begin('/hint')
  // Longer than the pause after which an edit is processed.
  await page.waitForTimeout(700)
  await key('Enter')
  await becomes('# Tea\n\nFirst\n\n{% hint style="info" %}\nGood to know.\n{% endhint %}\n')
  await key('Control+z')
  await becomes('# Tea\n\nFirst\n')
  await tool('Heading')
  await type('!')
})

test('a formula, an embed and a page link ask for their content, and a cancelled embed inserts nothing', async () => {
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
  // Enter leaves what is offered, which is the mere beginning of an address.
  for (const without of ['Escape', 'Enter']) {
    await behind('First')
    await begin('/embed')
    await key('Enter')
    await page.getByRole('textbox', { name: 'The address of a video, a document or anything else to show' }).waitFor()
    await key(without)
    await untilTrue(page, `!isWorking`)
    await becomes(formula)
  }
  await behind('First')
  await begin('/page')
  await key('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Pots' }).click()
  await becomes(formula.replace('First\n', 'First\n\n[Pots](/pots.md)\n'))
})

test('the block list is accessible, and tells screen readers that it is open and which block is chosen', async () => {
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
