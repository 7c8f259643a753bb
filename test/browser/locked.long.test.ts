// The password of a share link, typed by a reader in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../app.ts'
import { aSite, expect } from '../visitor.ts'
import { flaws } from './accessible.ts'
import { startBrowser } from './browser.ts'

const browser = await startBrowser()
const app = await startApp()

test('a reader enters a wrong and then the right password of a share link, and sees the page they were sent', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'x', password: 'long enough' }), 201)
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, colorScheme: 'dark' })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${new URL(link.urls.published).pathname}guide`)
  await page.keyboard.type('long enou')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  assert.deepEqual(await flaws(page), [])
  await page.keyboard.type('long enough')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
  assert.equal(page.url(), `${app.url}${site.address}guide`)
  await page.goto(app.url + site.address)
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Welcome')
})

test('a reader who enters the password in two tabs, or goes back and reloads, always gets a page', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'x', password: 'long enough' }), 201)
  const address = app.url + new URL(link.urls.published).pathname
  const context = await browser.newContext()
  after(() => context.close())
  const [one, two] = [await context.newPage(), await context.newPage()]
  await one.goto(`${address}guide`)
  await two.goto(`${address}guide`)
  for (const page of [one, two]) {
    await page.getByLabel('Password').fill('long enough')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
  }
  await one.goBack()
  await one.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
  await one.reload()
  await one.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
  // The address that a wrong password leads to is in the history as well, and must not be a dead end.
  await two.goto(`${address}~/open`)
  await two.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
})
