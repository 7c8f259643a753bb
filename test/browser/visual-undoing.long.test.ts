// Undoing when somebody writes in both editors, or with a keyboard without Latin letters, in a real browser.
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

test('text written as Markdown is one undo step of the visual editor, and nothing undone before can be redone over it', async () => {
  const { page, field, visual, behind, type, key, becomes } = await openVisual(app, browser, '# Tea\n\nOne\n')
  const way = async (name: string) => {
    await page.getByRole('group', { name: 'Way of writing' }).getByRole('button', { name }).click()
    await untilTrue(page, '!isWorking')
  }
  const writeMarkdown = async (words: string) => {
    await way('Markdown')
    await field.press('Control+End')
    await field.pressSequentially(words)
    await way('Visual')
    await visual.getByText('One').click()
  }
  await behind('One')
  await type(' seen')
  await becomes('# Tea\n\nOne seen\n')
  await writeMarkdown('\nTwo')
  for (const [keys, now] of [
    ['Control+z', '# Tea\n\nOne seen\n'],
    ['Control+z', '# Tea\n\nOne\n'],
    ['Control+y', '# Tea\n\nOne seen\n'],
    ['Control+y', '# Tea\n\nOne seen\n\nTwo'],
    ['Control+z', '# Tea\n\nOne seen\n'],
  ] as const) {
    await key(keys)
    await becomes(now)
    await untilTrue(page, '!isWorking')
  }
  await writeMarkdown('\nThree')
  await key('Control+y')
  await untilTrue(page, '!isWorking')
  await becomes('# Tea\n\nOne seen\n\nThree')
})

test('undo and redo keys are recognized by their position on keyboards with other letters', async () => {
  const { page, behind, type, becomes } = await openVisual(app, browser, '# Tea\n\nOne\n')
  await behind('One')
  await type(' word')
  await becomes('# Tea\n\nOne word\n')
  const press = (key: string, code: string) =>
    page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
      { key: '${key}', code: '${code}', ctrlKey: true, bubbles: true, cancelable: true }))`)
  await press('я', 'KeyZ')
  await becomes('# Tea\n\nOne\n')
  await untilTrue(page, '!isWorking')
  await press('н', 'KeyY')
  await becomes('# Tea\n\nOne word\n')
})

test('a word composed with an input method is one undo step, however long it takes', async () => {
  const { page, behind, key, becomes } = await openVisual(app, browser, '# Tea\n\nOne\n')
  const keyboard = await page.context().newCDPSession(page)
  await behind('One')
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  for (const half of ['に', 'にほ', 'にほん']) {
    await compose(half)
    // The text is updated although the word is not finished.
    await becomes(`# Tea\n\nOne${half}\n`)
  }
  await keyboard.send('Input.insertText', { text: '日本' })
  await becomes('# Tea\n\nOne日本\n')
  await page.keyboard.type('!')
  await becomes('# Tea\n\nOne日本!\n')
  const steps: [string, string][] = [
    ['Control+z', 'One日本'],
    ['Control+z', 'One'],
    ['Control+y', 'One日本'],
    ['Control+y', 'One日本!'],
  ]
  for (const [keys, now] of steps) {
    await key(keys)
    await becomes(`# Tea\n\n${now}\n`)
    await untilTrue(page, '!isWorking')
  }
})
