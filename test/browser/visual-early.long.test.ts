// The visual editor with a server that takes a while: what is typed, pressed and clicked until it has answered.
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
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

const hint = '{% hint style="info" %}\nHot.\n{% endhint %}'
const table = '| A | B |\n| --- | --- |\n| c | d |'
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
  await paste({ 'text/html': '<b>now</b>', 'text/plain': 'now' })
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
