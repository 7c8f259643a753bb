// Pages of a change request are moved with a mouse, a finger or keys, in a real browser. Without script there is a form.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, newPage } from '../editing.ts'
import { expect } from '../visitor.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'

const browser = await startBrowser()
const app = await startApp()

const link = { operation: 'insert_page', type: 'link', metadata: { title: 'Shop' } }

/**
 * A change request with new pages Tea, with Green and Black below it, and Cups, and a link Shop. They come after the
 * pages in `main`.
 */
async function aTree(more: Parameters<typeof browser.newContext>[0] = {}, main: object[] = []) {
  const space = await aLiveSpace(app)
  if (main.length > 0) await space.edit(...main)
  const request = await space.changeRequest()
  await request.edit(
    newPage('Tea', { ref: 'tea' }),
    newPage('Green', { into: 'tea' }),
    newPage('Black', { into: 'tea' }),
    newPage('Cups'),
    { ...link, target: { kind: 'url', url: 'https://example.com/' } },
  )
  const { secret } = await aSession(app, space.org.admin)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1100, height: 900 }, ...more })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(`/app/o/${space.org.id}/s/${space.id}/~/changes/1?pages=open#pages`)
  const rows = page.locator('.review-tree > li')
  const row = (title: string) => rows.filter({ has: page.getByRole('link', { name: `Move ${title}` }) })
  const listed = async () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.review-tree > li')].map((row) => row.dataset.depth + row.querySelector('a').textContent)`,
    )
  const outline = async () => space.outline(request.path)
  const revisions = async () => (await space.who.get(`${request.path}/content`)).body.id as string
  return { space, request, page, row, listed, outline, revisions }
}

/**
 * Drags from the middle of a row to another row. `share` is the part of that row's height, and `x` the distance from
 * its left side.
 */
async function drag(page: Page, from: Locator, to: Locator, share: number, x = 300) {
  // Fonts that come later move the rows.
  await page.waitForLoadState()
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
  await page.mouse.move(start.x + 200, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + x, end.y + end.height * 0.5)
  await page.mouse.move(end.x + x, end.y + end.height * share)
}

test('a page is dragged before, below and after others, with a line where it will be dropped', async () => {
  const { page, row, listed, outline } = await aTree()
  const start = await outline()
  const dropped = async (expected: string) => {
    const answer = page.waitForResponse('**/place')
    await page.mouse.up()
    assert.equal((await answer).status(), 303)
    await untilTrue(page, `document.activeElement.className === 'review-grip'`)
    assert.equal(await outline(), expected)
  }
  assert.equal(start, 'Tea (Green Black) Cups Shop')
  await drag(page, row('Cups'), row('Green'), 0.1)
  assert.equal(await row('Green').getAttribute('data-drop'), 'before')
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('[data-drop]'), '::before').height`), '3px')
  await dropped('Tea (Cups Green Black) Shop')
  assert.deepEqual((await listed()).slice(-5), ['0Tea', '1Cups', '1Green', '1Black', '0Shop'])
  assert.match((await page.locator('#pages .say').textContent())!, /Page moved\./)
  assert.match((await page.locator('p.sr').textContent())!, /^Cups is now below Tea, first\.$/)

  // Into another page. A link accepts no pages.
  await drag(page, row('Black'), row('Green'), 0.5)
  assert.equal(await row('Green').getAttribute('data-drop'), 'inside')
  await dropped('Tea (Cups Green (Black)) Shop')
  await drag(page, row('Black'), row('Shop'), 0.6)
  assert.equal(await row('Shop').getAttribute('data-drop'), 'after')
  await dropped('Tea (Cups Green) Shop Black')
  // At the end of a branch, the position decides about the level: the further left, the further out.
  await drag(page, row('Black'), row('Green'), 0.9, 5)
  await dropped('Tea (Cups Green) Black Shop')
  await drag(page, row('Black'), row('Green'), 0.9)
  await dropped('Tea (Cups Green Black) Shop')
  // Between a page and its first child.
  await drag(page, row('Shop'), row('Tea'), 0.9)
  await dropped('Tea (Shop Cups Green Black)')
  assert.deepEqual(await flaws(page), [])
})

test('a page dropped where it is, within itself or cancelled with Escape does not move, and a click stays a click', async () => {
  const { page, row, outline, revisions } = await aTree()
  const before = [await outline(), await revisions()]
  let asked = 0
  page.on('request', (request) => (asked += request.method() === 'POST' ? 1 : 0))
  for (const [from, to, share] of [
    ['Tea', 'Black', 0.5],
    ['Green', 'Black', 0.1],
    ['Cups', 'Shop', 0.1],
  ] as const) {
    await drag(page, row(from), row(to), share)
    assert.equal(await page.locator('[data-drop]').count(), 0)
    await page.mouse.up()
  }
  await drag(page, row('Cups'), row('Tea'), 0.1)
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('[data-held], [data-drop], [data-moving]').count(), 0)
  await page.mouse.up()
  assert.deepEqual([asked, await outline(), await revisions()], [0, ...before])
  await row('Cups').locator('.review-title a').click()
  await page.getByLabel('The page as Markdown').waitFor()
})

test('keys move a page, and its new position is announced', async () => {
  const { page, row, outline } = await aTree()
  const grip = row('Cups').getByRole('button', { name: 'Drag Cups' })
  await grip.focus()
  const spoken = page.locator('p.sr')
  const press = async (key: string, words: string) => {
    await page.keyboard.press(`Alt+${key}`)
    await page.getByText(words).waitFor({ state: 'attached' })
    assert.equal(await spoken.textContent(), words)
  }
  await press('ArrowUp', 'Cups is now at the top level, first.')
  await press('ArrowDown', 'Cups is now at the top level, after Tea.')
  await press('ArrowRight', 'Cups is now below Tea, after Black.')
  await press('ArrowUp', 'Cups is now below Tea, after Green.')
  assert.equal(await outline(), 'Tea (Green Cups Black) Shop')
  await press('ArrowLeft', 'Cups is now at the top level, after Tea.')
  // Keys that are pressed faster than the server answers all count.
  for (let times = 0; times < 2; times++) await page.keyboard.press('Alt+ArrowUp')
  await page.getByText('It cannot be moved further that way.').waitFor({ state: 'attached' })
  assert.match(await outline(), /^Cups Tea \(Green Black\) Shop$/)
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Drag Cups')
})

test('a refused move says why and shows the current tree, one without an answer says so, and no comment is lost', async () => {
  const { space, request, page, row, listed, outline } = await aTree()
  await page.getByLabel('Comment (Markdown)', { exact: true }).fill('Half a thought')
  const { pages } = (await space.who.get(`${request.path}/content`)).body
  const tea = pages.find(({ title }: { title: string }) => title === 'Tea').id
  await request.edit({ operation: 'delete_page', page: tea })
  await drag(page, row('Cups'), row('Tea'), 0.5)
  await page.mouse.up()
  const refusal = page.locator('#pages [role=alert]')
  await refusal.waitFor()
  assert.match((await refusal.textContent())!, /^Not moved: There is no such page/)
  assert.deepEqual((await listed()).slice(-2), ['0Cups', '0Shop'])

  await page.route('**/place', (route) => route.abort())
  await drag(page, row('Shop'), row('Cups'), 0.1)
  await page.mouse.up()
  await page.getByText('The server did not answer').waitFor()
  await page.unroute('**/place')
  assert.equal(await outline(), 'Cups Shop')
  await drag(page, row('Shop'), row('Cups'), 0.1)
  await page.mouse.up()
  await page.getByText('Page moved.').waitFor()
  assert.equal(await outline(), 'Shop Cups')
  assert.equal(await page.getByLabel('Comment (Markdown)', { exact: true }).inputValue(), 'Half a thought')
  // The reviewer has seen the result of the move, so it can be approved.
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved.').waitFor()

  await page.context().clearCookies()
  await page.locator('.review-pages summary').first().click()
  // The page has been loaded anew: nothing can be dragged before its script has run.
  await page.locator('.review-grip').first().waitFor()
  // At the edge of the screen, the page would scroll away from below the pointer.
  await page.evaluate(`document.querySelector('.review-tree').scrollIntoView({ block: 'center' })`)
  await drag(page, row('Shop'), row('Cups'), 0.9)
  await page.mouse.up()
  await page.getByText('you are no longer signed in').waitFor()
  assert.equal(await outline(), 'Shop Cups')
})

test('dragging and writing can go on before the server has answered a move', async () => {
  const { page, row, outline } = await aTree({ viewport: { width: 1100, height: 600 } })
  const answers: (() => void)[] = []
  await page.route('**/place', async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  const letAnswer = async (times: number) => {
    while (answers.length < times) await page.waitForTimeout(10)
    const list = page.waitForResponse('**/~/changes/1?**')
    answers[times - 1]!()
    await (await list).finished()
  }
  await drag(page, row('Cups'), row('Tea'), 0.1)
  await page.mouse.up()
  await drag(page, row('Shop'), row('Black'), 0.1)
  await letAnswer(1)
  await page.waitForTimeout(100)
  // An answer does not end the drag: the row is held until the button is released.
  assert.equal(await page.locator('[data-held]').count(), 1)
  await page.mouse.up()
  await page.getByText('Cups is now at the top level').waitFor({ state: 'attached' })
  const comment = page.getByLabel('Comment (Markdown)', { exact: true })
  await comment.focus()
  await letAnswer(2)
  await page.getByText('Shop is now below Tea, after Green.').waitFor({ state: 'attached' })
  await page.keyboard.type('Still here')
  assert.equal(await comment.inputValue(), 'Still here')
  assert.match(await outline(), /^Cups Tea \(Green Shop Black\)$/)
})

test('the list stays in place on the screen, however much a move adds above it', async () => {
  const { page, row } = await aTree(
    {},
    'ABCDEFGHIJKLMNOPQRST'.split('').map((title) => newPage(title)),
  )
  await row('H').scrollIntoViewIfNeeded()
  const tree = page.locator('.review-tree')
  for (const [from, to] of [
    ['H', 'K'],
    ['D', 'J'],
  ] as const) {
    await drag(page, row(from), row(to), 0.9)
    const { y } = (await tree.boundingBox())!
    await page.mouse.up()
    await page.getByText(`${from} is now at the top level, after ${to}.`).waitFor({ state: 'attached' })
    const moved = (await tree.boundingBox())!.y - y
    assert.ok(Math.abs(moved) < 2, `${moved}`)
  }
})

test('a move shows what changed in the change request meanwhile, and dropping outside the list moves nothing', async () => {
  const { space, request, page, row, outline } = await aTree()
  const next = page.locator('.review-next')
  assert.doesNotMatch(await next.innerText(), /Update from/)
  await space.edit(newPage('New in main'))
  await drag(page, row('Cups'), row('Tea'), 0.1)
  await page.mouse.up()
  await page.getByText('Page moved.').waitFor()
  assert.match(await next.innerText(), /main content has changed[^]*Update from[^]*Mark as ready for review/)
  const before = await outline()
  await drag(page, row('Cups'), row('Shop'), 0.9)
  assert.equal(await page.locator('[data-drop]').count(), 1)
  const { x, y, height } = (await page.locator('.review-tree').boundingBox())!
  await page.mouse.move(x + 300, y + height + 60)
  assert.equal(await page.locator('[data-drop]').count(), 0)
  await page.mouse.up()
  assert.equal(await outline(), before)

  // The user has signed in again, as the refusal asked.
  const { secret } = await aSession(app, space.org.admin)
  await page.context().addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  await drag(page, row('Cups'), row('Shop'), 0.9)
  await page.mouse.up()
  await page.getByText('Not moved: this list was out of date. Try again').waitFor()
  await drag(page, row('Cups'), row('Shop'), 0.9)
  await page.mouse.up()
  await page.getByText('Page moved.').waitFor()
  assert.match(await outline(), /Shop Cups$/)
  // In a merged change request, nothing can be moved.
  expect(await space.who.post(`${request.path}/merge`, {}), 200)
  await drag(page, row('Cups'), row('Tea'), 0.1)
  await page.mouse.up()
  await page.getByText('Not moved: The pages of a merged change request can no longer be changed.').waitFor()
})

test('a finger drags a page by its handle', async () => {
  const { page, row, outline } = await aTree({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 900 } })
  const [from, to] = await Promise.all(
    [row('Cups').locator('.review-grip'), row('Tea')].map(async (each) => (await each.boundingBox())!),
  )
  const session = await page.context().newCDPSession(page)
  const touch = async (type: string, x: number, y: number) => {
    const touchPoints = type === 'touchEnd' ? [] : [{ x, y }]
    await session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints })
  }
  const answer = page.waitForResponse('**/place')
  await touch('touchStart', from!.x + 10, from!.y + 10)
  await touch('touchMove', from!.x + 10, from!.y - 20)
  await touch('touchMove', to!.x + 100, to!.y + 4)
  await touch('touchEnd', 0, 0)
  assert.equal((await answer).status(), 303)
  assert.match(await outline(), /Cups Tea \(Green Black\) Shop$/)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})
