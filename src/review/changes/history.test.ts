// The history of the main content of a space is read and undone with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** A page that was written, changed in a change request that was merged, and changed again. */
async function aStory() {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit(newPage('Tea & co')))
  const rewrite = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } })
  expect(await space.edit(rewrite('# Tea & co\n\nGreen.\n\nIn cups.\n')), 200)
  const request = await space.changeRequest()
  expect(await space.who.patch(request.path, { subject: 'Black & white' }), 200)
  expect(await request.edit(rewrite('# Tea & co\n\nBlack.\n\nIn cups.\n')), 200)
  expect(await space.who.post(`${request.path}/merge`), 200)
  expect(await space.edit(rewrite('# Tea & co\n\nBlack.\n\nIn pots.\n')), 200)
  const path = `/app/o/${space.org.id}/s/${space.id}`
  const listed = expect(await space.who.get(`${space.path}/revisions`), 200).items as { id: string }[]
  const textNow = async () =>
    expect(await space.who.get(`${space.path}/content/page/${page}?format=markdown`), 200).markdown as string
  return { space, page, request, path, history: `${path}/~/history`, merged: listed[1]!.id, listed, textNow }
}

const titlesIn = ({ text }: { text: string }) =>
  [...text.matchAll(/\/~\/history\/[\w-]{36}"\s*><strong>([^<]+)/g)].map(([, title]) => title)

test('the history of a space shows who changed what, line by line, newest first', async () => {
  const { space, path, history, merged } = await aStory()
  const reader = await signedIn(app, await space.org.member('read'))
  assert.ok((await reader.get(path)).text.includes(`href="${history}"`))
  const list = await reader.get(history)
  assert.deepEqual(titlesIn(list).slice(0, 2), ['Edited in the main content', 'Black &amp; white'])
  assert.equal(titlesIn(list).at(-1), 'Created')
  assert.ok(list.text.includes(`by ${space.org.admin.user.display_name}, `))
  assert.match(list.text, /· 1 page</)

  const { text } = await reader.get(`${history}/${merged}`)
  assert.match(text, /<h1>Black &amp; white<\/h1>/)
  assert.ok(text.includes(`href="${path}/~/changes/1"`))
  assert.match(text, /Edited page<\/span>\s*<strong>Tea &amp; co</)
  assert.match(text, /class="removed">[^]*?<code>Green\.<[^]*class="added">[^]*?<code>Black\.</)
  assert.doesNotMatch(text, /pots/)
})

test('reverting a merge creates one change request even on a double click, and keeps what came after it', async () => {
  const { space, path, history, merged, textNow } = await aStory()
  const writer = await signedIn(app, await space.org.member('edit'))
  const page = await writer.get(`${history}/${merged}`)
  const [undone, again] = await Promise.all([0, 1].map(() => writer.submit(page, `${history}/${merged}/revert`)))
  assert.deepEqual([undone!.location, again!.location], [`${path}/~/changes/2`, `${path}/~/changes/2`])
  assert.match((await writer.follow(undone!)).text, /<h1>Revert “Black &amp; white”<\/h1>/)
  expect(await space.who.post(`${space.path}/change-requests/2/merge`), 200)
  assert.match(await textNow(), /Green\.\n\nIn pots\./)
})

test('reverting needs write access, the history needs read access, and the first revision cannot be reverted', async () => {
  const { space, request, history, merged, listed } = await aStory()
  const other = await aStory()
  const people = [await space.org.member('read'), await space.org.member('edit'), await aStranger(app)]
  const [reader, writer, stranger] = await Promise.all(people.map((each) => signedIn(app, each)))
  const nothing = (await new Person(app).get('/app/x')).text
  const revert = async (person: Person, id: string) => {
    const { form } = tokenIn(await person.get('/account'))
    return person.post(`${history}/${id}/revert`, { form })
  }
  const { revision } = expect(await space.who.get(request.path), 200)
  const before = await stateOf(app.db)

  assert.doesNotMatch((await reader!.get(`${history}/${merged}`)).text, /revert/)
  assert.equal((await revert(reader!, merged)).status, 403)
  const first = listed.at(-1)!.id
  assert.doesNotMatch((await writer!.get(`${history}/${first}`)).text, /revert/)
  const beginning = await revert(writer!, first)
  assert.deepEqual([beginning.status, /role="alert">This is the first/.test(beginning.text)], [409, true])
  for (const id of [revision, other.merged]) {
    assert.equal((await writer!.get(`${history}/${id}`)).text, nothing)
    assert.equal((await revert(writer!, id)).text, nothing)
  }
  for (const path of [history, `${history}/${merged}`]) assert.equal((await stranger!.get(path)).text, nothing)
  assert.equal((await revert(stranger!, merged)).text, nothing)
  assert.deepEqual(await stateOf(app.db), before)
})
