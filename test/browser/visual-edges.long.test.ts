// The visual editor where browsers, networks and blocks make it hard, in a real browser.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { chooseWords, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()
const aWriter = (markdown: string, ...others: object[]) => openVisual(app, browser, markdown, ...others)

const hint = '{% hint style="info" %}\nHot.\n{% endhint %}'
const steps = '{% stepper %}\n{% step %}\n### One\n\nDo.\n{% endstep %}\n{% endstepper %}'
const table = '| A | B |\n| --- | --- |\n| c | d |'

const slowly = (page: Page) =>
  page.route('**/visual**', async (route) => {
    await sleep(400)
    await route.continue()
  })

const untilDone = (page: Page) => untilTrue(page, `!isWorking`)

test('Backspace or Delete beside a block deletes it only if pressed a second time', async () => {
  const { behind, before, key, type, becomes } = await aWriter(`# Tea\n\nFirst\n\n${hint}\n\nLast\n`)
  await behind('First')
  await key('Delete', 'Escape')
  await before('Last')
  await key('Backspace')
  await behind('First')
  await type('!')
  await becomes(`# Tea\n\nFirst!\n\n${hint}\n\nLast\n`)
  await before('Last')
  await key('Backspace', 'Backspace')
  await type('At ')
  await becomes('# Tea\n\nFirst!\n\nAt Last\n')
})

test('Tab indents and outdents list items, Backspace outdents them, and Tab moves the focus on where it cannot indent', async () => {
  const { before, key, type, becomes, page } = await aWriter('# Tea\n\n- one\n- two\n- three\n')
  await before('two')
  await key('Tab')
  await becomes('# Tea\n\n- one\n  - two\n- three\n')
  await before('three')
  await key('Tab')
  await becomes('# Tea\n\n- one\n  - two\n  - three\n')
  await before('two')
  await key('Shift+Tab')
  await becomes('# Tea\n\n- one\n- two\n  - three\n')
  await key('Backspace')
  await type('Not ')
  await becomes('# Tea\n\n- one\n\nNot two\n\n- three\n')
  await before('one')
  await key('Tab')
  await untilTrue(page, `!visual.contains(document.activeElement)`)
})

test('Shift+Enter breaks a line, and Enter breaks one in a cell', async () => {
  const { behind, key, type, becomes } = await aWriter(`# Tea\n\nFirst\n\n${table}\n`)
  await behind('First')
  await key('Shift+Enter')
  await type('line')
  await behind('c')
  await key('Enter')
  await type('line')
  await becomes(`# Tea\n\nFirst\\\nline\n\n${table.replace('c', 'c<br>line')}\n`)
})

test('Markdown signs typed before a text apply to it', async () => {
  const { before, type, becomes, tool, visual } = await aWriter('# Tea\n\none\n\ntwo\n\nthree\n\nfour\n\nfive\n')
  await before('one')
  await type('> ')
  await before('two')
  await type('```js ')
  await before('three')
  await type('--- ')
  await visual.getByText('four').click({ clickCount: 3 })
  await tool('Heading')
  await becomes('# Tea\n\n> one\n\n```js\ntwo\n```\n\n***\n\nthree\n\n## four\n\nfive\n')
})

test('a code block or a rule typed as Markdown also begins with Enter', async () => {
  const { behind, key, type, becomes } = await aWriter('# Tea\n\nFirst\n')
  await behind('First')
  await key('Enter')
  await type('---')
  await key('Enter')
  await type('Some ---')
  await key('Enter')
  await type('```js')
  await key('Enter')
  await type('x()')
  await becomes('# Tea\n\nFirst\n\n***\n\nSome ---\n\n```js\nx()\n```\n')
})

test('code typed as Markdown in a list item belongs to it, also below its words, and keys lead out of it', async () => {
  const { behind, key, type, becomes } = await aWriter('# Tea\n\n- one\n- two\n\n1. first\n\n2. second\n\n- [ ] task\n')
  await behind('one')
  await key('Shift+Enter')
  await type('```sh')
  await key('Enter')
  await type('ls')
  await key('Enter')
  await type('cd')
  const one = '- one\n\n  ```sh\n  ls\n  cd\n  ```\n'
  await becomes(`# Tea\n\n${one}- two\n\n1. first\n\n2. second\n\n- [ ] task\n`)
  await behind('two')
  await key('Enter')
  await type('``` pot')
  const two = '- two\n- ```\n  pot\n  ```\n'
  await becomes(`# Tea\n\n${one}${two}\n1. first\n\n2. second\n\n- [ ] task\n`)
  await behind('task')
  await key('Shift+Enter')
  await type('``` tea')
  await key('Control+Enter')
  await type('drink')
  const task = '- [ ] task\n\n  ```\n  tea\n  ```\n\n  drink\n'
  await becomes(`# Tea\n\n${one}${two}\n1. first\n\n2. second\n\n${task}`)
})

test('a keyboard selection extends across blocks, and Delete removes it', async () => {
  const { behind, key, becomes, page } = await aWriter(`# Tea\n\nFirst\n\n${hint}\n\n${table}\n\nLast\n`)
  await behind('First')
  for (let line = 0; line < 8; line++) {
    await key('Shift+ArrowDown')
    await sleep(50)
  }
  await untilTrue(page, `getSelection().toString().includes('Last')`)
  await key('Delete')
  await becomes('# Tea\n\nFirst\n')
})

test('arrow keys move up and down a table column, and down out of the last block of a page', async () => {
  const { behind, key, type, becomes } = await aWriter(`# Tea\n\nFirst\n\n${table}\n`)
  await behind('A')
  await key('ArrowDown')
  await type('1')
  await key('ArrowUp')
  await type('2')
  await key('ArrowUp')
  await type('3')
  await behind('B')
  await key('ArrowDown', 'ArrowDown')
  await type('Below')
  await becomes('# Tea\n\nFirst3\n\n| A2 | B |\n| --- | --- |\n| c1 | d |\n\nBelow\n')
})

test('a link, code or list made from several blocks keeps them separate and in order', async () => {
  const { key, becomes, tool, page } = await aWriter(`# Tea\n\none\n\ntwo\n\n${hint}\n\nthree\n`)
  await chooseWords(page, 'one', 'two')
  await key('Control+k')
  await page.getByRole('textbox', { name: 'Where the link leads' }).fill('x.md')
  await key('Enter')
  await becomes(`# Tea\n\n[one](x.md)\n\n[two](x.md)\n\n${hint}\n\nthree\n`)
  await chooseWords(page, 'two', 'three')
  await tool('List')
  await becomes(`# Tea\n\n[one](x.md)\n\n- [two](x.md)\n\n${hint}\n\n- three\n`)
  await key('Control+z', 'Control+z')
  await becomes(`# Tea\n\none\n\ntwo\n\n${hint}\n\nthree\n`)
  await untilDone(page)
  await chooseWords(page, 'one', 'two')
  await tool('Code')
  await becomes(`# Tea\n\n\`one\`\n\n\`two\`\n\n${hint}\n\nthree\n`)
})

test('Ctrl+A in a hint, code or a cell selects its content, and pressed again the whole page', async () => {
  const { behind, key, type, becomes } = await aWriter(
    `# Tea\n\n${hint}\n\n\`\`\`js\nx()\n\`\`\`\n\n${table}\n\nLast\n`,
  )
  for (const words of ['Hot.', 'x()', 'c']) {
    await behind(words)
    await key('Control+a')
    await type('New')
  }
  const expected = `# Tea\n\n${hint}\n\n\`\`\`js\nx()\n\`\`\`\n\n${table}\n\nLast\n`
  await becomes(expected.replace('Hot.', 'New').replace('x()', 'New').replace('c', 'New'))
  await key('Control+a', 'Control+a')
  await type('All')
  await becomes('# All\n')
})

test('new lines, lists and leaving a block work in steps, and in a hint in a list', async () => {
  const inList = '- one\n\n  {% hint style="info" %}\n  Hot.\n  {% endhint %}'
  const { behind, key, type, tool, becomes } = await aWriter(`# Tea\n\n${steps}\n\n${inList}\n`)
  await behind('Do.')
  await key('Enter')
  await type('More.')
  await tool('Numbered list')
  await behind('Hot.')
  await key('Enter')
  await type('Very.')
  const changed = `# Tea\n\n${steps.replace('Do.', 'Do.\n\n1. More.')}\n\n${inList.replace('Hot.', 'Hot.\n\n  Very.')}\n`
  await becomes(changed)
  await behind('More.')
  await key('Enter', 'Enter', 'Enter')
  await type('Out.')
  await becomes(changed.replace('{% endstepper %}', '{% endstepper %}\n\nOut.'))
})

test('content pasted into a cell, a list or a quote stays in it', async () => {
  const { behind, paste, becomes, page } = await aWriter(`# Tea\n\n${table}\n\n- one\n- two\n\n> said\n`)
  await behind('c')
  await paste({ 'text/plain': ' x\ny' })
  await behind('one')
  await paste({ 'text/plain': 'x\n\ny' })
  await untilDone(page)
  await behind('said')
  await paste({ 'text/plain': 'x\n\ny' })
  await becomes(`# Tea\n\n${table.replace('c', 'cx y')}\n\n- one\n\n  x\n\n  y\n- two\n\n> said\n>\n> x\n>\n> y\n`)
})

test('cut blocks are pasted unchanged at another place', async () => {
  const { behind, key, becomes, page } = await aWriter(`# Tea\n\none\n\n${hint}\n\n${steps}\n\ntwo\n\nthree\n`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await chooseWords(page, 'one', 'two')
  await key('Control+x')
  await becomes('# Tea\n\nthree\n')
  await behind('three')
  await key('Enter', 'Control+v')
  await becomes(`# Tea\n\nthree\n\none\n\n${hint}\n\n${steps}\n\ntwo\n`)
})

test('text typed and pasted while the server is slow is not lost, and goes where the cursor is', async () => {
  const { behind, key, type, tool, paste, becomes, page } = await aWriter(`# Tea\n\nFirst\n\n${hint}\n`)
  await slowly(page)
  await behind('Hot.')
  await tool('Code block')
  await type('a()')
  await key('Enter')
  await type('b()')
  const code = hint.replace('Hot.', 'Hot.\n\n```\na()\nb()\n```\n')
  await becomes(`# Tea\n\nFirst\n\n${code}\n`)
  await behind('First')
  await paste({ 'text/plain': 'x\n\ny' })
  await paste({ 'text/plain': 'v\n\nw' })
  await type('Z')
  await key('Control+s')
  await page.getByText('Saved in the change request.').waitFor()
  await becomes(`# Tea\n\nFirst\n\nx\n\ny\n\nv\n\nwZ\n\n${code}\n`)
  await key('Control+z')
  await type('Again')
  await becomes(`# Tea\n\nFirst\n\nx\n\ny\n\nv\n\nwAgain\n\n${code}\n`)
})

test('opening a page that has only a title changes nothing, and typing goes below the title', async () => {
  const { type, becomes, page, visual } = await aWriter('# Tea\n')
  await untilDone(page)
  assert.ok(await page.evaluate(`!asSeen.isTouched && !field.dataset.unsaved`))
  await type('Warm the pot.')
  await becomes('# Tea\n\nWarm the pot.\n')
  assert.equal(await visual.locator('h1').textContent(), 'Tea')
})

test('a page that is empty or begins with a block has a place to write', async () => {
  const { key, type, becomes, page, field, visual, tool } = await aWriter('# Tea\n')
  const write = async (markdown: string) => {
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
    await untilTrue(page, '!asSeen.isOn')
    await field.fill(markdown)
    await page.getByRole('button', { name: 'Visual' }).click()
    await untilDone(page)
  }
  await write(`${hint}\n`)
  await visual.locator('.frame').hover()
  await visual.getByRole('button', { name: 'Text above' }).click()
  await type('Above.')
  await becomes(`Above.\n\n${hint}\n`)
  await visual.locator('.frame').hover()
  await visual.getByRole('button', { name: 'Delete' }).click()
  await key('Control+a', 'Delete')
  await type('New')
  await becomes('New\n')
  await write('')
  await type('Head')
  await tool('Heading')
  await becomes('## Head\n')
})

test('a click below the last block writes there, and the cursor can leave inline code at its end', async () => {
  const { behind, key, type, tool, becomes, page, visual } = await aWriter('# Tea\n\nSee `code`\n\n```\nx()\n```\n')
  const { x, y, width, height } = (await visual.boundingBox())!
  await page.mouse.click(x + width / 2, y + height - 20)
  await type('Below.')
  await behind('code')
  await key('ArrowRight')
  await type(' more.')
  await behind('Tea')
  await tool('Heading')
  await becomes('# Tea\n\nSee `code` more.\n\n```\nx()\n```\n\nBelow.\n')
})

test('a word composed while the server is slow stays whole, and goes where the cursor is', async () => {
  const { behind, tool, becomes, page } = await aWriter('# Tea\n\nFirst\n')
  await slowly(page)
  await behind('First')
  const keyboard = await page.context().newCDPSession(page)
  await tool('Hint')
  await keyboard.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  await sleep(1500)
  await keyboard.send('Input.insertText', { text: '日本' })
  await becomes('# Tea\n\nFirst\n\n{% hint style="info" %}\n日本\n{% endhint %}\n')
})

test('a link in a previewed block does not navigate away from the open text', async () => {
  const { visual, page } = await aWriter('# Tea\n\n{% embed url="https://example.org/" %}\n')
  const address = page.url()
  await visual.locator('.frame a').first().click()
  await sleep(100)
  assert.equal(page.url(), address)
})

test('a cursor in the title of a tab in Markdown continues below the tabs in the visual editor', async () => {
  const tabs = '{% tabs %}\n{% tab title="First" %}\nOne\n{% endtab %}\n{% endtabs %}'
  const source = `# Tea\n\n${tabs}\n\nEnd.\n`
  const { page, choose, becomes, type } = await openVisual(app, browser, source)
  const way = (name: string) =>
    page.getByRole('group', { name: 'Way of writing' }).getByRole('button', { name }).click()
  await way('Markdown')
  await untilTrue(page, '!isWorking')
  await choose(source.indexOf('rst'))
  await way('Visual')
  await untilTrue(page, '!isWorking')
  await type('Here')
  await becomes(`# Tea\n\n${tabs}\n\nHere\n\nEnd.\n`)
})

const manyLines = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join('\n\n')

test('the cursor stays in view after blocks that nobody can type into, also when they are undone', async () => {
  const { behind, key, type, becomes, page } = await aWriter(`# Tea\n\n${manyLines}\n`)
  const isSeen = `(({ top, bottom }) => top > 90 && bottom < innerHeight - 50)(elementAt(chosenRange().startContainer).getBoundingClientRect())`
  await behind('Line 59.')
  await key('Enter')
  await type('/cards')
  await key('Enter')
  await untilDone(page)
  await untilTrue(page, `visual.querySelector('[data-card]') !== null && ${isSeen}`)
  await key('Control+z', 'Control+z')
  await becomes(`# Tea\n\n${manyLines}\n`)
  await untilDone(page)
  await untilTrue(page, isSeen)
})

test('the cursor that moves up is not hidden by the buttons above the text', async () => {
  for (const width of [1280, 390]) {
    const { behind, key, page } = await aWriter(`# Tea\n\n${manyLines}\n`)
    await page.setViewportSize({ width, height: 800 })
    await behind('Line 40.')
    for (let at = 0; at < 30; at++) await key('ArrowUp')
    const [cursor, buttons] = await page.evaluate<[number, number]>(
      `[getSelection().getRangeAt(0).getBoundingClientRect().top, document.querySelector('.writing-tools').getBoundingClientRect().bottom]`,
    )
    assert.ok(cursor >= buttons, `${width}: ${cursor} is below ${buttons}`)
  }
})

test('no text shows between the header and the buttons above the text', async () => {
  for (const width of [1280, 390]) {
    const { behind, page } = await aWriter(`# Tea\n\n${manyLines}\n`)
    await page.setViewportSize({ width, height: 800 })
    await behind('Line 40.')
    const [header, buttons] = await page.evaluate<[number, number]>(
      `[document.querySelector('.head').getBoundingClientRect().bottom, document.querySelector('.writing-tools').getBoundingClientRect().top]`,
    )
    assert.ok(buttons <= header, `${width}: ${buttons} is above ${header}`)
  }
})
