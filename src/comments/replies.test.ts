import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { type TestPerson, anOrganization } from '../../test/factories.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { newId } from '../ids.ts'

const app = await startApp()

/** A comment on a space and one in a change request, with members in several roles. */
async function twoComments() {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const change = await space.changeRequest()
  const [author, other, reviewer] = [
    await org.member('comment'),
    await org.member('comment'),
    await org.member('review'),
  ]
  const post = async (place: string) =>
    `${place}/comments/${(await author.client.post(`${place}/comments`, { body: { markdown: 'Hm' } })).body.id}`
  return { org, space, change, author, other, reviewer, comments: [await post(space.path), await post(change.path)] }
}

const reply = async (who: TestPerson, comment: string, markdown: string) =>
  who.client.post(`${comment}/replies`, { body: { markdown } })

test('replies are listed below their comment in the order they came, page by page', async () => {
  const { author, other, comments } = await twoComments()
  for (const comment of comments) {
    const made = []
    for (const text of ['One', 'Two', 'Three']) made.push((await reply(other, comment, text)).body)
    assert.deepEqual(
      [made[0].object, made[0].body, made[0].postedBy.id, made[0].reactions],
      ['comment-reply', { markdown: 'One' }, other.id, []],
    )
    assert.equal(made[0].urls.location, `http://lectern.test${comment}/replies/${made[0].id}`)
    assert.deepEqual((await other.client.get(`${comment}/replies/${made[0].id}`)).body, made[0])
    assert.equal((await author.client.get(comment)).body.replies, 3)

    const first = (await other.client.get(`${comment}/replies?limit=2`)).body
    assert.deepEqual([first.count, first.items], [3, made.slice(0, 2)])
    const second = (await other.client.get(`${comment}/replies?limit=2&page=${first.next.page}`)).body
    assert.deepEqual(second, { count: 3, items: made.slice(2) })
    const documents = (await other.client.get(`${comment}/replies?format=document`)).body
    assert.equal(documents.items[0].body.document.object, 'document')
  }
})

test('a reply is edited by its author, deleted by its author or a reviewer, and found only below its own comment', async () => {
  const { author, other, reviewer, comments } = await twoComments()
  for (const [i, comment] of comments.entries()) {
    const { body: made } = await reply(other, comment, 'Yes')
    const path = `${comment}/replies/${made.id}`
    const put = (who: TestPerson) => who.client.put(path, { body: { markdown: 'No' }, resolved: true })
    for (const who of [author, reviewer]) assert.equal((await put(who)).status, 403)
    const { body: edited } = await put(other)
    assert.deepEqual([edited.body.markdown, edited.editedAt >= made.postedAt, edited.status], ['No', true, undefined])
    assert.deepEqual((await author.client.get(path)).body.permissions, {
      view: true,
      edit: false,
      reply: true,
      delete: false,
    })

    const elsewhere = `${comments[1 - i]}/replies/${made.id}`
    for (const wrong of [elsewhere, `${comment}/replies/${newId()}`]) {
      assert.equal((await other.client.get(wrong)).status, 404)
      assert.equal((await other.client.put(wrong, { body: { markdown: 'x' } })).status, 404)
      assert.equal((await other.client.delete(wrong)).status, 404)
    }
    assert.equal((await author.client.delete(path)).status, 403)
    const { body: second } = await reply(other, comment, 'Another')
    assert.equal((await other.client.delete(path)).status, 205)
    assert.equal((await reviewer.client.delete(`${comment}/replies/${second.id}`)).status, 205)
    assert.equal((await other.client.get(path)).status, 404)
    assert.equal((await other.client.get(comment)).body.replies, 0)
  }
  await assertSound(app.db)
})

test('a reply is not a comment: it is not listed, resolved or replied to as one', async () => {
  const { space, other, comments } = await twoComments()
  const { id } = (await reply(other, comments[0]!, 'Yes')).body
  assert.equal((await other.client.get(`${space.path}/comments`)).body.count, 1)
  const asComment = `${space.path}/comments/${id}`
  assert.equal((await other.client.get(asComment)).status, 404)
  assert.equal((await other.client.put(asComment, { resolved: true })).status, 404)
  assert.equal((await reply(other, asComment, 'x')).status, 404)
  assert.equal((await other.client.post(`${comments[0]}/replies`, {})).body.error.details[0].path, 'body.body')
})

test('a person reacts once with each emoji, however the emoji is written', async () => {
  const { author, other, comments } = await twoComments()
  const { id } = (await reply(author, comments[0]!, 'Yes')).body
  for (const path of [comments[0]!, comments[1]!, `${comments[0]}/replies/${id}`]) {
    const react = (who: TestPerson, body: object) => who.client.put(path, body)
    await react(author, { addedReactions: ['👍', '1f44d', '👍', '❤️'] })
    const { body } = await react(other, { addedReactions: ['1F44D', '2764'] })
    assert.deepEqual(
      body.reactions.map(({ emoji, count, users }: any) => [emoji, count, users.map((each: any) => each.user.id)]),
      [
        ['👍', 2, [author.id, other.id]],
        ['❤️', 2, [author.id, other.id]],
      ],
    )
    assert.match(body.reactions[0].users[0].reactedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual((await react(other, { addedReactions: ['👍'] })).body, body, 'once is enough')
    assert.equal(body.editedAt, undefined)

    const removed = await react(other, { addedReactions: ['🎉'], removedReactions: ['2764-fe0f', '🎉', '🙈'] })
    assert.deepEqual(
      removed.body.reactions.map(({ emoji, count }: any) => [emoji, count]),
      [
        ['👍', 2],
        ['❤️', 1],
      ],
    )
    assert.deepEqual((await author.client.get(path)).body.reactions, removed.body.reactions)
  }
})

test('a person gives a comment at most twenty different reactions', async () => {
  const { author, other, comments } = await twoComments()
  const emoji = Array.from({ length: 21 }, (_, i) => (0x1f600 + i).toString(16))
  const react = (who: TestPerson, addedReactions: string[]) => who.client.put(comments[0]!, { addedReactions })
  assert.equal((await react(author, emoji)).body.error.details[0].path, 'body.addedReactions')
  assert.equal((await react(author, emoji.slice(0, 20))).body.reactions.length, 20)
  assert.equal((await react(author, emoji.slice(20))).status, 400)
  assert.equal((await react(other, emoji.slice(20))).body.reactions.length, 21)
})
