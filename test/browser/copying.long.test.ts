// Copying pages, and starting new pages as copies of others, in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, newPage } from '../editing.ts'
import { png } from '../every-content.ts'
import { startBrowser } from './browser.ts'

const browser = await startBrowser()
const app = await startApp()

/**
 * Creates a space of templates, with one for decisions, which shows a picture, and its example; and a space for the
 * pages made from them.
 */
async function open() {
  const templates = await aLiveSpace(app)
  const space = await aLiveSpace(app, templates.org)
  await templates.who.patch(templates.path, { title: 'Templates' })
  await space.who.patch(space.path, { title: 'Decisions' })
  const markdown = '# Decision\n\n![Sign](./sign)\n\n[An example](decision/example.md)\n'
  await templates.edit(
    {
      operation: 'insert_files',
      files: [{ name: 'sign.png', base64: png, contentType: 'image/png', ref: 'sign' }],
    },
    { operation: 'insert_page', document: { markdown }, ref: 'decision' },
    newPage('Example', { into: 'decision' }),
  )
  await space.edit(newPage('All decisions'))
  const { secret } = await aSession(app, await templates.org.member('edit'))
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 360, height: 740 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  const home = `/app/o/${templates.org.id}/s/`
  return { page, templates: home + templates.id, space: home + space.id }
}

test('a page can be copied into another space, with its picture and the page below it', async () => {
  const { page, templates, space } = await open()
  await page.goto(`${templates}/decision`)
  await page.getByRole('link', { name: 'Copy' }).click()
  await page.getByLabel('Target space').selectOption('Decisions')
  await page.getByRole('button', { name: 'Choose' }).click()
  await page.getByText('Into the space Decisions.').waitFor()
  await page.getByLabel('Parent page').selectOption('All decisions')
  assert.equal(await page.getByLabel(/With the page below it/).isChecked(), true)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Page copied.').waitFor()
  assert.equal(new URL(page.url()).pathname, `${space}/~/changes/1`)
  await page.goto(`${space}/~/changes/1/all-decisions/decision`)
  await seesPicture(page, '.work-text img')
  await page.goto(await pathBehind(page, '.work-text a', 'href'))
  await page.getByRole('heading', { level: 1, name: 'Example' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `${space}/~/changes/1/all-decisions/decision/example`)
})

test('a new page can start from a template, and opens for writing at once', async () => {
  const { page, space } = await open()
  await page.goto(space)
  await page.getByRole('button', { name: 'Add a page' }).click()
  await page.getByLabel('Title').fill('Use tea')
  await page.getByLabel('Start from').selectOption('Decision')
  await page.getByRole('button', { name: 'Add page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Use tea' }).waitFor()
  assert.match(await page.getByLabel('The page as Markdown').inputValue(), /^# Use tea\n\n!\[Sign\]\(\/files\//)
  await seesPicture(page, '.writing-preview img')
})

/**
 * Returns only the path and query of an address, because this installation runs at another address than the configured
 * one.
 */
async function pathBehind(page: Page, selector: string, name: 'href' | 'src'): Promise<string> {
  const { pathname, search } = new URL((await page.locator(selector).first().getAttribute(name))!)
  return pathname + search
}

async function seesPicture(page: Page, selector: string): Promise<void> {
  const answer = await page.request.get(await pathBehind(page, selector, 'src'))
  assert.deepEqual([answer.status(), (await answer.body()).toString('base64')], [200, png])
}
