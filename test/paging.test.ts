import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from './api-client.ts'
import { startApp } from './app.ts'
import { anOrganization } from './factories.ts'

const app = await startApp()

/** Walks a list to its end; `between` runs after every page. */
async function walk(
  client: Client,
  path: string,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  for (let number = 0, next = ''; ; number++) {
    const { status, body, text } = await client.get(`${path}${path.includes('?') ? '&' : '?'}${next}`)
    assert.equal(status, 200, text)
    seen.push(...body.items.map((item: { id: string }) => item.id))
    if (!body.next) return seen
    next = `page=${body.next.page}`
    await between(number)
  }
}

async function anOrganizationOf(size: number) {
  const org = await anOrganization(app)
  const people = [org.admin]
  while (people.length < size) people.push(await org.member('read'))
  return { org, people, ids: people.map(({ id }) => id), path: `/v1/orgs/${org.id}/members` }
}

test('walking a list returns every item once, in order, at any page size', async () => {
  const { org, ids, path } = await anOrganizationOf(7)
  for (const limit of [1, 2, 3, 6, 7, 8, 1000]) {
    assert.deepEqual(await walk(org.admin.client, `${path}?order=asc&limit=${limit}`), ids, String(limit))
    assert.deepEqual(await walk(org.admin.client, `${path}?limit=${limit}`), ids.toReversed(), String(limit))
  }
  assert.deepEqual(await walk(org.admin.client, `${path}?order=asc`), ids)
})

test('walking a list may start with an empty page token', async () => {
  const { org, ids, path } = await anOrganizationOf(3)
  const seen: string[] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const { status, body, text } = await org.admin.client.get(`${path}?order=asc&limit=2&page=${next}`)
    assert.equal(status, 200, text)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    next = body.next?.page
  }
  assert.deepEqual(seen, ids)
})

test('walking a list goes on if parameters outside the filter change, and is refused if the filter changes', async () => {
  const { org, ids, path } = await anOrganizationOf(3)
  const { client } = org.admin
  // Parameters like these keep browsers and proxies from answering from their cache.
  const asked = ['order=asc&limit=1&_=1', 'order=asc&limit=1&_=2&cache=no', 'limit=1&order=asc&toString=3']
  const seen: string[] = []
  for (let next = ''; asked.length > 0;) {
    const { status, body, text } = await client.get(`${path}?${asked.shift()}&page=${next}`)
    assert.equal(status, 200, text)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    next = body.next?.page
  }
  assert.deepEqual(seen, ids)

  const { body: space } = await client.post(`/v1/orgs/${org.id}/spaces`, { title: 'Talk' })
  const comments = `/v1/spaces/${space.id}/comments`
  for (const markdown of ['One', 'Two']) await client.post(comments, { body: { markdown } })
  const goesOn = async (from: string, to: string) => {
    const { next } = (await client.get(`${comments}?limit=1&${from}`)).body
    return (await client.get(`${comments}?limit=1&${to}&page=${next.page}`)).status
  }
  const authors = [`authors=${ids[0]}`, `authors=${ids[1]}`]
  assert.equal(await goesOn('format=markdown', 'format=document'), 200, 'how items look')
  assert.equal(await goesOn(authors.join('&'), [...authors, authors[0]].toReversed().join('&')), 200, 'the same people')
  assert.equal(await goesOn(authors.join('&'), authors[0]!), 400, 'other people')
  assert.equal(await goesOn('status=open', 'status=all'), 400)
})

test('a page has as many items as asked for, and next only if there are more', async () => {
  const { org, path } = await anOrganizationOf(4)
  const pageOf = async (limit: number) => (await org.admin.client.get(`${path}?limit=${limit}`)).body
  for (const [limit, items, hasNext] of [
    [0, 0, false],
    [1, 1, true],
    [3, 3, true],
    [4, 4, false],
    [5, 4, false],
  ] as const) {
    const page = await pageOf(limit)
    assert.deepEqual([page.items.length, 'next' in page, page.count], [items, hasNext, 4], String(limit))
  }
  assert.equal((await org.admin.client.get(`${path}?role=read&limit=1`)).body.count, 3)
})

test('items that exist throughout are listed exactly once, whatever is written during the walk', async () => {
  const { org, people, ids, path } = await anOrganizationOf(12)
  const leaving = people.slice(3, 6)
  const stable = ids.filter((id) => !leaving.some((person) => person.id === id))
  const seen = await walk(org.admin.client, `${path}?limit=2&order=asc`, async (page) => {
    await Promise.all([
      page < 4 && org.member('edit'),
      leaving[page] && org.admin.client.delete(`${path}/${leaving[page].id}`),
      org.admin.client.patch(`${path}/${stable[page % stable.length]}`, {
        role: page % stable.length === 0 ? 'admin' : 'comment',
      }),
    ])
  })
  assert.equal(new Set(seen).size, seen.length, 'nobody comes twice')
  assert.deepEqual(
    stable.filter((id) => !seen.includes(id)),
    [],
    'nobody is left out',
  )
})

test('a page can be requested again, and gets 304 for its ETag', async (t) => {
  const { org, path } = await anOrganizationOf(3)
  t.mock.timers.enable({ apis: ['Date'], now: new Date('2030-01-01T12:20:00Z') })
  const first = await org.admin.client.get(`${path}?limit=1`)
  const page = `${path}?limit=1&page=${first.body.next.page}`
  const { text, headers } = await org.admin.client.get(page)
  t.mock.timers.tick(60_000)
  assert.equal((await org.admin.client.get(page)).text, text)
  assert.equal((await org.admin.client.get(page, { 'if-none-match': headers.get('etag')! })).status, 304)
})
