// What a change request does to a page is undone with nothing but a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { idsOf, newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** Creates Tea (with Green below it), Cups, and a change request that changes all of them and has a page of its own. */
async function aScene() {
  const site = await aSite(app, {
    pages: [newPage('Tea', { ref: 'tea' }), newPage('Green', { into: 'tea' }), newPage('Cups')],
  })
  const { pages } = expect(await site.who.get(`${site.space.path}/content`), 200)
  const byTitle = (title: string) => pages.find((page: { title: string }) => page.title === title)
  const [tea, cups] = [byTitle('Tea'), byTitle('Cups')]
  const request = await site.space.changeRequest()
  const [fresh] = idsOf(await request.edit(newPage('New', { at: 0 })))
  expect(
    await request.edit(
      { operation: 'delete_page', page: tea.id },
      {
        operation: 'update_page',
        page: cups.id,
        into: fresh,
        document: { markdown: '# Mugs\n\nOther <b>words</b>.\n' },
      },
    ),
    200,
  )
  const path = `/app/o/${site.org.id}/s/${site.space.id}/~/changes/1`
  const author = await signedIn(app, await site.org.member('edit'))
  const outline = async () => (await request.outline()).replace('Welcome ', '')
  const undoing = (id: string) => `${path}/~/pages/${id}/undo`
  return {
    site,
    request,
    path,
    author,
    outline,
    undoing,
    tea: tea.id,
    green: tea.pages[0].id,
    cups: cups.id,
    fresh: fresh!,
  }
}

test('undoing restores a deleted page with those below it, and an edited and moved page, and leaves the rest', async () => {
  const { site, author, path, outline, undoing, tea, cups, request } = await aScene()
  assert.equal(await outline(), 'New (Mugs)')
  const whole = await author.get(path)
  assert.match(whole.text, new RegExp(`href="${undoing(tea)}" aria-label="Restore Tea"`))
  assert.match(whole.text, new RegExp(`href="${undoing(cups)}" aria-label="Undo Mugs"`))

  const asked = await author.get(undoing(tea))
  assert.match(asked.text, /Restore “Tea”\?/)
  const back = await author.submit(asked, undoing(tea))
  assert.equal(back.location, `${path}?done=brought-back`)
  assert.equal(await outline(), 'New (Mugs) Tea (Green)')

  const changed = await author.get(undoing(cups))
  assert.match(changed.text, /Undo the changes to “Mugs”\?[^]*Other &lt;b&gt;words/)
  const undone = await author.follow(await author.submit(changed, undoing(cups)))
  assert.match(undone.text, /Changes undone\./)
  assert.equal(await outline(), 'New Tea (Green) Cups')
  assert.equal((await request.page(cups)).markdown, '# Cups\n\nText of Cups\n')

  // A second click changes nothing, and still reports that it is done.
  const head = async () => expect(await site.who.get(request.path), 200).revision
  const before = await head()
  assert.equal((await author.submit(changed, undoing(cups))).status, 303)
  assert.equal(await head(), before)
  assert.match((await author.get(undoing(cups))).text, /does not change it/)
})

test('undoing a move out of a deleted page says that the page stays, and both can be restored', async () => {
  const { author, path, outline, undoing, tea, green, cups, request } = await aScene()
  await author.submit(await author.get(undoing(tea)), undoing(tea))
  await request.edit({ operation: 'update_page', page: green, into: cups }, { operation: 'delete_page', page: tea })
  assert.equal(await outline(), 'New (Mugs (Green))')

  const asked = await author.get(undoing(green))
  assert.match(asked.text, /It stays where it is/)
  const stays = await author.submit(asked, undoing(green))
  assert.equal(stays.location, `${path}?done=undone-there`)
  assert.match((await author.follow(stays)).text, /Changes undone\. The page stays where it is\./)
  assert.equal(await outline(), 'New (Mugs (Green))')

  await author.submit(await author.get(undoing(tea)), undoing(tea))
  const again = await author.get(undoing(green))
  assert.doesNotMatch(again.text, /It stays where it is/)
  assert.equal((await author.submit(again, undoing(green))).location, `${path}?done=undone`)
  assert.equal(await outline(), 'New (Mugs) Tea (Green)')
})

test('an undo is refused if the page changed since the question, if it is new, or if the user may not write', async () => {
  const { site, author, path, outline, undoing, cups, fresh, request } = await aScene()
  const asked = await author.get(undoing(cups))
  await request.edit({ operation: 'update_page', page: cups, document: { markdown: '# Bowls\n' } })
  const late = await author.submit(asked, undoing(cups))
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">Somebody has changed it since you opened this page/)
  assert.equal(await outline(), 'New (Bowls)')

  for (const id of [fresh, 'x', request.id]) assert.equal((await author.get(undoing(id))).status, 404)
  const reader = await signedIn(app, await site.org.member('comment'))
  assert.ok(!(await reader.get(path)).text.includes('/undo"'))
  assert.equal((await reader.get(undoing(cups))).status, 403)
  const stranger = await signedIn(app, (await aSite(app)).org.admin)
  assert.equal((await stranger.get(undoing(cups))).status, 404)
  assert.equal(await outline(), 'New (Bowls)')
})
