// A login through an identity provider on another website, in a real browser: the browser has to send our cookies as we
// expect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anIdentityProvider, anOrganizationWith } from '../../src/saml/testing/login.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()
// The app needs an address that a browser can open.
app.app.url = app.url
const idp = await anIdentityProvider()
// For browsers, `localhost` is another website than 127.0.0.1, where Lectern runs.
const ssoURL = idp.settings.ssoURL.replace('127.0.0.1', 'localhost')

test('a person signs in at an identity provider on another website, and lands on their account', async () => {
  const { org } = await anOrganizationWith(app, idp, { ssoURL, label: 'Acme sign-on' })
  const context = await browser.newContext({ baseURL: app.url })
  const page = await context.newPage()

  await page.goto(`/login?org=${org.row.hostname}`)
  await page.getByRole('link', { name: 'Acme sign-on' }).click()
  await page.waitForURL('**/account')
  assert.ok(await page.getByRole('heading', { name: 'Jo Doe' }).isVisible())
  assert.ok(await page.getByText(org.row.title).first().isVisible())
  const cookies = await context.cookies()
  const session = cookies.find(({ name }) => name === 'lectern-session')!
  assert.deepEqual([session.httpOnly, session.sameSite, session.path], [true, 'Lax', '/'])
})

test('a person refused by single sign-on reads why, and can try again', async () => {
  const { org, provider, path } = await anOrganizationWith(app, idp, { ssoURL })
  await org.admin.client.patch(path, { entityID: 'https://another.example' })
  const page = await browser.newPage()

  await page.goto(provider.service.startURL)
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  assert.ok(await page.getByText('comes from a different identity provider').isVisible())
  await org.admin.client.patch(path, { entityID: idp.settings.entityID })
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.waitForURL('**/account')
})
