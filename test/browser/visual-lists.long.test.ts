// Lists that contain other blocks, in the visual editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { chooseWords, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const code = '```js\ncode  here\n\n  more\n```'
const table = '| A | B |\n|---|---|\n| c|d |'
const inItem = (block: string) => block.replaceAll(/^(?=.)/gm, '   ')
const list = `1. a\n${inItem(code)}\n\n${inItem(table)}\n2. b\n   * deep\n     > quote\n     > too\n3. c\n`

test('code, tables and quotes stay intact when their item leaves its list', async () => {
  const { page, visual, key, becomes } = await openVisual(app, browser, `# Tea\n\n${list}\nEnd\n`)
  await visual
    .locator('li')
    .first()
    .click({ position: { x: 30, y: 8 } })
  await key('Home', 'Backspace')
  await becomes(`# Tea\n\na\n\n${code}\n\n${table}\n\n1. b\n   - deep\n\n     > quote\n     > too\n2. c\n\nEnd\n`)
  await key('Control+z')
  await becomes(`# Tea\n\n${list}\nEnd\n`)
  await untilTrue(page, '!isWorking')
  await chooseWords(page, 'deep', 'deep')
  await key('Shift+Tab')
  await becomes(
    `# Tea\n\n1. a\n${inItem(code)}\n\n${inItem(table)}\n2. b\n\n3. deep\n\n   > quote\n   > too\n3. c\n\nEnd\n`,
  )
})

test('a task that is done shows a tick in its box, and a click on the box removes it', async () => {
  const { visual, page, becomes } = await openVisual(app, browser, '# Tea\n\n- [x] Boil\n- [ ] Pour\n')
  const ticks = () =>
    page.evaluate(
      `[...document.querySelectorAll('[data-checked]')].map((item) => getComputedStyle(item, '::after').content !== 'none')`,
    )
  assert.deepEqual(await ticks(), [true, false])
  const { x, y } = (await visual.getByText('Boil').boundingBox())!
  await page.mouse.click(x - 14, y + 13)
  await becomes('# Tea\n\n- [ ] Boil\n- [ ] Pour\n')
  assert.deepEqual(await ticks(), [false, false])
})

test('a task with a number shows both, and a click on its box, not on its words, marks it as done', async () => {
  const { visual, page, becomes } = await openVisual(app, browser, '# Tea\n\n1. [ ] Boil\n2. [x] Pour\n3. Drink\n')
  const markers = `[...document.querySelectorAll('.writing-visual li')].map((item) => getComputedStyle(item).listStyleType)`
  assert.deepEqual(await page.evaluate(markers), ['decimal', 'decimal', 'decimal'])
  const words = (await visual.getByText('Boil').boundingBox())!
  await page.mouse.click(words.x + 34, words.y + 13)
  await page.mouse.click(words.x + 7, words.y + 13)
  await becomes('# Tea\n\n1. [x] Boil\n2. [x] Pour\n3. Drink\n')
  await page.mouse.click(words.x + 7, words.y + 13)
  await becomes('# Tea\n\n1. [ ] Boil\n2. [x] Pour\n3. Drink\n')
})
