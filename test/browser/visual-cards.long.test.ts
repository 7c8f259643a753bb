// Cards in the visual editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { png } from '../every-content.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { between, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const head =
  '<th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th>'
const row = (title: string, text: string, target = '', cover = '') =>
  `<tr><td>${title}</td><td>${text}</td><td>${target}</td><td>${cover}</td></tr>`
const cards = (...rows: string[]) =>
  `<table data-view="cards"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`

const green = row('<strong>Green</strong>', 'From <em>Japan</em>', '<a href="green.md">green.md</a>')
const black = row('<strong>Black</strong>', 'From India')

async function aWriter(markdown = cards(green, black)) {
  const writer = await openVisual(app, browser, between(markdown), {
    operation: 'insert_page',
    document: { markdown: '# Teapots\n' },
  })
  const { page, visual } = writer
  const becomes = (now: string) => writer.becomes(between(now))
  const box = page.getByRole('dialog', { name: 'Card' })
  const open = async (words: string) => {
    await untilTrue(page, '!isWorking')
    await visual.locator('[data-card]', { hasText: words }).click()
    await box.waitFor()
  }
  const line = (name: string) => box.getByRole('textbox', { name, exact: true })
  const press = (name: string) => box.getByRole('button', { name }).click()
  return { ...writer, becomes, box, open, line, press }
}

test('the texts, target and picture of a card are edited in a dialog, and other cards stay as they are', async () => {
  const { open, line, press, box, page, becomes, text, visual } = await aWriter()
  await open('Black')
  await line('Text').fill('From Assam')
  await box.getByLabel('Leads to').fill('teap')
  const option = `document.querySelector('#\\\\~targets option')`
  await untilTrue(page, `${option}?.label === 'Teapots'`)
  await box.getByLabel('Leads to').fill(await page.evaluate<string>(`${option}.value`))
  await press('OK')
  await becomes(cards(green, row('<strong>Black</strong>', 'From Assam', '<a href="/teapots.md">teapots.md</a>')))
  await open('Green')
  assert.equal(await box.getByLabel('Leads to').inputValue(), 'green.md')
  await box
    .getByLabel('Upload picture')
    .setInputFiles({ name: 'pot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
  await press('OK')
  await visual.locator('[data-card] img').waitFor({ state: 'attached' })
  assert.match(
    await text(),
    /<em>Japan<\/em><\/td><td><a href="green\.md">green\.md<\/a><\/td><td><a href="\/files\/[\w-]+">/,
  )
})

test('cards can be added after another one, moved and removed, and removing the last one removes the block', async () => {
  const { open, press, page, becomes, key, type } = await aWriter()
  await open('Green')
  await press('Add a card')
  await untilTrue(page, `document.querySelector('.writing-card[open] .writing-line')?.textContent === 'New card'`)
  await type('White')
  await press('OK')
  const white = row('<strong>White</strong>', '')
  await becomes(cards(green, white, black))
  await open('White')
  await press('Move back')
  await becomes(cards(white, green, black))
  await open('White')
  await press('Remove the card')
  await becomes(cards(green, black))
  await open('Black')
  await press('Remove the card')
  await open('Green')
  await press('Remove the card')
  await untilTrue(page, `!document.querySelector('textarea').value.includes('<table')`)
  await key('Control+z')
  await becomes(cards(green))
})

test('a card can be changed by keyboard alone, and an unchanged one stays byte for byte', async () => {
  const odd = cards(green, black).replace('<table ', '<table  ')
  const { box, page, key, type, becomes, line } = await aWriter(odd)
  await page.evaluate(`visual.querySelectorAll('.card-change')[1].focus()`)
  await key('Enter')
  await box.waitFor()
  await key('Escape')
  await untilTrue(page, '!isWorking')
  await page.evaluate(`visual.querySelectorAll('.card-change')[1].focus()`)
  await key('Enter')
  await line('Title').press('End')
  await key('Enter')
  await untilTrue(page, '!isWorking')
  await becomes(odd)
  await page.evaluate(`visual.querySelectorAll('.card-change')[1].focus()`)
  await key('Enter')
  await line('Title').press('End')
  await type(' tea')
  await key('Enter')
  await becomes(cards(green, row('<strong>Black tea</strong>', 'From India')))
  await untilTrue(page, `!isWorking && document.activeElement.ariaLabel === 'Change the card Black tea'`)
})

test('new cards can be added as a block', async () => {
  const { behind, key, type, becomes } = await aWriter('One.')
  await behind('One.')
  await key('Enter')
  await type('/cards')
  await key('Enter')
  const about = 'What it is about.'
  await becomes(`One.\n\n${cards(row('<strong>First</strong>', about), row('<strong>Second</strong>', about))}`)
})

test('cards and their dialog have no accessibility flaws', async () => {
  const { page, open } = await aWriter()
  assert.deepEqual(await flaws(page), [])
  await open('Green')
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
})
