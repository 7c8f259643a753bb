import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, grant } from '../../test/content.ts'
import { type EditedSpace, aLiveSpace, idsOf } from '../../test/editing.ts'
import { type TestPerson, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { written } from './testing/asking.ts'

const app = await startApp()

async function ask({ client }: TestPerson, organizationId: string, query: string, more = '') {
  const { status, body, text } = await client.get(`/v1/orgs/${organizationId}/search?query=${query}${more}`)
  assert.equal(status, 200, text)
  return body
}

const spacesIn = (body: any) => body.items.map(({ id }: { id: string }) => id)

async function spacesWith(words: string[]) {
  const org = await anOrganization(app)
  const spaces: EditedSpace[] = []
  for (const word of words) {
    const space = await aLiveSpace(app, org)
    await space.edit(written(`About ${word}`, `A ${word}.`), written('Other', `No word about it, but a heron.`))
    spaces.push(space)
  }
  return { org, spaces }
}

test('an item is a space with its best pages, the space with the best page first', async () => {
  const { org, spaces } = await spacesWith(['osprey', 'osprey', 'kestrel'])
  const [first, second] = spaces as [EditedSpace, EditedSpace]
  await second.edit(
    written('Osprey', 'That is it.'),
    ...Array.from({ length: 12 }, (_, i) => written(`Page ${i}`, 'osprey')),
  )
  const body = await ask(org.admin, org.id, 'osprey')
  assert.equal(body.count, 2)
  assert.deepEqual(spacesIn(body), [second.id, first.id])
  const [best] = body.items
  assert.equal(best.title, (await second.who.get(second.path)).body.title)
  assert.deepEqual([best.pages.length, best.pages[0].title, best.pages[1].title], [5, 'Osprey', 'About osprey'])
  assert.equal(best.pages[1].urls.app, `http://lectern.test/app/o/${org.id}/s/${second.id}/about-osprey`)
})

test('everybody finds what they may read, and nothing else shows in any count', async () => {
  const { org, spaces } = await spacesWith(['egret', 'egret', 'egret'])
  const [open, closed, granted] = spaces as [EditedSpace, EditedSpace, EditedSpace]
  const reader = await org.member('read')
  const guest = await org.member(null)
  for (const space of [closed, granted]) await space.who.patch(space.path, { defaultLevel: null })
  await grant(org.admin.client, { object: 'space', id: granted.id }, { users: [guest.id] }, 'read')

  const seenBy = async (who: TestPerson) => {
    const body = await ask(who, org.id, 'egret')
    assert.equal(body.count, body.items.length)
    return spacesIn(body).toSorted()
  }
  assert.deepEqual(await seenBy(org.admin), [open.id, closed.id, granted.id].toSorted())
  assert.deepEqual(await seenBy(reader), [open.id])
  assert.deepEqual(await seenBy(guest), [granted.id])
  assert.equal((await reader.client.get(`${closed.path}/search?query=egret`)).status, 404)

  const team = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [guest.id] })).body
  const collection = await aCollection(org.admin.client, org.id)
  await org.admin.client.post(`${open.path}/move`, { parent: collection.id })
  assert.deepEqual(await seenBy(guest), [granted.id])
  await grant(org.admin.client, collection, { teams: [team.id] }, 'comment')
  assert.deepEqual(await seenBy(guest), [open.id, granted.id].toSorted())

  await org.admin.client.delete(granted.path)
  assert.deepEqual(await seenBy(guest), [open.id])
  await org.admin.client.post(`${granted.path}/restore`)
  assert.deepEqual(await seenBy(guest), [open.id, granted.id].toSorted())
})

test('a guess is corrected by words of this organization only, and by what the caller may read', async () => {
  const { org, spaces } = await spacesWith(['cormorant', 'pelican'])
  const { org: other } = await spacesWith(['albatross'])
  await spaces[0]!.who.patch(spaces[0]!.path, { defaultLevel: null })
  const reader = await org.member('read')
  assert.equal((await ask(org.admin, org.id, 'cormoran')).count, 1)
  assert.equal((await ask(reader, org.id, 'cormoran')).count, 0)
  assert.equal((await ask(reader, org.id, 'pelicna')).count, 1)
  assert.equal((await ask(org.admin, org.id, 'albatros')).count, 0)
  assert.equal((await ask(other.admin, other.id, 'albatros')).count, 1)
})

test('spaces are paged from the best to the last, each once', async () => {
  const { org, spaces } = await spacesWith(Array.from({ length: 7 }, () => 'plover'))
  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const body: any = await ask(org.admin, org.id, 'plover', `&limit=3${next && `&page=${encodeURIComponent(next)}`}`)
    assert.equal(body.count, 7)
    seen.push(...spacesIn(body))
    next = body.next?.page
  }
  assert.deepEqual(seen.toSorted(), spaces.map(({ id }) => id).toSorted())
  assert.deepEqual(await ask(org.admin, org.id, 'plover', '&limit=0'), { count: 7, items: [] })
})

test('where very much is found, every space is found all the same, and a count ends at a thousand', async () => {
  const { org, spaces } = await spacesWith(['dunlin', 'dunlin', 'dunlin', 'dunlin'])
  const [many, few] = spaces as [EditedSpace, EditedSpace]
  const [page] = idsOf(await many.edit(written('Model', 'dunlin')))
  // More rows than are looked at, of 1,500 pages: copies of one, as a load of pages would have made them.
  await app.db.run(sql`
    insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
      title_length)
    select organization_id, space_id, md5('1 ' || (n % 1500))::uuid, 'x', n / 1500, hash, '', body, words, title_length
    from search_sections, generate_series(0, 4999) n where page_id = ${page} and anchor = ''`)
  await app.db.run(sql`
    insert into heads (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, data)
    select h.organization_id, h.line_id, md5('1 ' || n)::uuid, h.from_seq, 1, 0, h.parent, 'copy-' || n, h.position, h.doc, h.data
    from heads h, generate_series(0, 1499) n where h.entry = ${page}`)
  const { body } = await org.admin.client.get(`${many.path}/search?query=dunlin&limit=1000`)
  assert.deepEqual([body.count, body.items.length, body.next], [1000, 1000, undefined])
  assert.equal(body.items[0].title, 'About dunlin')
  assert.equal((await org.admin.client.get(`${few.path}/search?query=dunlin`)).body.count, 1)

  const all = await ask(org.admin, org.id, 'dunlin')
  assert.equal(all.count, 4)
  assert.deepEqual(spacesIn(all).toSorted(), spaces.map(({ id }) => id).toSorted())
  const first = await ask(org.admin, org.id, 'dunlin', '&limit=2')
  const rest = await ask(org.admin, org.id, 'dunlin', `&limit=2&page=${encodeURIComponent(first.next.page)}`)
  assert.equal(new Set([...spacesIn(first), ...spacesIn(rest)]).size, 4)
})
