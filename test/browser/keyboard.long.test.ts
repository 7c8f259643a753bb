// The workspace in a real browser, with nothing but keys.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { idsOf, newPage } from '../editing.ts'
import { aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

/**
 * Opens a browser for the administrator of a site that has a page, a change request and a comment on each of the space
 * and the change request.
 */
async function atWork() {
  const site = await aSite(app)
  const { space, org } = site
  const [tea] = idsOf(await space.edit(newPage('Tea')))
  const request = await space.changeRequest()
  const [pots] = idsOf(await request.edit(newPage('Pots')))
  for (const place of [space.path, request.path])
    expect(await site.who.post(`${place}/comments`, { body: { markdown: 'Which one?' } }), 200)
  const { secret } = await aSession(app, org.admin)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1280, height: 700 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const home = `/app/o/${org.id}`
  return { site, tea: tea!, pots: pots!, page: await context.newPage(), home, inSpace: `${home}/s/${space.id}` }
}

const label = `(each) => (each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent ?? each.textContent).trim().replace(/\\s+/g, ' ')`

/** The label of the focused element, or an empty string if the page as a whole has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(`document.activeElement === document.body ? '' : (${label})(document.activeElement)`)

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < 150; tabs++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  assert.fail(`No key leads to: ${name}`)
}

/** Moves the focus to the element with this label, presses Enter, and waits for the page that it leads to. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await enter(page)
}

/** Presses Enter, and waits for the page that it leads to, with the focus where that page puts it. */
async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  // Browsers set the focus when they draw the page for the first time, which may be after it was loaded. They set none
  // where the address leads to an element, or where nothing can be seen that asks for it.
  const asks = `[...document.querySelectorAll('[autofocus]')].some((each) => each.checkVisibility())`
  await untilTrue(page, `document.activeElement !== document.body || document.querySelector(':target') || !${asks}`)
}

const markAll = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0)
  // Of several choices, one is reached, and the others from there by other keys.
  .filter((each) => each.type !== 'radio' || each.checked)
  .map((each) => (each.toBeReached = (${label})(each) + ' ' + each.tagName))`

const look = `(() => {
  const each = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(each)
  const { top, bottom } = each.getBoundingClientRect()
  const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && bottom > 0 && top < innerHeight
  return { name: each.toBeReached, isSeen, isEnd: each === document.body }
})()`

test('every control is reachable by Tab, shows that it has the focus, and lets go of it', async () => {
  const { page, home, inSpace, tea, pots, site } = await atWork()
  const change = `${inSpace}/~/changes/1`
  const paths = [
    '/account',
    ...['', '/people', '/settings', '/download', `/sites/${site.id}`, `/sites/${site.id}/look`].map(
      (each) => home + each,
    ),
    ...['', '/tea', '/~/comments', '/~/download', `/~/download?page=${tea}`, '/~/settings', '/~/import', '/~/git'].map(
      (each) => inSpace + each,
    ),
    ...['', '/pages/new', `/pages/${pots}`, '/files', '/~/pdf'].map((each) => change + each),
  ]
  for (const path of paths) {
    await page.goto(path)
    await page.evaluate(`document.querySelectorAll('main details').forEach((each) => (each.open = true))`)
    // Start from the top of the page, wherever the page puts the focus.
    await page.evaluate(
      'document.activeElement.blur(), document.body.setAttribute("tabindex", "-1"), document.body.focus()',
    )
    const left = new Map<string, number>()
    for (const name of await page.evaluate<string[]>(markAll)) left.set(name, (left.get(name) ?? 0) + 1)
    const most = [...left.values()].reduce((sum, count) => sum + count) + 5
    for (let tabs = 0; tabs < most; tabs++) {
      await page.keyboard.press('Tab')
      const { name, isSeen, isEnd } = await page.evaluate<{ name?: string; isSeen: boolean; isEnd: boolean }>(look)
      if (isEnd) break
      if (name === undefined) continue
      assert.ok(isSeen, `${path}: nobody sees that this has the focus: ${name}`)
      const count = left.get(name)! - 1
      if (count > 0) left.set(name, count)
      else left.delete(name)
    }
    assert.deepEqual([...left.keys()], [], path)
  }
})

test('after each action the focus is in the next field, at the message, or at the new item', async () => {
  const { page, inSpace } = await atWork()
  await page.goto(inSpace)
  await press(page, 'Add a page')
  assert.equal(await focused(page), 'Title')
  await page.keyboard.type('Cups')
  await enter(page)
  // The cursor is after the title that the page already has.
  await page.keyboard.type('Some text.')
  assert.match(await page.getByLabel('The page as Markdown').inputValue(), /^# Cups\n+Some text\.$/)
  await page.keyboard.press('Shift+Tab')
  for (let tools = 0; tools < 20 && (await focused(page)) !== 'Page link'; tools++)
    await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.locator('dialog[open]').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await focused(page), 'Page link')
  await press(page, 'Save')
  assert.match(await focused(page), /^Saved in this change request\./)
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Mark as ready for review')
  await press(page, 'Comment only')
  assert.equal(await focused(page), 'Enter a comment.')

  await page.goto(`${inSpace}/tea`)
  await press(page, 'Comment')
  assert.equal(await focused(page), 'Comment (Markdown)')
  await page.keyboard.type('Nice')
  await press(page, 'Comment')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Tea', 'in the comment that was just made')

  await page.goto(`${inSpace}/tea`)
  await press(page, 'PDF')
  await press(page, 'Create PDF: PDF of this page')
  await page.getByText('Open the PDF').waitFor()
  assert.equal(await focused(page), 'Open the PDF: PDF of this page')
})
