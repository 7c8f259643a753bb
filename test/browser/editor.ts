import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser, Page, Request } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import type { TestApp } from '../app.ts'
import { aLiveSpace, idsOf } from '../editing.ts'
import { until } from '../until.ts'
import { untilTrue } from './browser.ts'

/**
 * Opens a page of a change request in the editor, in a real browser. `others` are changes that are made along with that
 * page.
 */
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

/** Opens the page in the visual editor. */
export async function openVisual(app: TestApp, browser: Browser, markdown: string, ...others: object[]) {
  const opened = await openEditor(app, browser, markdown, ...others)
  const { page, text } = opened
  await page.getByRole('button', { name: 'Visual' }).click()
  const visual = page.getByRole('textbox', { name: 'The page as it is seen' })
  await visual.locator('h1').waitFor()
  const key = async (...names: string[]) => {
    for (const name of names) await page.keyboard.press(name)
  }
  const type = (words: string) => page.keyboard.type(words)
  /** Until the page has been replaced, tools do nothing, and then the cursor is placed. */
  const isReplaced = () => untilTrue(page, '!isWorking')
  const tool = async (name: string) => {
    await isReplaced()
    await page.getByRole('toolbar').getByRole('button', { name, exact: true }).click()
  }
  const cursorTo = async (words: string, end: 'Home' | 'End') => {
    await isReplaced()
    await visual.getByText(words, { exact: true }).click()
    await key(end)
  }
  /** Puts the cursor behind some words with a click and the End key. `before` puts it in front of them. */
  const behind = (words: string) => cursorTo(words, 'End')
  const before = (words: string) => cursorTo(words, 'Home')
  const becomes = async (expected: string) => {
    await until('the text', async () => (await text()) === expected, 10_000).catch(() => undefined)
    assert.equal(await text(), expected)
    await isReplaced()
  }
  /** Pastes at the cursor what a browser passes on when something was copied elsewhere. */
  const paste = (types: Record<string, string>, picture = '') =>
    page.evaluate(`{
      const clipboardData = new DataTransfer()
      for (const [type, data] of Object.entries(${JSON.stringify(types)})) clipboardData.setData(type, data)
      const bytes = Uint8Array.from(atob('${picture}'), (each) => each.charCodeAt(0))
      if (bytes.length > 0) clipboardData.items.add(new File([bytes], 'pot.png', { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.writing-visual').dispatchEvent(event)
    }`)
  return { ...opened, visual, key, type, tool, behind, before, becomes, paste }
}

/** A page with this Markdown in its middle. */
export const between = (middle: string) => `# Tea\n\nSome *text*.\n\n${middle}\n\n* Last\n`

/** Opens a page in the visual editor, with helpers for a dialog of this name that asks about something on the page. */
export async function openAskable(app: TestApp, browser: Browser, markdown: string, name: string) {
  const writer = await openVisual(app, browser, markdown)
  const { page, visual } = writer
  const box = page.getByRole('dialog', { name })
  const open = async (title: string) => {
    await untilTrue(page, '!isWorking')
    await visual.getByTitle(`${title}.`).click()
    await box.waitFor()
  }
  const ok = () => box.getByRole('button', { name: 'OK' }).click()
  return { ...writer, box, open, ok, middleBecomes: (now: string) => writer.becomes(between(now)) }
}

/** Selects from the beginning of the words `from` to the end of the words `to`. */
export const chooseWords = (page: Page, from: string, to: string) =>
  page.evaluate(`{
    const find = (words) => {
      const nodes = document.createTreeWalker(visual, NodeFilter.SHOW_TEXT)
      while (nodes.nextNode()) if (nodes.currentNode.data.includes(words)) return nodes.currentNode
    }
    const [first, last] = [find(${JSON.stringify(from)}), find(${JSON.stringify(to)})]
    getSelection().setBaseAndExtent(first, first.data.indexOf(${JSON.stringify(from)}), last, last.data.indexOf(${JSON.stringify(to)}) + ${to.length})
  }`)

/** Holds back the saves of a page, or what else it sends. Returns a function that lets them through. */
export async function hold(page: Page, isHeld = (request: Request) => request.postData()?.includes('next=stay')) {
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
