// A double click posts, adds or saves something once, and the user is told that it is done.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'
import type { Page } from '../account/testing/person.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'

// No mail can be delivered, so that the mails to send can be counted.
const app = await startApp({ LECTERN_SMTP_URL: 'smtp://127.0.0.1:1', LECTERN_MAIL_FROM: 'a@example.com' })

async function anAuthor() {
  const site = await aSite(app, { pages: [newPage('Tea')] })
  const author = await signedIn(app, await site.org.member('review'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  const path = `${space}/~/changes/1`
  /** Sends it twice at the same time, and once more when that is done. */
  const thrice = async (page: Page, action: string, fields: Record<string, string>) => {
    const send = () => author.submit(page, action, fields)
    const answers = [...(await Promise.all([send(), send()])), await send()]
    for (const { status, text } of answers) assert.equal(status, 303, text)
    return new Set(answers.map(({ location }) => location))
  }
  return { site, author, space, path, thrice, api: `${site.space.path}/change-requests/1` }
}

test('a double click creates a change request, page, comment, review or reply only once', async () => {
  const { site, author, space, path, thrice, api } = await anAuthor()
  const count = async (what: string) => expect(await site.who.get(`${api}/${what}`), 200).count as number
  assert.deepEqual(await thrice(await author.get(space), `${space}/~/changes`, { subject: 'Cups' }), new Set([path]))
  assert.equal(expect(await site.who.get(`${site.space.path}/change-requests?status=draft`), 200).count, 1)

  const adding = await author.get(`${path}/pages/new`)
  assert.equal((await thrice(adding, `${path}/pages`, { title: 'Cups' })).size, 1)
  await thrice(adding, `${path}/pages`, { title: 'Mugs' })
  const { pages } = expect(await site.who.get(`${api}/content/pages`), 200)
  assert.deepEqual(
    pages.map(({ title }: { title: string }) => title),
    ['Tea', 'Cups', 'Mugs'],
  )

  const review = await author.get(path)
  await thrice(review, `${path}/review`, { status: 'said', comment: 'Nice' })
  await thrice(review, `${path}/review`, { status: 'said', comment: 'Very nice' })
  await thrice(review, `${path}/review`, { status: 'approved', comment: 'Good' })
  assert.deepEqual([await count('comments'), await count('reviews')], [3, 1])

  // Two forms on one page, with the same text.
  const { items } = expect(await site.who.get(`${api}/comments`), 200)
  const said = await author.get(path)
  for (const { id } of items.slice(0, 2)) await thrice(said, `${path}/comments/${id}/reply`, { text: 'Thanks' })
  for (const { id } of items.slice(0, 2)) assert.equal(await count(`comments/${id}/replies`), 1)
})

test('submitting a page that is still open begins a new change request, instead of leading to a merged one', async (t) => {
  const { site, author, space, path } = await anAuthor()
  const [{ id }] = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  const page = await author.get(space)
  const edit = async () => (await author.submit(page, `${space}/~/edits`, { page: id, change: '' })).location
  assert.equal(await edit(), `${path}/pages/${id}`)
  expect(await site.who.post(`${site.space.path}/change-requests/1/merge`), 200)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.mock.timers.tick(61_000)
  assert.equal(await edit(), `${space}/~/changes/2/pages/${id}`)
})

test('saving a text or subject twice counts as saved, not as a change by someone else', async () => {
  const { site, author, space, path, thrice, api } = await anAuthor()
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Cups' })
  const [{ id }] = expect(await site.who.get(`${api}/content/pages`), 200).pages
  const editing = await author.get(`${path}/pages/${id}`)
  const done = await thrice(editing, `${path}/pages/${id}`, { text: '# Tea\r\n\r\nWarm it.\r\n' })
  assert.deepEqual(done, new Set([`${path}?done=saved`]))
  const telling = await author.get(path)
  const told = await thrice(telling, `${path}/about`, { subject: 'Mugs', description: 'Of\r\nclay' })
  assert.deepEqual(told, new Set([`${path}?done=told`]))
})

test('requesting a review twice makes one request and one mail, and another after it was withdrawn', async () => {
  const { site, author, space, path, thrice, api } = await anAuthor()
  const reviewer = await site.org.member('review')
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Cups' })
  const mails = async () =>
    (await app.db.all(sql`select from mails where kind = 'review-request' and user_id = ${reviewer.id}`)).length
  const asked = async () => expect(await site.who.get(`${api}/requested-reviewers`), 200).count as number
  for (const times of [1, 2]) {
    await thrice(await author.get(path), `${path}/reviewers`, { user: reviewer.id })
    assert.deepEqual([await mails(), await asked()], [times, 1])
    const done = await thrice(await author.get(path), `${path}/reviewers/${reviewer.id}/remove`, {})
    assert.deepEqual([done, await asked()], [new Set([`${path}?done=not-asked`]), 0])
  }
})

test('a double click on deleting a comment or reply, or on merging, reports success', async () => {
  const { site, author, space, path, thrice, api } = await anAuthor()
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Cups' })
  await author.submit(await author.get(`${path}/pages/new`), `${path}/pages`, { title: 'Cups' })
  const comment = expect(await site.who.post(`${api}/comments`, { body: { markdown: 'Hm' } }), 200).id
  const words = { body: { markdown: 'Yes' } }
  const reply = expect(await site.who.post(`${api}/comments/${comment}/replies`, words), 200).id
  const done = new Set([`${path}?done=deleted#said-${comment}`])
  const replies = `${path}/comments/${comment}/replies`
  assert.deepEqual(await thrice(await author.get(path), `${replies}/${reply}/delete`, {}), done)
  assert.deepEqual(await thrice(await author.get(path), `${path}/comments/${comment}/delete`, {}), done)
  assert.deepEqual(await thrice(await author.get(path), `${path}/merge`, {}), new Set([`${path}?done=merged`]))
  assert.equal(expect(await site.who.get(api), 200).status, 'merged')
})

test('a double click on deleting a page or reusable content reports success, even if it existed only there', async () => {
  const { site, author, space, path, thrice, api } = await anAuthor()
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Cups' })
  await author.submit(await author.get(`${path}/pages/new`), `${path}/pages`, { title: 'Cups' })
  const { pages } = expect(await site.who.get(`${api}/content/pages`), 200)
  for (const { id } of pages) {
    const at = `${path}/pages/${id}/delete`
    assert.deepEqual(await thrice(await author.get(at), at, {}), new Set([`${path}?done=deleted&pages=open#pages`]))
  }
  const contents = `${path}/~/reusable-contents`
  await author.submit(await author.get(contents), contents, { title: 'Piece' })
  const [, id] = /reusable-contents\/([\w-]{36})/.exec((await author.get(contents)).text)!
  const at = `${contents}/${id}/delete`
  assert.deepEqual(await thrice(await author.get(at), at, {}), new Set([`${contents}?done=deleted`]))
  const never = await author.submit(await author.get(path), `${path}/merge`, {}, {}, `${path}/pages/${newId()}/delete`)
  assert.equal(never.status, 404)
})

test('merging too late says that the change request is already merged', async () => {
  const { site, author, space, path, api } = await anAuthor()
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Cups' })
  const page = await author.get(path)
  expect(await site.who.post(`${api}/merge`), 200)
  const late = await author.submit(page, `${path}/merge`)
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">This change request is already merged\./)
})
