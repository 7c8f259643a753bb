// Comparing two revisions, and two people who write in the same page, in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { expect } from '../visitor.ts'
import { flaws } from './accessible.ts'
import { startBrowser } from './browser.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

async function someone(who: { id: string }) {
  const { secret } = await aSession(app, who)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1100, height: 800 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  return page
}

test('a member chooses two revisions from the history, and sees what changed between them', async () => {
  const space = await aLiveSpace(app)
  const [tea] = idsOf(await space.edit(newPage('Tea')))
  for (const words of ['Green.', 'White.', 'Black.'])
    await space.edit({ operation: 'update_page', page: tea, document: { markdown: `# Tea\n\n${words}\n` } })
  const page = await someone(await space.org.member('read'))
  await page.goto(`/app/o/${space.org.id}/s/${space.id}/~/pages/${tea}/history`)
  await page
    .getByRole('link', { name: /^Compare:/ })
    .first()
    .click()
  await page.getByText('Choose what to compare with').waitFor()
  assert.deepEqual(await flaws(page), [])
  await page
    .getByRole('link', { name: /^Compare with this one:/ })
    .nth(1)
    .click()
  await page.getByRole('heading', { name: 'Comparison of “Tea”' }).waitFor()
  assert.match(await page.locator('.diff').innerText(), /Green\.[^]*Black\./)
  assert.doesNotMatch(await page.locator('.diff').innerText(), /White/)
  assert.deepEqual(await flaws(page), [])
  // From the comparison, one of the two revisions can be compared with another one.
  await page
    .getByRole('link', { name: /^Compare with another one: / })
    .first()
    .click()
  await page.getByText('Choose what to compare with').waitFor()
})

test('a person who writes in a page is told when it was deleted or they may not edit it any more, and keeps the text', async () => {
  const { space, request, id, page, visual, behind, type, key, text } = await openVisual(
    app,
    browser,
    '# Tea\n\nHot.\n',
  )
  const member = await space.org.member('edit')
  const other = await someone(member)
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Visual' }).click()
  await other.locator('.writing-visual p').click()
  const { items } = expect(await space.who.get(`/v1/orgs/${space.org.id}/members`), 200)
  const { id: memberId } = items.find(({ user }: { user: { id: string } }) => user.id === member.user.id)
  expect(await space.who.patch(`/v1/orgs/${space.org.id}/members/${memberId}`, { role: 'read' }), 200)
  await other.keyboard.type('Mine. ')
  await other.getByText('You may not edit this space. Your text is still here: copy it.').waitFor()

  await behind('Hot.')
  await request.edit({ operation: 'delete_page', page: id })
  await type(' Mine.')
  for (let times = 0; times < 2; times++) {
    await page.getByText('This page has been deleted. Your text is still here: copy it.').waitFor()
    await visual.getByText('Hot. Mine.').waitFor()
    await key('Control+s')
  }
  assert.equal(await text(), '# Tea\n\nHot.\n')
})

test('two people who save the same page keep what both wrote, and in the same line the second one overwrites nothing', async () => {
  const one = await openVisual(app, browser, '# Tea\n\nHot.\n\nCold.\n')
  const other = await someone(await one.space.org.member('edit'))
  await other.goto(one.page.url())
  await other.getByRole('button', { name: 'Visual' }).click()
  const visual = other.getByRole('textbox', { name: 'The page as it is seen' })
  const both = async () => (await one.request.page(one.id)).markdown
  const saveOther = async () => {
    await other.keyboard.press('Control+s')
    await other.getByText('together with what somebody else has changed').waitFor()
  }
  await visual.getByText('Cold.').click()
  await other.keyboard.press('End')
  await other.keyboard.type(' By the other.')
  await one.behind('Hot.')
  await one.type(' By one.')
  await one.key('Control+s')
  await one.page.getByText('Saved in the change request').waitFor()
  await saveOther()
  await visual.getByText('Hot. By one.').waitFor()
  assert.equal(await both(), '# Tea\n\nHot. By one.\n\nCold. By the other.\n')

  // The cursor is where it was, and undo takes back nothing that the first one wrote.
  await other.keyboard.type(' On!')
  await visual.getByText('Cold. By the other. On!').waitFor()
  for (let times = 0; times < 4; times++) await other.keyboard.press('Control+z')
  await visual.getByText(/^Cold. By the other.$/).waitFor()
  await visual.getByText('Hot. By one.').waitFor()

  await visual.getByText('Hot. By one.').click()
  await other.keyboard.press('End')
  await other.keyboard.type(' Mine.')
  await one.type(' More.')
  await one.key('Control+s')
  await one.page.getByText('together with what somebody else has changed').waitFor()
  for (let times = 0; times < 2; times++) {
    await other.keyboard.press('Control+s')
    await other.getByText('Somebody has changed the same part of this page since you opened it').waitFor()
    await other.getByRole('link', { name: 'Open the page as it is now, in a new tab' }).waitFor()
    await visual.getByText('Hot. By one. Mine.').waitFor()
  }
  assert.equal(await both(), '# Tea\n\nHot. By one. More.\n\nCold. By the other.\n')
})
