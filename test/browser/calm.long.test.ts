// Pages for people who write, in a real browser: of many buttons next to each other, only a few stand out.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { startBrowser } from './browser.ts'
import { expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

async function aSpace() {
  const space = await aLiveSpace(app)
  const [tea] = idsOf(await space.edit(newPage('Tea')))
  await space.edit({ operation: 'update_page', page: tea, document: { markdown: '# Tea\n\nGreen.\n' } })
  const { secret } = await aSession(app, { id: space.org.admin.user.id })
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 390, height: 800 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  return { space, page, at: `/app/o/${space.org.id}/s/${space.id}` }
}

/** The labels of the buttons that look like a button even without being pointed at. */
const standingOut = (buttons: Locator) =>
  buttons.evaluateAll((all: any[]) =>
    all
      .filter((each) => {
        const { borderTopColor } = each.ownerDocument.defaultView.getComputedStyle(each)
        return borderTopColor !== 'rgba(0, 0, 0, 0)'
      })
      .map((each) => each.textContent.trim() as string),
  )

test('above a page only the edit button stands out, and in lists no button does', async () => {
  const { page, at } = await aSpace()
  await page.goto(`${at}/tea`)
  const tools = page.locator('.work-tools .btn')
  assert.ok((await tools.count()) >= 4)
  assert.deepEqual(await standingOut(tools), ['Edit this page'])
  await page.goto(at)
  const editing = page.getByRole('button', { name: 'Edit Tea' })
  await editing.waitFor()
  assert.deepEqual(await standingOut(editing), [])
  await page.goto(`${at}/~/history`)
  assert.ok((await page.locator('.rows .btn').count()) > 1)
  assert.deepEqual(await standingOut(page.locator('.rows .btn')), [])
})

test('a read-only comment has no empty space below it, and only the likely steps of a change request stand out', async () => {
  const { space, page, at } = await aSpace()
  const { body } = await space.who.post(`${space.path}/change-requests`, { subject: 'Cups' })
  const path = `${space.path}/change-requests/${body.id}`
  expect(await space.who.post(`${path}/content?compat=false`, { changes: [newPage('Cups')] }), 200)
  expect(await space.who.post(`${path}/comments`, { body: { markdown: 'Good.' } }), 200)
  await page.goto(`${at}/~/changes/1`)
  assert.equal(await page.locator('.review-tools > form > .btn.primary').innerText(), 'Mark as ready for review')
  assert.deepEqual(await standingOut(page.locator('.review-tools .btn:not(.primary)')), ['Review and merge'])

  const { secret } = await aSession(app, await space.org.member('read'))
  await page.context().addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  await page.reload()
  const comment = page.locator('.review-said > li')
  const [around, words] = [await comment.boundingBox(), await comment.locator('.review-text').boundingBox()]
  const below = around!.y + around!.height - (words!.y + words!.height)
  assert.ok(below < 20, `${below} below the words`)
})

test('in a merged change request, buttons without a border begin where the text does', async () => {
  const { space, page, at } = await aSpace()
  const { body } = await space.who.post(`${space.path}/change-requests`, { subject: 'Cups' })
  const path = `${space.path}/change-requests/${body.id}`
  const changes = ['Cups', 'Pots', 'Cans', 'Mugs', 'Jars', 'Lids'].map((title) => newPage(title))
  expect(await space.who.post(`${path}/content?compat=false`, { changes }), 200)
  expect(await space.who.post(`${path}/merge`, {}), 200)
  await page.goto(`${at}/~/changes/1`)
  const lefts = await page.evaluate<
    number[]
  >(`['.review h1', '.review-tools .quiet', '.review-sum .quiet'].map((each) => {
    const words = document.createRange()
    words.selectNodeContents(document.querySelector(each))
    return Math.round(words.getBoundingClientRect().left)
  })`)
  assert.equal(new Set(lefts).size, 1, lefts.join(' '))
})

test('the many actions of each version of a site do not stand out', async () => {
  const { space, page } = await aSpace()
  const other = await aLiveSpace(app, space.org)
  const made = { title: 'Drinks', visibility: 'public', spaces: [space.id, other.id] }
  const site = expect(await space.who.post(`/v1/orgs/${space.org.id}/sites`, made), 201)
  await page.goto(`/app/o/${space.org.id}/sites/${site.id}`)
  const buttons = page.locator('.rows .review-does > :is(details, form) > .btn, .rows .review-does > .btn')
  assert.ok((await buttons.count()) > 8)
  assert.deepEqual(await standingOut(buttons), [])
})

test('dates do not wrap onto two lines', async () => {
  const { space, page, at } = await aSpace()
  for (let each = 0; each < 3; each += 1) {
    const { body } = await space.who.post(`${space.path}/change-requests`, { subject: 'x'.repeat(10 + 20 * each) })
    assert.equal(typeof body.id, 'string')
  }
  for (const path of [at, `${at}/~/history`, `${at}/~/changes/1`])
    for (const width of [320, 340, 360, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      const lines = await page
        .locator('time')
        .evaluateAll((all: any[]) => all.map((each) => each.getClientRects().length as number))
      assert.ok(lines.length > 0, path)
      assert.deepEqual(new Set(lines), new Set([1]), `${path} at ${width}`)
    }
})
