// From the editor to the preview as readers will see it, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { startBrowser } from '../../test/browser/browser.ts'
import { newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'

const browser = await startBrowser()
const app = await startApp()

test('saving a page with a preview leads to the preview, even if the site has its own address', async () => {
  const site = await aSite(app, { pages: [newPage('Tea')] })
  const author = await signedIn(app, await site.org.member('edit'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  const path = `${space}/~/changes/1`
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Cups' })
  const [{ id }] = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  const context = await browser.newContext()
  await context.addCookies([...author.cookies].map(([name, value]) => ({ name, value, url: app.url })))
  const page = await context.newPage()
  // Sites of this installation have another origin than the server of this test.
  await context.route('http://lectern.test/**', (route) => route.fulfill({ body: 'As its readers will' }))
  await page.goto(`${app.url}${path}/pages/${id}`)
  await page.getByLabel('The page as Markdown').fill('# Tea\n\nWarm it.\n')
  await page.getByRole('button', { name: 'Save and preview as a reader' }).click()
  await page.waitForURL('http://lectern.test/**', { timeout: 10_000 })
  assert.ok((await page.content()).includes('As its readers will'))
  await context.close()
})
