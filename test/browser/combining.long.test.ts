// In a real browser: the editor of an author whose text is saved together with what somebody else has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { startApp } from '../app.ts'
import { until } from '../until.ts'
import { startBrowser } from './browser.ts'
import { openEditor, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const first = '# Tea\n\nHot.\n\nCold.\n\nWarm.\n'
const theirs = '# Green tea\n\nHot.\n\nCold.\n\nWarm, but not for long.\n'
const another = { operation: 'insert_page', document: { markdown: '# Other page\n' } }

/** Holds back the saves of a page, or what else it sends. Returns a function that lets them through. */
async function hold(page: Page, isHeld = (request: Request) => request.postData()?.includes('next=stay')) {
  const held = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  await page.route('**/*', async (route) => {
    if (isHeld(route.request())) {
      sent.resolve()
      await held.promise
    }
    await route.continue()
  })
  return { sent: sent.promise, letThrough: held.resolve }
}

const isCombined = (page: Page) => page.getByText('together with what somebody else has changed').waitFor()

test('in the Markdown editor, what somebody else changed appears on saving, and the cursor stays beside its words', async () => {
  const first = '# Tea\n\nHot.\n\nCold.\n\nWarm.\n'
  const theirs = '# Green tea\n\nHot.\n\nCold.\n\nWarm, but not for long.\n'
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

test('what is typed while a common save is answered stays, in the same line and elsewhere', async () => {
  const { page, request, id, field, choose, text } = await openEditor(app, browser, first)
  const save = async (typed: string) => {
    const { sent, letThrough } = await hold(page)
    await page.keyboard.press('Control+s')
    await sent
    await page.keyboard.type(typed)
    letThrough()
    await isCombined(page)
    await page.unroute('**/*')
  }
  await field.focus()
  await choose(first.indexOf('.\n\nWarm'))
  await page.keyboard.type(' as ice')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: theirs } })
  await save(' and snow')
  const both = theirs.replace('Cold', 'Cold as ice and snow')
  assert.equal(await text(), both)
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved in the change request\.$/).waitFor()
  assert.equal((await request.page(id)).markdown, both)

  await page.keyboard.type('!')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: both.replace('Hot', 'Hotter') } })
  await save('\n\nNew.')
  assert.equal(await text(), both.replace('Hot', 'Hotter').replace('snow.', 'snow!\n\nNew..'))
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
  await isCombined(page)
  const both = theirs.replace('Cold', 'Cold as ice and snow')
  assert.deepEqual([await text(), (await request.page(id)).markdown], [both, both])
})

test('in the visual editor, what is typed while a common save is answered stays, and so does the cursor', async () => {
  const { page, request, id, visual, behind, type, key, text } = await openVisual(app, browser, first)
  await behind('Cold.')
  await type(' Ice.')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: theirs } })
  const { sent, letThrough } = await hold(page)
  await key('Control+s')
  await sent
  await type(' Snow.')
  letThrough()
  await isCombined(page)
  await type(' Rain.')
  await visual.getByText('Cold. Ice. Snow. Rain.').waitFor()
  await key('Control+s')
  await page.getByText(/^Saved in the change request\.$/).waitFor()
  assert.equal(await text(), theirs.replace('Cold.', 'Cold. Ice. Snow. Rain.'))
})

test('in the visual editor, a cursor where nothing is written yet stays there on a common save', async () => {
  const list = first.replace('Cold.\n', '* Cold.\n')
  const cases = [
    { before: first, keys: ['Enter'], after: 'Cold.\n\nIce\n' },
    { before: first, keys: ['Space'], after: 'Cold. Ice\n' },
    { before: list, keys: ['Enter'], after: '* Cold.\n* Ice\n' },
  ]
  for (const { before, keys, after } of cases) {
    const { page, request, id, behind, type, key, becomes } = await openVisual(app, browser, before)
    await behind('Hot.')
    await type(' Tea.')
    await behind('Cold.')
    await key(...keys)
    const [was, now] = [/.*Cold\.\n/.exec(before)![0], theirs.replace('Cold.\n', after).replace('Hot.', 'Hot. Tea.')]
    await request.edit({
      operation: 'update_page',
      page: id,
      document: { markdown: theirs.replace('Cold.\n', was) },
    })
    await key('Control+s')
    await isCombined(page)
    await type('Ice')
    await becomes(now)
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
  const saved = page.waitForResponse((response) => response.url().includes('done=combined'))
  await page.keyboard.press('Control+s')
  await saved
  await page.locator('.writing-choice').getByRole('button', { name: 'Other page' }).click()
  await isCombined(page)
  const linked = now.replace('Cold.', 'Cold as ice[Other page](/other-page.md).')
  assert.equal(await text(), linked)

  // The settings are asked for before the answer, and the answers come after it.
  await request.edit({
    operation: 'update_page',
    page: id,
    document: { markdown: (await request.page(id)).markdown.replace('Theirs', 'Theirs again') },
  })
  const { sent, letThrough } = await hold(page)
  await page.keyboard.press('Control+s')
  await sent
  await page.getByRole('button', { name: 'Page settings' }).click()
  const settings = page.locator('.writing-settings')
  await settings.getByLabel('Icon').first().fill('leaf')
  letThrough()
  await page.waitForResponse((response) => response.url().includes('done=combined'))
  await settings.getByRole('button', { name: 'OK' }).click()
  await until('the settings', async () => (await text()).includes('leaf') && (await text()).includes('again'), 10_000)
  assert.equal(await text(), linked.replace('Theirs', 'Theirs again\nicon: leaf'))
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
