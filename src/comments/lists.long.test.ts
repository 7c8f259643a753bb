import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { type TestPerson, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { newId } from '../ids.ts'

const app = await startApp()

const say = async (who: TestPerson, place: string, more: object = {}) =>
  (await who.client.post(`${place}/comments`, { body: { markdown: 'x' }, ...more })).body.id as string

/** Two pages and two authors with many comments, resolved and open, on a space and in a change request. */
async function muchTalk() {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const pages = idsOf(await space.edit(newPage('A'), newPage('B')))
  const change = await space.changeRequest()
  const people = [await org.member('comment'), await org.member('comment')]
  const said = []
  for (const place of [space.path, change.path]) {
    for (let i = 0; i < 24; i++) {
      const [page, who, resolved] = [[pages[0], pages[1], undefined][i % 3], people[(i >> 1) % 2]!, i % 5 < 2]
      const id = await say(who, place, page === undefined ? {} : { page })
      if (resolved) await who.client.put(`${place}/comments/${id}`, { resolved: true })
      said.push({ place, id, page, by: who.id, status: resolved ? 'resolved' : 'open' })
    }
  }
  return { org, space, change, pages, people, said }
}

/** Every item of a list, fetched a few at a time, and the counts that came along. */
async function walk(who: TestPerson, path: string) {
  const ids: string[] = []
  const counts = new Set<number>()
  for (let page = ''; ;) {
    const { body } = await who.client.get(`${path}&limit=5${page}`)
    ids.push(...body.items.map(({ id }: { id: string }) => id))
    counts.add(body.count)
    if (!body.next) return { ids, counts: [...counts] }
    page = `&page=${body.next.page}`
  }
}

test('every comment filter finds what it names, in either order, page by page, with the exact count', async () => {
  const { space, change, pages, people, said } = await muchTalk()
  const [first, second] = people as [TestPerson, TestPerson]
  const authorChoices = [undefined, [first.id], [second.id, first.id, first.id], [newId()]]
  for (const place of [space.path, change.path]) {
    for (const status of ['all', 'open', 'resolved']) {
      for (const page of [undefined, pages[0], newId()]) {
        for (const authors of authorChoices) {
          const wanted = said.filter(
            (each) =>
              each.place === place &&
              (status === 'all' || each.status === status) &&
              (page === undefined || each.page === page) &&
              (authors === undefined || authors.includes(each.by)),
          )
          const query = [
            `status=${status}`,
            ...(page === undefined ? [] : [`targetPage=${page}`]),
            ...(authors ?? []).map((id) => `authors=${id}`),
          ].join('&')
          const order = authors?.length === 1 ? 'asc' : 'desc'
          const ids = wanted.map(({ id }) => id)
          const found = await walk(first, `${place}/comments?${query}&order=${order}`)
          assert.deepEqual(found, { ids: order === 'asc' ? ids : ids.toReversed(), counts: [ids.length] }, query)
        }
      }
    }
  }
  const none = (await first.client.get(`${space.path}/comments?limit=0`)).body
  assert.deepEqual(none, { count: 24, items: [] })
})

test('a space and a change request show how many of their comments are open', async () => {
  const { space, change, people, said } = await muchTalk()
  const [first] = people as [TestPerson]
  for (const place of [space.path, change.path]) {
    const shown = async () => (await first.client.get(place)).body.comments
    const mine = said.filter((each) => each.place === place && each.by === first.id)
    const openOf = () => said.filter((each) => each.place === place && each.status === 'open').length
    assert.equal(await shown(), openOf())
    const one = mine.find(({ status }) => status === 'open')!
    const two = mine.find(({ status }) => status === 'resolved')!
    await first.client.put(`${place}/comments/${one.id}`, { resolved: true })
    assert.equal(await shown(), openOf() - 1)
    await first.client.post(`${place}/comments/${two.id}/replies`, { body: { markdown: 'x' } })
    await first.client.delete(`${place}/comments/${two.id}`)
    assert.equal(await shown(), openOf() - 1)
    assert.equal((await first.client.get(`${place}/comments?status=resolved&limit=0`)).body.count, 10)
  }
  const { items } = (await first.client.get(`${space.path}/change-requests?status=draft`)).body
  assert.deepEqual(
    items.map((each: any) => each.comments),
    [(await first.client.get(change.path)).body.comments],
  )
  await assertSound(app.db)
})

test('comment counts are right after many simultaneous writes, also to the same comment', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const change = await space.changeRequest()
  const people = await Promise.all(Array.from({ length: 4 }, () => org.member('review')))
  for (const place of [space.path, change.path]) {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => say(people[i % 4]!, place)))
    const shared = ids[0]!
    const statuses = await Promise.all(
      ids.flatMap((id, i) => {
        const { client } = people[i % 4]!
        const path = `${place}/comments/${id}`
        const calls = [
          client.put(path, { resolved: i % 2 === 0 }),
          client.put(path, { resolved: true, addedReactions: ['👍'] }),
          client.post(`${place}/comments/${shared}/replies`, { body: { markdown: 'x' } }),
          client.put(`${place}/comments/${shared}`, { addedReactions: ['👍'] }),
        ]
        return i % 3 === 1 ? [...calls, client.delete(path)] : calls
      }),
    )
    for (const { status, text } of statuses) assert.ok([200, 205, 404].includes(status), text)
    const { body } = await people[0]!.client.get(`${place}/comments/${shared}`)
    assert.deepEqual([body.replies, body.reactions[0].count], [12, 4])
    assert.equal((await people[0]!.client.get(`${place}/comments`)).body.count, 8)
  }
  await assertSound(app.db)
})

test('a comment deleted during a reply leaves no reply behind', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const { admin } = org
  for (let round = 0; round < 8; round++) {
    const path = `${space.path}/comments/${await say(admin, space.path)}`
    const reply = () => admin.client.post(`${path}/replies`, { body: { markdown: 'x' } })
    const answers = await Promise.all([reply(), admin.client.delete(path), reply()])
    assert.equal(answers[1].status, 205)
    for (const { status } of [answers[0], answers[2]]) assert.ok(status === 200 || status === 404)
  }
  assert.equal((await app.db.all(sql`select from comments where space_id = ${space.id}`)).length, 0)
  await assertSound(app.db)
})

test('commenters are the members with a comment or reply here that is not deleted', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const change = await space.changeRequest()
  const [a, b, c, gone] = await Promise.all([1, 2, 3, 4].map(() => org.member('comment')))
  for (const place of [space.path, change.path]) {
    const list = async (query = '') => (await a!.client.get(`${place}/commenters${query}`)).body
    assert.deepEqual(await list(), { count: 0, items: [] })
    const id = await say(a!, place)
    await say(a!, place)
    await say(gone!, place)
    const replies = `${place}/comments/${id}/replies`
    const reply = (await b!.client.post(replies, { body: { markdown: 'x' } })).body
    await c!.client.post(replies, { body: { markdown: 'x' } })
    const ids = async () => (await list()).items.map((item: any) => item.id).toSorted()
    assert.deepEqual(await ids(), [a!.id, b!.id, c!.id, gone!.id].toSorted())
    assert.deepEqual((await list('?limit=1')).items[0].object, 'member')
    assert.equal((await walk(a!, `${place}/commenters?x=1`)).ids.length, 4)

    await b!.client.delete(`${replies}/${reply.id}`)
    assert.deepEqual(await ids(), [a!.id, c!.id, gone!.id].toSorted())
    await a!.client.delete(`${place}/comments/${id}`)
    assert.deepEqual(await ids(), [a!.id, gone!.id].toSorted())
  }
  const contributors = (await a!.client.get(`${change.path}/contributors`)).body.items
  assert.deepEqual(
    contributors.map((each: any) => [each.user.id, each.count, each.actionType]).toSorted(),
    [
      [a!.id, 1, 'comment'],
      [gone!.id, 1, 'comment'],
    ].toSorted(),
  )
  await assertSound(app.db)
  await org.admin.client.delete(`/v1/orgs/${org.id}/members/${gone!.id}`)
  assert.equal((await a!.client.get(`${space.path}/commenters`)).body.count, 1)
})
