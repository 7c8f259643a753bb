// The visual editor with a server that takes a while: what is typed, pressed and clicked until it has answered.
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { until } from '../until.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

/** `click` does not wait for the page to be replaced, unlike other helpers. */
async function aSlowWriter(markdown: string) {
  const writer = await openVisual(app, browser, markdown)
  await writer.page.route('**/visual**', async (route) => {
    await sleep(400)
    await route.continue()
  })
  const click = (words: string) => writer.visual.getByText(words, { exact: true }).click({ position: { x: 1, y: 4 } })
  return { ...writer, click }
}

/** Returns a function that composes a word as an input method does, which shows something else at first. */
async function aKeyboard(page: Page) {
  const keyboard = await page.context().newCDPSession(page)
  return async (shown: string, word: string, ms: number, meanwhile?: () => Promise<unknown>) => {
    await keyboard.send('Input.imeSetComposition', { text: shown, selectionStart: 1, selectionEnd: 1 })
    await meanwhile?.()
    await sleep(ms)
    await keyboard.send('Input.insertText', { text: word })
  }
}

const hint = '{% hint style="info" %}\nHot.\n{% endhint %}'
const table = '| A | B |\n| --- | --- |\n| c | d |'
const bold = { 'text/html': '<b>now</b>', 'text/plain': 'now' }
const pasted = { 'text/plain': 'Name\tMinutes\nGreen\t3\n' }
const sheet = '| Name | Minutes |\n| --- | --- |\n| Green | 3 |'

test('keys pressed while the server is slow are not lost', async () => {
  const { behind, key, type, becomes, tool } = await aSlowWriter('# Tea\n\nFirst\n')
  await behind('First')
  await tool('Hint')
  await type('Hot')
  await key('Control+Enter')
  await type('- a')
  await key('Enter')
  await type('b')
  await key('Tab')
  await becomes('# Tea\n\nFirst\n\n{% hint style="info" %}\nHot\n{% endhint %}\n\n- a\n  - b\n')
})

test('keys that move the cursor while the server is slow move it from where the change ends', async () => {
  const { behind, key, type, becomes, paste } = await aSlowWriter('# Tea\n\nFirst words\n\nLast\n')
  await behind('First words')
  await paste(bold)
  await key('Control+ArrowLeft')
  await type('and ')
  await key('Home', 'ArrowRight')
  await type('!')
  await key('End', 'Shift+ArrowLeft')
  await type('t')
  await key('ArrowDown')
  await type('!')
  await becomes('# Tea\n\nF!irst and words**not**\n\nLast!\n')
})

test('a click while the server is slow places the cursor there, above, below and within other blocks', async () => {
  for (const [words, becoming] of [
    ['First', (now: string) => `# Tea\n\n!First\n\n${now}\n\n${table}\n\n${hint}\n\nLast\n`],
    ['Last', (now: string) => `# Tea\n\nFirst\n\n${now}\n\n${table}\n\n${hint}\n\n!Last\n`],
    ['d', (now: string) => `# Tea\n\nFirst\n\n${now}\n\n${table.replace('d', '!d')}\n\n${hint}\n\nLast\n`],
    ['Hot.', (now: string) => `# Tea\n\nFirst\n\n${now}\n\n${table}\n\n${hint.replace('Hot', '!Hot')}\n\nLast\n`],
  ] as const) {
    const { behind, key, type, becomes, paste, click } = await aSlowWriter(becoming('').replace(/!|\n\n(?=\n)/g, ''))
    await behind('First')
    await key('Enter')
    await paste(pasted)
    await click(words)
    await type('!')
    await becomes(becoming(sheet))
  }
})

test('what is inserted goes where the cursor was when it was asked for, wherever a click comes', async () => {
  const { behind, type, becomes, tool, click } = await aSlowWriter(`# Tea\n\nFirst\n\n${table}\n\nLast\n`)
  await behind('First')
  await type('.')
  await tool('Hint')
  await click('Last')
  await type('At ')
  await click('d')
  await type('an')
  const now = `{% hint style="info" %}\nGood to know.\n{% endhint %}\n\n${table.replace('d', 'and')}`
  await becomes(`# Tea\n\nFirst.\n\n${now}\n\nAt Last\n`)
})

test('a click is found again beside empty paragraphs, in the line that changes, and below items that are inserted', async () => {
  const writer = await aSlowWriter('# Tea\n\nFirst\n\nSecond\n\nLast\n')
  const { behind, key, type, becomes, paste, click, before, visual, page } = writer
  await behind('Last')
  await key('Enter')
  await behind('First')
  await key('Enter')
  await before('Second')
  await paste(bold)
  await click('Last')
  await type('At ')
  await click('First')
  await type('At ')
  await becomes('# Tea\n\nAt First\n\n**now**Second\n\nAt Last\n')
  await behind('At Last')
  const { x, y } = (await visual.getByText('At Last').boundingBox())!
  await paste(bold)
  await page.mouse.click(x + 1, y + 4)
  await type('Look ')
  await becomes('# Tea\n\nAt First\n\n**now**Second\n\nLook At Last**now**\n')

  const list = await aSlowWriter('# Tea\n\n- x\n- x\n- x\n')
  await list.visual.getByText('x', { exact: true }).first().click()
  await list.key('End')
  await list.paste({ 'text/html': '<ul><li>x</li></ul>', 'text/plain': '- x' })
  await list.visual
    .getByText('x', { exact: true })
    .last()
    .click({ position: { x: 1, y: 4 } })
  await list.type('Ma')
  await list.becomes('# Tea\n\n- x\n- x\n- x\n- Max\n')
})

test('a click is found again after what was typed into its line, and pasted elsewhere, before it', async () => {
  const first = '# Tea\n\nFirst\n\nWarm\n\n```\nLast\nline\n```\n'
  const { visual, behind, click, key, type, paste, becomes } = await aSlowWriter(first)
  const typeLast = async (words: string) => {
    await visual.getByText('Last').click({ position: { x: 1, y: 4 } })
    await key('End')
    await type(words)
  }
  await behind('First')
  await paste(bold)
  await typeLast(' one')
  await click('Warm')
  await paste(bold)
  await typeLast(' two')
  await becomes(first.replace('First', 'First**now**').replace('Warm', '**now**Warm').replace('Last', 'Last one two'))
})

test('keys at the edges of blocks do while the server is slow what they usually do', async () => {
  const { behind, key, type, becomes, paste, click } = await aSlowWriter(
    `# Tea\n\nFirst\n\n${hint}\n\n- one\n- two\n\nSee \`code\`\n`,
  )
  await behind('First')
  await paste(bold)
  await key('Delete')
  await type('Z')
  await click('two')
  await key('Backspace')
  await type('Z')
  await click('code')
  await key('End', 'ArrowRight')
  await type('Z')
  await becomes(`# Tea\n\nFirst**nowZ**\n\n${hint}\n\n- one\n\nZtwo\n\nSee \`code\`Z\n`)
})

test('what is inserted stays where it was asked for, whatever key or button is pressed until it is there', async () => {
  for (const press of [
    ({ key }) => key('Control+End'),
    ({ key }) => key('Shift+Control+End'),
    ({ key }) => key('PageDown'),
    ({ key }) => key('Control+a'),
    ({ visual }) => visual.getByText('Last').click({ button: 'right' }),
    ({ visual }) => visual.locator('[data-formula]').click(),
  ] satisfies ((writer: Awaited<ReturnType<typeof aSlowWriter>>) => Promise<void>)[]) {
    const writer = await aSlowWriter('# Tea\n\nFirst\n\nSome $$a+b$$ here\n\nLast\n')
    await writer.behind('First')
    await writer.type('.')
    await writer.paste(bold)
    await press(writer)
    await writer.becomes('# Tea\n\nFirst.**now**\n\nSome $$a+b$$ here\n\nLast\n')
  }
})

test('what is typed after a click goes there, even if a button had the focus', async () => {
  const { behind, page, type, becomes, visual, click } = await aSlowWriter(`# Tea\n\nFirst\n\n${hint}\n\nLast\n`)
  await behind('Hot.')
  await visual.getByTitle('Another kind of hint').click()
  await click('Last')
  await type('At ')
  await becomes(`# Tea\n\nFirst\n\n${hint.replace('info', 'success')}\n\nAt Last\n`)
  await behind('First')
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  const size = page.getByRole('dialog')
  await size.getByLabel('Columns').fill('1')
  await size.getByLabel('Rows below the header').fill('1')
  await page.keyboard.press('Enter')
  await size.waitFor({ state: 'hidden' })
  await type('Name')
  await becomes(`# Tea\n\nFirst\n\n| Name |\n| --- |\n|  |\n\n${hint.replace('info', 'success')}\n\nAt Last\n`)
})

test('a click does not take the focus out of the Markdown, if that is what comes instead of the page', async () => {
  for (const isRefused of [false, true]) {
    const { behind, page, type, text, paste, click } = await aSlowWriter('# Tea\n\nFirst\n\nLast\n')
    await behind('First')
    await type('.')
    if (isRefused) await page.route(/\/visual$/, (route) => route.abort())
    if (isRefused) await paste(bold)
    else await page.getByRole('button', { name: 'Markdown', exact: true }).first().click()
    await click('Last')
    await untilTrue(page, '!asSeen.isOn && !isWorking')
    await type('more')
    await until('it is in the text', async () => (await text()).includes('more'))
  }
})

test('what is typed until Markdown is there goes where it was typed, and Markdown comes after it', async () => {
  const { page, behind, click, type, becomes } = await aSlowWriter('# Tea\n\nFirst\n\nLast\n')
  await behind('First')
  await type('!')
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  await click('Last')
  await type('At ')
  await becomes('# Tea\n\nFirst!\n\nAt Last\n')
  await untilTrue(page, '!asSeen.isOn')
  await type('l')
  await becomes('# Tea\n\nFirst!\n\nAt lLast\n')
})

test('words composed while the server is slow are there once, where what is typed then goes, however long they take', async () => {
  for (const ms of [0, 600]) {
    const { page, behind, key, type, paste, becomes } = await aSlowWriter('# Tea\n\nFirst\n\nLast\n')
    const compose = await aKeyboard(page)
    await behind('First')
    await type('.')
    await key('Enter')
    await paste(bold)
    await compose('に', '日本', ms)
    await type(' ')
    await compose('ち', '茶', ms)
    await becomes('# Tea\n\nFirst.\n\n**now日本 茶**\n\nLast\n')
  }
})

test('a word that is being composed when something is inserted stays in front of it', async () => {
  const { page, behind, type, paste, becomes } = await aSlowWriter('# Tea\n\nFirst\n\nLast\n')
  const compose = await aKeyboard(page)
  await behind('First')
  await type('.')
  await compose('に', '日本', 600, () => paste(bold))
  await becomes('# Tea\n\nFirst.日本**now**\n\nLast\n')
})

test('a word composed until Markdown is there goes where it was composed', async () => {
  for (const ms of [0, 600]) {
    const { page, behind, click, type, becomes } = await aSlowWriter('# Tea\n\nFirst\n\nLast\n')
    const compose = await aKeyboard(page)
    await behind('First')
    await type('!')
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
    await click('Last')
    await compose('に', '日本', ms)
    await untilTrue(page, '!asSeen.isOn')
    await becomes('# Tea\n\nFirst!\n\n日本Last\n')
  }
})

test('undo takes back what was typed while the server was slow, before what it was waiting for', async () => {
  const { behind, key, type, becomes, paste, click } = await aSlowWriter('# Tea\n\nFirst\n\nLast\n')
  await behind('First')
  await paste(bold)
  await click('Last')
  await type('At ')
  await key('Control+z')
  await becomes('# Tea\n\nFirst**now**\n\nLast\n')
  await key('Control+z')
  await becomes('# Tea\n\nFirst\n\nLast\n')
})
