// The buttons above a text, in a real browser: one row at every width, and a menu for those that do not fit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { chooseWords, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const aWriter = () => openVisual(app, browser, '# Tea\n\nHot water.\n\n* Last\n')

type Box = { top: number; right: number; width: number; height: number; name: string }

const boxesIn = (place: string) => `[...document.querySelectorAll('${place} > button')]
  .filter(({ offsetParent }) => offsetParent)
  .map((each) => ({ ...each.getBoundingClientRect().toJSON(), name: each.getAttribute('aria-label') ?? each.textContent.trim() }))`

test('the toolbar is one row at every width and loses no button, in the visual and the Markdown editor', async () => {
  const { page } = await aWriter()
  const all = new Set(
    (await page.evaluate<Box[]>(boxesIn('.writing-tools'))).map(({ name }) => name).filter((name) => name !== 'More…'),
  )
  assert.ok(all.size > 15)
  for (const way of ['Visual', 'Markdown'])
    for (const width of [1280, 1250, 1100, 800, 640, 360, 320, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      await page.getByRole('button', { name: way, exact: true }).click()
      await untilTrue(page, `!isWorking && asSeen.isOn === ${way === 'Visual'} && bar.scrollWidth <= bar.clientWidth`)
      const row = await page.evaluate<Box[]>(boxesIn('.writing-tools'))
      assert.equal(new Set(row.map(({ top }) => Math.round(top))).size, 1, `${way} at ${width}`)
      assert.ok(
        row.every(({ right }) => right <= width),
        `${way} at ${width}`,
      )
      if (row.some(({ name }) => name === 'More…')) await page.getByRole('button', { name: 'More…' }).click()
      const menu = await page.evaluate<Box[]>(boxesIn('.writing-more'))
      const names = new Set([...row, ...menu].map(({ name }) => name).filter((name) => name !== 'More…'))
      // The button that adds blocks without Markdown is only in the visual editor.
      const expected = way === 'Visual' ? all : new Set([...all].filter((name) => name !== 'Add…'))
      assert.deepEqual(names, expected, `${way} at ${width}`)
      if (width <= 640)
        for (const { width: wide, height } of [...row, ...menu])
          assert.ok(wide >= 40 && height >= 40, `${way} at ${width}`)
      if (menu.length > 0) await page.getByRole('button', { name: 'More…' }).click()
    }
})

test('a button of the toolbar menu changes the selected words as it does elsewhere, and closes the menu', async () => {
  const { page, tool, becomes } = await aWriter()
  await page.setViewportSize({ width: 360, height: 740 })
  await chooseWords(page, 'Hot', 'Hot')
  await tool('More…')
  await tool('Code')
  await becomes('# Tea\n\n`Hot` water.\n\n* Last\n')
  assert.ok(await page.locator('.writing-more').isHidden())
})

test('the toolbar menu is opened, navigated and left by keyboard alone, and stays in view on a long page', async () => {
  const { page, key, becomes } = await aWriter()
  await page.setViewportSize({ width: 360, height: 400 })
  // The row is fitted in the next animation frame, and again when its font has loaded. Menus close then.
  await untilTrue(page, `document.fonts.status === 'loaded' && moreTools.childElementCount > 0`)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await chooseWords(page, 'Hot', 'water.')
  await page.evaluate(`moreButton.focus()`)
  await key('Enter')
  await untilTrue(page, `document.activeElement.parentElement === moreTools`)
  await key('ArrowDown', 'ArrowDown', 'Escape')
  await untilTrue(page, `document.activeElement === moreButton && moreTools.hidden`)
  await key('Enter', 'ArrowDown', 'ArrowUp')
  await page.evaluate(`[...moreTools.children].find(({ ariaLabel }) => ariaLabel === 'Heading').focus()`)
  await key('Enter')
  await becomes('# Tea\n\n## Hot water.\n\n* Last\n')
  await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight)`)
  const { top, bottom } = await page.evaluate<{ top: number; bottom: number }>(`bar.getBoundingClientRect().toJSON()`)
  const below = await page.evaluate<number>(`form.getBoundingClientRect().bottom`)
  assert.ok(below < 150 || (top >= 0 && bottom < 400), 'the buttons are seen as long as the text is')
  await page.evaluate(`scrollTo(0, visual.offsetTop)`)
  await page.getByRole('button', { name: 'More…' }).click()
  const lowest = await page.evaluate<number>(`moreTools.getBoundingClientRect().bottom`)
  assert.ok(lowest <= 400, 'all of the menu is seen')
})

test('the toolbar and its menu have no accessibility flaws', async () => {
  const { page } = await aWriter()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'More…' }).click()
  assert.deepEqual(await flaws(page), [])
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
})
