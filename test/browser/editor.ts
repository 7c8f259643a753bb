import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import type { TestApp } from '../app.ts'
import { aLiveSpace, idsOf } from '../editing.ts'

/** Somebody who has a page of a change request open, in a real browser; `others` stand beside that page. */
export async function openEditor(app: TestApp, browser: Browser, markdown: string, ...others: object[]) {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const [id] = idsOf(await request.edit({ operation: 'insert_page', document: { markdown } }, ...others))
  const { secret } = await aSession(app, space.org.admin)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1280, height: 800 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(`/app/o/${space.org.id}/s/${space.id}/~/changes/1/pages/${id}`)
  const field = page.getByLabel('The page as Markdown')
  await page.locator('.writing-preview h2').first().waitFor()
  const choose = async (from: number, to = from) =>
    page.evaluate(`document.querySelector('textarea').setSelectionRange(${from}, ${to})`)
  const text = () => field.inputValue()
  return { space, request, id: id!, page, field, choose, text }
}
