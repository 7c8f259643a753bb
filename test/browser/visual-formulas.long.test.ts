// Formulas in the visual editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { between, chooseWords, openAskable } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

async function aWriter(markdown: string) {
  const writer = await openAskable(app, browser, between(markdown), 'Formula')
  const { page, box } = writer
  const field = box.getByRole('textbox', { name: 'The formula, in TeX' })
  const looks = (part: string) => untilTrue(page, `Boolean(document.querySelector('.writing-look ${part}'))`)
  return { ...writer, becomes: writer.middleBecomes, field, looks }
}

test('a formula in a line is drawn as readers see it, previewed while it is changed, and no other line changes', async () => {
  const { open, ok, field, looks, becomes, visual, page } = await aWriter('So $$a^2$$ it is.')
  await visual.locator('p math msup').waitFor()
  await open('Formula: a^2')
  await looks('msup')
  await field.fill('\\sqrt{a}')
  await looks('msqrt')
  await field.fill('\\sqrt{a')
  await page.getByText('This cannot be read as TeX yet.').waitFor()
  await field.fill('$$\\sqrt{b}\n+ 1$$')
  await ok()
  await becomes('So $$\\sqrt{b} + 1$$ it is.')
  await visual.locator('p math msqrt').waitFor()
})

test('after a formula is changed and the change undone, typing continues after the formula', async () => {
  const { open, ok, field, becomes, key, type, page } = await aWriter('So $$a^2$$ it is, $$b$$')
  await open('Formula: a^2')
  await field.fill('a^3 + c')
  await ok()
  await becomes('So $$a^3 + c$$ it is, $$b$$')
  await open('Formula: b')
  await field.fill('b_1')
  await ok()
  await becomes('So $$a^3 + c$$ it is, $$b_1$$')
  await key('Control+z')
  await becomes('So $$a^3 + c$$ it is, $$b$$')
  await untilTrue(page, '!isWorking')
  await type('!')
  await becomes('So $$a^3 + c$$ it is, $$b$$!')
})

test('a formula on its own lines keeps its line breaks when changed, and is removed when emptied', async () => {
  const { open, ok, field, key, becomes, page } = await aWriter('$$\na\n$$')
  await open('Formula: a')
  await field.fill('a \\\\\nb')
  await ok()
  await becomes('$$\na \\\\\nb\n$$')
  await page.evaluate(`visual.querySelector('[data-formula]').focus()`)
  await untilTrue(page, '!isWorking')
  await key('Enter')
  await field.waitFor()
  await field.fill('')
  await ok()
  await untilTrue(page, `!document.querySelector('textarea').value.includes('$$')`)
  await key('Control+z')
  await becomes('$$\na \\\\\nb\n$$')
})

test('a new formula takes the selected words, and typing continues after it', async () => {
  const { tool, ok, box, field, type, becomes, page } = await aWriter('Take q of it.')
  await chooseWords(page, 'q', 'q')
  await tool('Formula in the text')
  await box.waitFor()
  assert.equal(await field.inputValue(), 'q')
  await field.press('End')
  await box.getByRole('button', { name: 'Power' }).click()
  await type('2')
  await ok()
  await becomes('Take $$q^{2}$$ of it.')
  await untilTrue(page, '!isWorking')
  await type(' spoons')
  await becomes('Take $$q^{2}$$ spoons of it.')
})

test('a new formula on its own lines is entered in the same dialog, with a preview', async () => {
  const { behind, key, type, ok, field, looks, becomes } = await aWriter('One.')
  await behind('One.')
  await key('Enter')
  await type('/formula')
  await key('Enter')
  await field.waitFor()
  await field.fill('\\frac{1}{2}')
  await looks('mfrac')
  await ok()
  await becomes('One.\n\n$$\n\\frac{1}{2}\n$$')
})

test('the formula dialog has no accessibility flaws', async () => {
  const { page, open, looks } = await aWriter('So $$a^2$$ it is.\n\n$$\n\\sum_1^n x\n$$')
  assert.deepEqual(await flaws(page), [])
  await open('Formula: a^2')
  await looks('math')
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
})
