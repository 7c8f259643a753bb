// The list of the pages of a space, beside the page that is read in the app, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { expect } from '../visitor.ts'
import { startBrowser, untilTrue } from './browser.ts'

const browser = await startBrowser()
const app = await startApp()

const isHereInSight = `(() => {
  const { top, bottom } = document.querySelector('.work-contents [aria-current]').getBoundingClientRect()
  return top > 0 && bottom < innerHeight
})()`

test('in a long list of pages the current one is in view, deep ones fit, and a heading keeps its anchor', async () => {
  const space = await aLiveSpace(app)
  for (let from = 0; from < 120; from += 40)
    expect(await space.edit(...Array.from({ length: 40 }, (_, at) => newPage(`Page ${from + at}`))), 200)
  const markdown = `# Deep\n\n[There](#contents)\n\n${'Words.\n\n'.repeat(60)}## Contents\n`
  let [into] = idsOf(await space.edit(newPage('Level 1')))
  for (let level = 2; level < 16; level++) [into] = idsOf(await space.edit(newPage(`Level ${level}`, { into })))
  const [deep] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown }, into }))
  const { path } = expect(await space.who.get(`${space.path}/content/page/${deep}`), 200)
  const { secret } = await aSession(app, space.org.admin)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1200, height: 800 } })
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  const base = `/app/o/${space.org.id}/s/${space.id}`
  const list = page.locator('.work-contents')
  for (const each of ['page-90', path]) {
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto(`${base}/${each}`)
    assert.equal(await page.evaluate(isHereInSight), true, each)
    assert.equal(await page.evaluate('scrollY'), 0)
    assert.ok((await list.locator('[aria-current]').boundingBox())!.width > 120)
    await page.setViewportSize({ width: 390, height: 700 })
    await page.goto(`${base}/${each}`)
    await page.getByRole('button', { name: 'Pages of this space' }).click()
    await untilTrue(page, isHereInSight)
    assert.ok((await list.locator('[aria-current]').boundingBox())!.width > 120)
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
  }
  await page.getByRole('link', { name: 'There' }).click()
  await untilTrue(page, `document.querySelector('h2').getBoundingClientRect().top < innerHeight`)
  // For a page near its top, the list is not scrolled.
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(`${base}/page-2`)
  assert.equal(await page.evaluate(`document.querySelector('.work-contents').scrollTop`), 0)
  await context.close()
})
