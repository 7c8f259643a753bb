// Text that somebody has written is not lost, and saving is always within reach, in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf } from '../editing.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { openEditor, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const long = `# Tea\n\n${'Hot water, and leaves in it. '.repeat(20).trim()}\n\n`.concat(
  'Some words.\n\n'.repeat(120),
  'End\n',
)

test('the save button and its result stay in view on a long page, and cover nothing that is typed', async () => {
  const { page, visual, key, type } = await openVisual(app, browser, long)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  for (const viewport of [
    { width: 390, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    await page.evaluate('scrollTo(0, 600)')
    const isInView = async () => {
      const box = await save.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height <= viewport.height
    }
    assert.ok(await isInView(), `at ${viewport.width}`)
    await save.click({ trial: true })
    // Moves the cursor down with the arrow keys, line by line.
    await visual.getByText('Some words.').nth(3).click()
    for (let lines = 0; lines < 40; lines++) await key('ArrowDown')
    await type('x')
    assert.ok(await isInView(), `at ${viewport.width}`)
    const [line, top] = [
      await page.evaluate<number>(`getSelection().getRangeAt(0).getBoundingClientRect().bottom`),
      (await save.boundingBox())!.y,
    ]
    assert.ok(line <= top, `at ${viewport.width}: ${line} is below ${top}`)
    await key('Control+s')
    const said = page.getByText('Saved in the change request.')
    await said.waitFor()
    const box = (await said.boundingBox())!
    assert.ok(box.y > 0 && box.y + box.height <= top, `at ${viewport.width}`)
  }
})

for (const [way, open] of [
  ['as it is seen', openVisual],
  ['as Markdown', openEditor],
] as const)
  test(`a writer who is signed out while they write ${way} keeps their text, and can save it after signing in elsewhere`, async () => {
    const { space, request, id, page } = await open(app, browser, '# Tea\n\nHot\n')
    const context = page.context()
    const isVisual = way === 'as it is seen'
    const field = isVisual ? page.locator('.writing-visual') : page.getByLabel('The page as Markdown')
    if (isVisual) await field.getByText('Hot').click()
    else await field.press('Control+End')
    await page.keyboard.type(isVisual ? ' water' : 'water')
    await context.clearCookies()
    for (const save of [
      () => page.keyboard.press('Control+s'),
      () => page.getByText('Save', { exact: true }).click(),
    ]) {
      await page.evaluate('said.replaceChildren()')
      await save()
      await page.getByText('Your text is still here: sign in in a new tab').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Sign in' }).getAttribute('target'), '_blank')
    }

    const { secret } = await aSession(app, space.org.admin)
    await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
    await page.keyboard.press('Control+s')
    await page.getByText('Saved in the change request.').waitFor()
    const { markdown } = (await space.who.get(`${request.path}/content/page/${id}?format=markdown`)).body
    assert.match(markdown, /Hot\s*water/)
  })

test('leaving unsaved text asks for confirmation, and saving it does not', async () => {
  const { page, field } = await openEditor(app, browser, '# Tea\n')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const leave = async () => {
    await page.getByRole('link', { name: 'Back without saving' }).click()
    await page.getByRole('heading', { name: 'A change' }).waitFor()
    // Only the script of a page asks.
    await page.waitForLoadState()
  }
  const write = async () => {
    await page.getByRole('link', { name: 'Edit Tea' }).first().click()
    await page.waitForLoadState()
    await field.pressSequentially('x')
  }
  await leave()
  assert.deepEqual(asked, [])
  await write()
  await leave()
  assert.deepEqual(asked, ['beforeunload'])
  await write()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved in this change request.').waitFor()
  assert.deepEqual(asked, ['beforeunload'])

  // A form submits only its own fields, so leaving with a comment half written in another form asks for confirmation.
  await page.waitForLoadState()
  await page.getByLabel('Comment (Markdown)', { exact: true }).pressSequentially('Half a word')
  await page.getByRole('button', { name: 'Mark as ready for review' }).click()
  await page.getByText('Ready for review.').waitFor()
  assert.deepEqual(asked, ['beforeunload', 'beforeunload'])
})

test('a missing answer of the server is reported until it answers', async () => {
  const { page, behind, type, becomes } = await openVisual(app, browser, '# Tea\n\nHot\n')
  await behind('Hot')
  await page.context().setOffline(true)
  await type(' water')
  const note = page.getByText('The server did not answer.')
  await note.waitFor()
  await page.context().setOffline(false)
  await type('!')
  await becomes('# Tea\n\nHot water!\n')
  await untilTrue(page, `!document.querySelector('.writing-said').textContent`)
})

test('a conflict must be resolved in Markdown before the visual editor opens', async () => {
  const space = await aLiveSpace(app)
  const [id] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown: '# Tea\n\nHot\n' } }))
  const request = await space.changeRequest()
  const become = (markdown: string) => ({ operation: 'update_page', page: id, document: { markdown } })
  await request.edit(become('# Tea\n\nMine\n'))
  await space.edit(become('# Tea\n\nTheirs\n'))
  assert.equal((await space.who.post(`${request.path}/update`)).status, 200)
  const { secret } = await aSession(app, space.org.admin)
  const context = await browser.newContext({ baseURL: app.url })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  await page.goto(`/app/o/${space.org.id}/s/${space.id}/~/changes/1/pages/${id}`)
  const field = page.getByLabel('The page as Markdown')
  const visual = page.getByRole('button', { name: 'Visual', exact: true })
  const torn = await field.inputValue()
  assert.match(torn, /<{7} change request[^]*Mine[^]*Theirs/)
  await visual.click()
  await page.getByText('contains both sides of a conflict').waitFor()
  assert.equal(await field.inputValue(), torn)
  await field.fill('# Tea\n\nBoth\n')
  await visual.click()
  await page.locator('.writing-visual').getByText('Both').waitFor()
})
