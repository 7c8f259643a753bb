// The history of one page is read, and the page restored, with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** Two pages that were changed alternately, the first of them also in a change request that was merged. */
async function aStory() {
  const space = await aLiveSpace(app)
  const [tea, milk] = idsOf(await space.edit(newPage('Tea & co'), newPage('Milk')))
  const rewrite = (page: string | undefined, markdown: string) => ({
    operation: 'update_page',
    page,
    document: { markdown },
  })
  const textOf = (what: string) => `# Tea & co\n\n${what}\n`
  expect(await space.edit(rewrite(tea, textOf('Green.'))), 200)
  expect(await space.edit(rewrite(milk, '# Milk\n\nCold.\n')), 200)
  const request = await space.changeRequest()
  expect(await space.who.patch(request.path, { subject: 'Black & white' }), 200)
  expect(await request.edit(rewrite(tea, textOf('Black.'))), 200)
  expect(await space.who.post(`${request.path}/merge`), 200)
  expect(await space.edit(rewrite(milk, '# Milk\n\nWarm.\n')), 200)
  const path = `/app/o/${space.org.id}/s/${space.id}`
  const markdown = async (page = tea) =>
    expect(await space.who.get(`${space.path}/content/page/${page}?format=markdown`), 200).markdown as string
  return { space, tea: tea!, milk: milk!, path, history: `${path}/~/pages/${tea}/history`, markdown }
}

const versionsIn = ({ text }: { text: string }) =>
  [...text.matchAll(/\/history\/([\w-]{36})"\s*><strong>([^<]+)/g)].map(([, id, title]) => ({ id: id!, title: title! }))

test('the history of a page shows its changes newest first, and none of other pages', async () => {
  const { space, tea, path, history } = await aStory()
  const reader = await signedIn(app, await space.org.member('read'))
  assert.ok((await reader.get(`${path}/tea-co`)).text.includes(`href="${history}"`))
  const list = await reader.get(history)
  assert.match(list.text, /<h1>History of “Tea &amp; co”<\/h1>/)
  assert.ok(list.text.includes(`href="${path}/tea-co"`))
  const versions = versionsIn(list)
  assert.deepEqual(
    versions.map(({ title }) => title),
    ['Black &amp; white', 'Edited in the main content', 'Edited in the main content'],
  )

  const { text } = await reader.get(`${history}/${versions[0]!.id}`)
  assert.match(text, /class="removed">[^]*?<code>Green\.<[^]*class="added">[^]*?<code>Black\.</)
  assert.ok(text.includes(`href="${path}/~/changes/1"`))
  assert.ok(text.includes(`href="${path}/~/history/${versions[0]!.id}"`))
  const first = await reader.get(`${history}/${versions[2]!.id}`)
  assert.match(first.text, /New page<\/span>\s*<strong>Tea &amp; co</)
  assert.doesNotMatch(first.text, /Milk/)
  // The history of the space links there, too.
  assert.ok((await reader.get(`${path}/~/history/${versions[0]!.id}`)).text.includes(`/~/pages/${tea}/history"`))
})

test('restoring a version of a page creates one change request even on a double click, and changes nothing else', async () => {
  const { space, path, history, milk, markdown } = await aStory()
  const writer = await signedIn(app, await space.org.member('edit'))
  const green = versionsIn(await writer.get(history))[1]!.id
  const page = await writer.get(`${history}/${green}`)
  const [restored, again] = await Promise.all([0, 1].map(() => writer.submit(page, `${history}/${green}/restore`)))
  assert.deepEqual([restored!.location, again!.location], [`${path}/~/changes/2`, `${path}/~/changes/2`])
  assert.match((await writer.follow(restored!)).text, /<h1>Restore Tea &amp; co of \d{4}-\d\d-\d\d<\/h1>/)
  assert.match(await markdown(), /Black/)
  expect(await space.who.post(`${space.path}/change-requests/2/merge`), 200)
  assert.match(await markdown(), /Green/)
  assert.match(await markdown(milk), /Warm/)
  assert.equal(versionsIn(await writer.get(history)).length, 4)
})

test('a deleted page is found in the history and is restored with the pages below it', async () => {
  const { space, tea, path, history } = await aStory()
  const [cup] = idsOf(await space.edit({ ...newPage('Cup'), into: tea }))
  expect(await space.edit({ operation: 'delete_page', page: tea }), 200)
  const writer = await signedIn(app, await space.org.member('edit'))
  const [deleted] = versionsIn(await writer.get(history))
  const { text } = await writer.get(`${path}/~/history/${deleted!.id}`)
  assert.ok(text.includes(`/~/pages/${tea}/history"`))
  assert.equal(versionsIn(await writer.get(`${path}/~/pages/${cup}/history`)).length, 2)

  const deletion = await writer.get(`${history}/${deleted!.id}`)
  assert.match(deletion.text, /Restore the page as it was before/)
  const { location } = await writer.submit(deletion, `${history}/${deleted!.id}/restore`)
  assert.equal(location, `${path}/~/changes/2`)
  expect(await space.who.post(`${space.path}/change-requests/2/merge`), 200)
  for (const id of [tea, cup]) expect(await space.who.get(`${space.path}/content/page/${id}`), 200)
  assert.doesNotMatch((await writer.get(`${history}/${deleted!.id}`)).text, /restore/)
})

test('restoring requires write access, the history requires read access, and an empty restore makes no change request', async () => {
  const { space, path, history } = await aStory()
  const other = await aStory()
  const people = [await space.org.member('read'), await space.org.member('edit'), await aStranger(app)]
  const [reader, writer, stranger] = await Promise.all(people.map((each) => signedIn(app, each)))
  const nothing = (await new Person(app).get('/app/x')).text
  const [newest, green] = versionsIn(await reader!.get(history))
  const [foreign] = versionsIn(await (await signedIn(app, other.space.org.admin)).get(other.history))
  const restore = async (person: Person, at: string) => {
    const { form } = tokenIn(await person.get('/account'))
    return person.post(`${at}/restore`, { form })
  }
  const before = await stateOf(app.db)
  assert.doesNotMatch((await reader!.get(`${history}/${green!.id}`)).text, /restore/)
  assert.equal((await restore(reader!, `${history}/${green!.id}`)).status, 403)
  // The page is already in this state.
  assert.doesNotMatch((await writer!.get(`${history}/${newest!.id}`)).text, /restore/)
  const same = await restore(writer!, `${history}/${newest!.id}`)
  assert.deepEqual([same.status, /role="alert">There is nothing to restore/.test(same.text)], [409, true])
  // The page did not exist yet.
  const { items } = expect(await space.who.get(`${space.path}/revisions`), 200) as { items: { id: string }[] }
  const early = await restore(writer!, `${history}/${items.at(-1)!.id}`)
  assert.deepEqual([early.status, /role="alert">There is nothing to restore/.test(early.text)], [409, true])
  for (const at of [
    `${history}/${foreign!.id}`,
    `${path}/~/pages/${newId()}/history/${green!.id}`,
    `${path}/~/pages/${other.tea}/history/${green!.id}`,
  ]) {
    assert.equal((await writer!.get(at)).text, nothing)
    assert.equal((await restore(writer!, at)).text, nothing)
  }
  assert.equal((await writer!.get(`${path}/~/pages/${newId()}/history`)).text, nothing)
  for (const at of [history, `${history}/${green!.id}`]) assert.equal((await stranger!.get(at)).text, nothing)
  assert.equal((await restore(stranger!, `${history}/${green!.id}`)).text, nothing)
  assert.deepEqual(await stateOf(app.db), before)
})
