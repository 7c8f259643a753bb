// The page of a change request in a real browser: messages have the actions that they call for next to them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { flaws } from './accessible.ts'
import { startBrowser } from './browser.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

/** Opens a change request that conflicts with the main content in one page, as an administrator. */
async function aConflict() {
  const space = await aLiveSpace(app)
  const [tea] = idsOf(await space.edit(newPage('Tea')))
  const saying = (words: string) => ({
    operation: 'update_page',
    page: tea,
    document: { markdown: `# Tea\n\n${words}\n` },
  })
  const request = await space.changeRequest()
  await request.edit(saying('Green.'))
  await space.edit(saying('Black.'))
  const { secret } = await aSession(app, { id: space.org.admin.user.id })
  // With reduced motion, no colour is still changing between the two themes when it is checked.
  const context = await browser.newContext({
    baseURL: app.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(`/app/o/${space.org.id}/s/${space.id}/~/changes/1`)
  return page
}

test('a conflict message of a change request has its action beside it, readable in light and dark', async () => {
  const page = await aConflict()
  const resolving = page.getByRole('link', { name: 'Resolve conflicts' })
  const [words, button] = [await page.getByRole('alert').boundingBox(), await resolving.boundingBox()]
  assert.ok(button!.x > words!.x && button!.y < words!.y + words!.height, 'beside the words')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await flaws(page), [], colorScheme)
  }
  await page.setViewportSize({ width: 360, height: 800 })
  const [above, below] = [await page.getByRole('alert').boundingBox(), await resolving.boundingBox()]
  assert.ok(below!.y >= above!.y + above!.height, 'below them on a phone')
  await resolving.click()
  await page.getByRole('heading', { name: 'Conflicts with the main content' }).waitFor()
  assert.deepEqual(await flaws(page), [])
})
