// The official client calls the operations about comments: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { OfficialClients } from './official-client.ts'

const app = await startApp()
const clients = new OfficialClients(app)

const ids = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id)

async function aSpaceWithTwo() {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit(newPage('Guide'))) as [string]
  const { document } = (await space.who.get(`${space.path}/content/page/${page}?format=document`)).body
  const other = await space.org.member('comment')
  const { spaces } = clients.of(space.who.token)
  return { space, page, node: document.nodes[0].key as string, spaces, other }
}

test('the official client writes, reads, lists, resolves and deletes comments and replies of a space', async () => {
  const { space, page, node, spaces, other } = await aSpaceWithTwo()
  const theirs = clients.of(other.client.token).spaces
  const { data: comment } = await theirs.postCommentInSpace(space.id, { page, node, body: { markdown: 'Say *why*' } })
  const { data: empty } = await theirs.postCommentInSpace(space.id, { body: {} })
  assert.deepEqual((await theirs.getCommentInSpace(space.id, comment.id)).data, comment)
  const { data: asDocument } = await spaces.getCommentInSpace(space.id, comment.id, { format: 'document' })
  assert.ok('document' in asDocument.body)

  const { data: resolved } = await spaces.updateCommentInSpace(space.id, comment.id, {
    resolved: true,
    addedReactions: ['1f44d'],
  })
  assert.equal(resolved.status, 'resolved')
  const { data: reply } = await spaces.postCommentReplyInSpace(space.id, comment.id, { body: { markdown: 'So' } })
  assert.deepEqual((await spaces.getCommentReplyInSpace(space.id, comment.id, reply.id)).data, reply)
  await spaces.updateCommentReplyInSpace(space.id, comment.id, reply.id, {
    body: asDocument.body,
    addedReactions: ['👍'],
  })
  for (const format of ['markdown', 'document'] as const) {
    assert.deepEqual(ids((await spaces.listCommentRepliesInSpace(space.id, comment.id, { format })).data), [reply.id])
    const { data: list } = await spaces.listCommentsInSpace(space.id, {
      format,
      order: 'asc',
      authors: [other.id, space.org.admin.id],
    })
    assert.deepEqual(ids(list), [comment.id, empty.id])
  }
  const { data: filtered } = await spaces.listCommentsInSpace(space.id, { status: 'resolved', targetPage: page })
  assert.deepEqual(ids(filtered), [comment.id])
  assert.equal((await spaces.listCommentersInSpace(space.id, { limit: 10 })).data.count, 2)
  await spaces.deleteCommentReplyInSpace(space.id, comment.id, reply.id)
  await spaces.deleteCommentInSpace(space.id, comment.id)
  assert.equal((await spaces.getSpaceById(space.id)).data.comments, 1)
})

test('the official client writes, reads, lists, resolves and deletes comments and replies of a change request', async () => {
  const { space, page, node, spaces, other } = await aSpaceWithTwo()
  const at = [space.id, (await space.changeRequest()).id] as const
  const theirs = clients.of(other.client.token).spaces
  const { data: comment } = await theirs.postCommentInChangeRequest(...at, { page, node, body: { markdown: 'Why?' } })
  assert.deepEqual((await theirs.getCommentInChangeRequest(...at, comment.id)).data, comment)
  await spaces.updateCommentInChangeRequest(...at, comment.id, { resolved: true, addedReactions: ['👍'] })
  const body = { markdown: 'Because' }
  const { data: reply } = await spaces.postCommentReplyInChangeRequest(
    ...at,
    comment.id,
    { body },
    { format: 'document' },
  )
  await spaces.updateCommentReplyInChangeRequest(...at, comment.id, reply.id, { addedReactions: ['👍'] })
  await spaces.getCommentReplyInChangeRequest(...at, comment.id, reply.id)
  assert.deepEqual(ids((await spaces.listCommentRepliesInChangeRequest(...at, comment.id)).data), [reply.id])
  const { data: list } = await spaces.listCommentsInChangeRequest(...at, { status: 'resolved', targetPage: page })
  assert.deepEqual(ids(list), [comment.id])
  assert.equal((await spaces.listCommentersInChangeRequest(...at)).data.count, 2)
  await spaces.deleteCommentReplyInChangeRequest(...at, comment.id, reply.id)
  await spaces.deleteCommentInChangeRequest(...at, comment.id)
  assert.equal((await spaces.getChangeRequestById(...at)).data.comments, 0)
})

test('every comment operation shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(['space-comments', 'change-request-comments'])
  assert.equal(both.length, 22)
  assert.deepEqual(missed, [])
})
