import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newReference } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { putSpec } from '../openapi/testing/specs.ts'

const app = await startApp()

const pageOf = (title: string, text: string) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${text}\n` },
})
const rewritten = (page: string, text: string) => ({ operation: 'update_page', page, document: { markdown: text } })

/** Two paragraphs on a page, and the keys of their blocks. */
async function aPageWithBlocks() {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit(pageOf('Guide', 'The first one.\n\nThe second one.'))) as [string]
  return { space, page, keys: await keysOf(space, space.path, page) }
}

async function keysOf(space: EditedSpace, place: string, page: string): Promise<string[]> {
  const { document } = (await space.who.get(`${place}/content/page/${page}?format=document`)).body
  return document.nodes.map(({ key }: { key: string }) => key)
}

const post = async (space: EditedSpace, place: string, target: object) =>
  (await space.who.post(`${place}/comments`, { body: { markdown: 'Here' }, ...target })).body

const targetOf = async (space: EditedSpace, place: string, { id }: { id: string }) =>
  (await space.who.get(`${place}/comments/${id}`)).body.target

test("a comment on a block keeps the block's text, finds it after other edits, and is outdated while the block is gone", async () => {
  const { space, page, keys } = await aPageWithBlocks()
  const made = await post(space, space.path, { page, node: keys[1] })
  assert.deepEqual(made.target.node, { id: keys[1], preview: 'The second one.' })
  assert.equal(made.target.page.outdated, false)
  const { revision } = made.target

  await space.edit(rewritten(page, 'The first one, changed.\n\nAnother.\n\nThe second one.'))
  assert.deepEqual((await targetOf(space, space.path, made)).page.outdated, false)
  await space.edit(rewritten(page, 'The first one.\n\nThe second.'))
  const now = await targetOf(space, space.path, made)
  assert.deepEqual([now.page.outdated, now.page.title, now.node.preview], [true, 'Guide', 'The second one.'])
  assert.equal(now.revision, revision)
  const { document } = (await space.who.get(`${space.path}/revisions/${revision}/page/${page}?format=document`)).body
  assert.equal(document.nodes[1].key, keys[1], 'there it can be found')
  const { items } = (await space.who.get(`${space.path}/comments?targetPage=${page}`)).body
  assert.deepEqual(items[0].target, now)

  await space.edit(rewritten(page, 'The first one.\n\nThe second one.'))
  assert.equal((await targetOf(space, space.path, made)).page.outdated, false)
})

test('pages made from a specification can be commented on like other pages', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const read = (document: object) => putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(document) })
  await read(petstore)
  const [placeholder] = idsOf(await space.edit(newReference('Reference', { models: false }))) as [string]
  const { pages } = (await space.who.get(`${space.path}/content/pages`)).body
  const page: string = pages.find(({ title }: { title: string }) => title === 'Pets').id
  const [key] = await keysOf(space, space.path, page)

  const onPage = await post(space, space.path, { page })
  assert.deepEqual([onPage.target.page.id, onPage.target.page.path], [page, 'pets'])
  const onBlock = await post(space, space.path, { page, node: key })
  assert.deepEqual(onBlock.target.node, { id: key, preview: 'All about pets.' })
  await post(space, space.path, { page: placeholder })
  const outdated = async () =>
    (await space.who.get(`${space.path}/comments?order=asc`)).body.items.map(({ target }: any) => target.page.outdated)
  assert.deepEqual(await outdated(), [false, false, false])

  await read({ ...petstore, tags: petstore.tags.map((tag) => ({ ...tag, description: 'Changed.' })) })
  assert.deepEqual(await outdated(), [false, true, false])
  await read({ ...petstore, paths: {}, tags: [] })
  assert.deepEqual(await outdated(), [true, true, false])
  const gone = await space.who.post(`${space.path}/comments`, { page, body: { markdown: 'Late' } })
  assert.equal(gone.status, 400)
})

test('a comment follows its page through renames and moves, and shows the original title and path once it is deleted', async () => {
  const { space, page } = await aPageWithBlocks()
  const [other] = idsOf(await space.edit(pageOf('Part', 'x'))) as [string]
  const made = await post(space, space.path, { page })
  assert.deepEqual([made.target.page.path, made.target.node], ['guide', undefined])

  await space.edit({ operation: 'update_page', page, into: other, metadata: { title: 'Handbook' } })
  const { page: moved } = await targetOf(space, space.path, made)
  assert.deepEqual([moved.title, moved.path.split('/')[0], moved.outdated], ['Handbook', 'part', false])

  await space.edit({ operation: 'delete_page', page })
  const { page: gone } = await targetOf(space, space.path, made)
  assert.deepEqual([gone.id, gone.title, gone.path, gone.outdated], [page, 'Guide', 'guide', true])
  const refused = await space.who.post(`${space.path}/comments`, { body: { markdown: 'x' }, page })
  assert.equal(refused.body.error.details[0].path, 'body.page')
})

test('a comment in a change request refers to the pages of its branch, before and after the merge', async () => {
  const { space, page } = await aPageWithBlocks()
  const change = await space.changeRequest()
  const [added] = idsOf(await change.edit(pageOf('New', 'Only here.'))) as [string]
  const [key] = await keysOf(space, change.path, added)
  const made = await post(space, change.path, { page: added, node: key })
  assert.deepEqual(
    [made.target.changeRequest, made.target.page.title, made.target.node.preview],
    [change.id, 'New', 'Only here.'],
  )
  const elsewhere = await space.who.post(`${space.path}/comments`, { body: { markdown: 'x' }, page: added })
  assert.equal(elsewhere.body.error.details[0].path, 'body.page')
  await change.edit({ operation: 'delete_page', page })
  assert.equal((await post(space, space.path, { page })).target.page.outdated, false)

  await change.edit(rewritten(added, 'Something else.'))
  assert.equal((await targetOf(space, change.path, made)).page.outdated, true)
  await change.edit(rewritten(added, 'Only here.'))
  assert.equal((await space.who.post(`${change.path}/merge`)).body.result, 'merge')
  assert.equal((await targetOf(space, change.path, made)).page.outdated, false)
  assert.equal((await space.who.get(change.path)).body.comments, 1)
  assert.equal((await space.who.put(`${change.path}/comments/${made.id}`, { resolved: true })).status, 200)
})

test('the preview of a long block is cut to 200 characters, and a block without text has none', async () => {
  const { space, page } = await aPageWithBlocks()
  await space.edit(rewritten(page, `${'🦉 '.repeat(300)}\n\n---\n`))
  const [long, rule] = await keysOf(space, space.path, page)
  const { preview } = (await post(space, space.path, { page, node: long })).target.node
  assert.deepEqual([Array.from(preview).length, preview.endsWith('…'), preview.isWellFormed()], [200, true, true])
  assert.deepEqual((await post(space, space.path, { page, node: rule })).target.node, { id: rule })
})

test('the text of a review is a comment of the change request like any other', async () => {
  const { space } = await aPageWithBlocks()
  const change = await space.changeRequest()
  const reviewer = await space.org.member('review')
  const { body: review } = await reviewer.client.post(`${change.path}/reviews`, {
    status: 'approved',
    comment: { markdown: 'Well *done*' },
  })
  const path = `${change.path}/comments/${review.comment.id}`
  assert.deepEqual((await reviewer.client.get(path)).body, review.comment)
  assert.equal(review.comment.target.review, review.id)
  assert.deepEqual(review.comment.permissions, { view: true, edit: true, reply: true, delete: true })
  assert.equal((await space.who.get(`${change.path}/comments`)).body.count, 1)

  await space.who.post(`${path}/replies`, { body: { markdown: 'Thanks' } })
  await space.who.put(path, { resolved: true })
  const seen = async () => (await reviewer.client.get(`${change.path}/reviews/${review.id}`)).body
  assert.deepEqual([(await seen()).comment.replies, (await seen()).comment.status], [1, 'resolved'])
  await reviewer.client.delete(path)
  assert.equal((await seen()).comment, undefined)
})
