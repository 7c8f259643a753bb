// In a real browser: the editor of an author whose text is saved together with what somebody else has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { until } from '../until.ts'
import { startBrowser } from './browser.ts'
import { hold, openEditor, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const first = '# Tea\n\nHot.\n\nCold.\n\nWarm.\n'
const theirs = '# Green tea\n\nHot.\n\nCold.\n\nWarm, but not for long.\n'
const another = { operation: 'insert_page', document: { markdown: '# Other page\n' } }

/** Somebody has typed something in the visual editor, and somebody else has saved a change of other lines. */
async function openOvertaken() {
  const writer = await openVisual(app, browser, first)
  await writer.behind('Cold.')
  await writer.type(' Ice.')
  await writer.request.edit({ operation: 'update_page', page: writer.id, document: { markdown: theirs } })
  return writer
}

const isShown = (page: Page) => page.getByText(/together with what .* since you opened it\.$/).waitFor()
const isToBeShown = (page: Page) => page.getByText('You see that here when you save again').waitFor()

test('in the Markdown editor, what somebody else changed appears on saving, and the cursor stays beside its words', async () => {
  const { page, request, id, field, choose, text } = await openEditor(app, browser, first)
  await field.focus()
  await choose(first.indexOf('.\n\nWarm'))
  await page.keyboard.type(' as ice')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: theirs } })
  await page.keyboard.press('Control+s')
  await page.getByText('together with what somebody else has changed').waitFor()
  await page.keyboard.type(' is')
  const whole = theirs.replace('Cold', 'Cold as ice is')
  assert.equal(await text(), whole)
  await page.keyboard.press('Control+z')
  assert.match(await text(), /Green[^]*but not/)
  await page.keyboard.type('!')
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved in the change request\.$/).waitFor()
  assert.match((await request.page(id)).markdown, /Green[^]*but not/)
})

test('what is typed while a common save is answered stays, and both are there after the next save', async () => {
  const { page, request, id, field, choose, text } = await openEditor(app, browser, first)
  await field.focus()
  await choose(first.indexOf('.\n\nWarm'))
  await page.keyboard.type(' as ice')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: theirs } })
  const { sent, letThrough } = await hold(page)
  await page.keyboard.press('Control+s')
  await sent
  await page.keyboard.type(' and snow')
  letThrough()
  await isToBeShown(page)
  assert.equal(await text(), first.replace('Cold', 'Cold as ice and snow'))
  await page.keyboard.press('Control+s')
  await isShown(page)
  await page.keyboard.type(' and rain')
  const both = theirs.replace('Cold', 'Cold as ice and snow and rain')
  assert.equal(await text(), both)
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved in the change request\.$/).waitFor()
  assert.equal((await request.page(id)).markdown, both)
})

test('the words of a common save whose answer was lost do not count as those of somebody else', async () => {
  const { page, request, id, field, choose, text } = await openEditor(app, browser, first)
  await field.focus()
  await choose(first.indexOf('.\n\nWarm'))
  await page.keyboard.type(' as ice')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: theirs } })
  await page.route('**/*', async (route) => {
    if (!route.request().postData()?.includes('next=stay')) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.keyboard.press('Control+s')
  await page.getByText('The server did not answer').waitFor()
  await page.unroute('**/*')
  await page.keyboard.type(' and snow')
  await page.keyboard.press('Control+s')
  await isShown(page)
  const both = theirs.replace('Cold', 'Cold as ice and snow')
  assert.deepEqual([await text(), (await request.page(id)).markdown], [both, both])
})

test('in the visual editor, what is typed while a common save is answered stays, even if the server fails then', async () => {
  const { page, type, key, becomes } = await openOvertaken()
  const { sent, letThrough } = await hold(page)
  await key('Control+s')
  await sent
  await page.route('**/visual/text', (route) => route.abort(), { times: 1 })
  await type(' Snow.')
  letThrough()
  await page
    .getByText(/server did not answer|together with/)
    .first()
    .waitFor()
  await type(' Rain.')
  await becomes(first.replace('Cold.', 'Cold. Ice. Snow. Rain.'))
  await key('Control+s')
  await isShown(page)
  await type(' Hail.')
  await becomes(theirs.replace('Cold.', 'Cold. Ice. Snow. Rain. Hail.'))
})

test('in the visual editor, a cursor where nothing is written yet stays there on a common save', async () => {
  const [table, quote] = ['| a |\n| - |\n| b |\n', '> Cold.\n']
  const cases = [
    { keys: ['Enter'], after: 'Cold.\n\nIce\n' },
    { keys: ['Space'], after: 'Cold. Ice\n' },
    { was: '* Cold.\n', keys: ['Enter'], after: '* Cold.\n* Ice\n' },
    { was: '* Cold.\n', keys: ['Enter', 'Enter'], after: '* Cold.\n\nIce\n' },
    { was: `${quote}\nCold\n`, at: 'Cold', keys: ['Enter'], after: `${quote}\nCold\n\nIce\n` },
    { was: `${table}\nCold.\n`, keys: ['Home', 'Enter', 'ArrowUp'], after: `${table}\nIce\n\nCold.\n` },
  ]
  for (const { was = 'Cold.\n', at = 'Cold.', keys, after } of cases) {
    const before = first.replace('Cold.\n', `${was}\nMild.\n`)
    const { page, request, id, behind, type, key, becomes } = await openVisual(app, browser, before)
    await behind('Hot.')
    await type(' Tea.')
    await behind(at)
    await key(...keys)
    const markdown = theirs.replace('Cold.\n', `${was}\nMild.\n`)
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    await key('Control+s')
    await isToBeShown(page)
    await type('Ice')
    await becomes(before.replace(was, after).replace('Hot.', 'Hot. Tea.'))
    await key('Control+s')
    await isShown(page)
    await becomes(markdown.replace(was, after).replace('Hot.', 'Hot. Tea.'))
    await type('!')
    await becomes(markdown.replace(was, after).replace('Hot.', 'Hot. Tea.').replace('Ice', 'Ice!'))
  }
})

test('a dialog that is answered while a common save is answered takes nothing back that somebody else has changed', async () => {
  const described = `---\ndescription: Old\n---\n\n${first}`
  const { page, request, id, field, choose, text } = await openEditor(app, browser, described, another)
  await field.focus()
  await choose((await text()).indexOf('.\n\nWarm'))
  await page.keyboard.type(' as ice')
  const now = `---\ndescription: Theirs\n---\n\n${theirs.replace('Hot.', 'A long new paragraph.')}`
  await request.edit({ operation: 'update_page', page: id, document: { markdown: now } })
  // A link belongs to where the cursor was when it was asked for.
  await page.getByRole('toolbar').getByRole('button', { name: 'Page link' }).click()
  await page.getByText('1 found').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('You see that here when you save again').waitFor({ state: 'attached' })
  await page.locator('.writing-choice').getByRole('button', { name: 'Other page' }).click()

  // The settings are asked for before the answer to a save, and the answers come after it.
  const { sent, letThrough } = await hold(page)
  await page.keyboard.press('Control+s')
  await sent
  await page.getByRole('button', { name: 'Page settings' }).click()
  const settings = page.locator('.writing-settings')
  await settings.getByLabel('Icon').first().fill('leaf')
  letThrough()
  await page.waitForResponse((response) => response.url().includes('done=combined'))
  await settings.getByRole('button', { name: 'OK' }).click()
  await until('the settings', async () => (await text()).includes('leaf'), 10_000)
  await page.keyboard.press('Control+s')
  await isShown(page)
  const both = now.replace('Cold.', 'Cold as ice[Other page](/other-page.md).').replace('Theirs', 'Theirs\nicon: leaf')
  assert.deepEqual([await text(), (await request.page(id)).markdown], [both, both])
})

test('a common save leaves the focus and the selection of an author alone who is not in the text', async () => {
  const { page, key, visual } = await openOvertaken()
  await page.getByRole('link', { name: 'Back without saving' }).focus()
  await key('Control+s')
  await isShown(page)
  await visual.getByText('Warm, but not for long.').waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Back without saving')
})

test('while a refused text is on its way to the page that says why, nothing can be typed that would be lost', async () => {
  const { page, request, id, field, choose, text } = await openEditor(app, browser, first)
  await field.focus()
  await choose(first.indexOf('.\n\nWarm'))
  await page.keyboard.type(' as ice')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: first.replace('Cold', 'Colder') } })
  const { sent, letThrough } = await hold(page, (sending) => sending.isNavigationRequest())
  await page.evaluate("addEventListener('keyup', () => sessionStorage.setItem('seen', field.value))")
  await page.keyboard.press('Control+s')
  await sent
  await page.keyboard.type(' and snow')
  letThrough()
  await page.getByText('Somebody has changed the same part of this page').waitFor()
  assert.equal(await text(), await page.evaluate("sessionStorage.getItem('seen')"))
  assert.equal(await text(), first.replace('Cold', 'Cold as ice'))
  await field.focus()
  await page.keyboard.type('!')
  assert.match(await text(), /!/)
})
