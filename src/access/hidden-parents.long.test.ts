import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { type TestPerson, anOrganization } from '../../test/factories.ts'

const app = await startApp()

/**
 * Creates a closed collection that contains a space, and a collection with its own space. One member gets a role on the
 * first space and on the inner collection.
 */
async function aClosedCollection(role: string) {
  const org = await anOrganization(app)
  const { client } = org.admin
  const closed = await aCollection(client, org.id, { title: 'Closed' })
  await client.patch(`/v1/collections/${closed.id}`, { defaultLevel: null })
  const space = await aSpace(client, org.id, { title: 'Space', parent: closed.id })
  const inner = await aCollection(client, org.id, { title: 'Inner', parent: closed.id })
  const below = await aSpace(client, org.id, { title: 'Below', parent: inner.id })
  const granted = await org.member('create')
  for (const thing of [space, inner]) await grant(client, thing, { users: [granted.id] }, role)
  assert.equal((await granted.client.get(`/v1/collections/${closed.id}`)).status, 404)
  return { org, closed, space, inner, below, granted }
}

const read = async ({ client }: TestPerson, path: string) => {
  const { status, body, text } = await client.get(path)
  assert.equal(status, 200, text)
  return body
}

/**
 * Returns all items of a list, fetched one at a time. Checks that its page tokens, which can be decoded, do not contain
 * `secret`.
 */
async function leafThrough({ client }: TestPerson, path: string, secret: string) {
  const items = []
  for (let page = ''; ;) {
    const { body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=1${page}`)
    items.push(...body.items)
    assert.equal(body.items.length, 1, path)
    if (!body.next) return items
    const [token = ''] = body.next.page.split('.')
    assert.ok(!Buffer.from(token, 'base64url').toString().includes(secret), path)
    page = `&page=${body.next.page}`
  }
}

test('a space or collection in a collection that a member cannot see appears at the top level until they can see it', async () => {
  const { org, closed, space, inner, below, granted } = await aClosedCollection('read')
  const shown = async (who: TestPerson) => {
    const seen = await read(who, `/v1/spaces/${space.id}`)
    return [
      seen.parent,
      seen.visibility,
      (await read(who, `/v1/collections/${inner.id}`)).parent,
      (await read(who, `/v1/spaces/${below.id}`)).parent,
    ]
  }
  const whole = [closed.id, 'in-collection', closed.id, inner.id]
  assert.deepEqual(await shown(org.admin), whole)
  assert.deepEqual(await shown(granted), [undefined, 'private', undefined, inner.id])
  await grant(org.admin.client, closed, { users: [granted.id] }, 'read')
  assert.deepEqual(await shown(granted), whole)
  await grant(org.admin.client, closed, { users: [granted.id] }, null)
  assert.deepEqual(await shown(granted), [undefined, 'private', undefined, inner.id])
})

test('a team grant on a collection shows it as the parent of its space, as a grant to the member does', async () => {
  const { org, closed, space, granted } = await aClosedCollection('read')
  const team = await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [granted.id] })
  assert.ok(team.status < 300, team.text)
  assert.equal((await read(granted, `/v1/spaces/${space.id}`)).parent, undefined)
  await grant(org.admin.client, closed, { teams: [team.body.id] }, 'comment')
  assert.equal((await read(granted, `/v1/spaces/${space.id}`)).parent, closed.id)
})

test('a duplicate or move without the create role is refused alike, whether or not its collection is visible', async () => {
  const { org, closed, space, inner, granted } = await aClosedCollection('admin')
  const attempts = async () => [
    await granted.client.post(`/v1/spaces/${space.id}/duplicate`),
    await granted.client.post(`/v1/spaces/${space.id}/move`, {}),
    await granted.client.post(`/v1/collections/${inner.id}/move`, {}),
  ]
  const hidden = await attempts()
  await grant(org.admin.client, closed, { users: [granted.id] }, 'read')
  const seen = await attempts()
  const refusal = ({ status, body }: (typeof hidden)[number]) => [status, body.error?.message]
  assert.deepEqual(hidden.map(refusal), seen.map(refusal))
  assert.deepEqual(new Set(hidden.map(({ status }) => status)), new Set([403]))

  await grant(org.admin.client, closed, { users: [granted.id] }, 'create')
  assert.deepEqual(
    (await attempts()).map(({ status }) => status),
    [201, 200, 200],
  )
})

test('lists, their page tokens and the structure of a site never name a collection that the caller cannot see', async () => {
  const { org, closed, space, inner, below, granted } = await aClosedCollection('create')
  const top = await aSpace(org.admin.client, org.id, { title: 'Top' })
  const gone = await aSpace(org.admin.client, org.id, { title: 'Gone', parent: closed.id })
  await grant(org.admin.client, gone, { users: [granted.id] }, 'create')
  await org.admin.client.delete(`/v1/spaces/${gone.id}`)
  const site = await org.admin.client.post(`/v1/orgs/${org.id}/sites`, {
    title: 'Site',
    spaces: [space.id, below.id],
  })
  const orgPath = `/v1/orgs/${org.id}`
  const lists = [
    [`${orgPath}/spaces`, [top, space, below], (item: any) => item],
    [`${orgPath}/spaces/trash`, [gone], (item: any) => item],
    [`${orgPath}/collections`, [inner], (item: any) => item],
    [`${orgPath}/collections?nested=false`, [inner], (item: any) => item],
    [`${orgPath}/members/${org.admin.id}/spaces`, [space, below, top], (item: any) => item.space],
    [`${orgPath}/sites/${site.body.id}/site-spaces`, [space, below], (item: any) => item.space],
  ] as const
  for (const [path, things, thingOf] of lists) {
    const parents = new Map(
      (await leafThrough(granted, path, closed.id)).map(thingOf).map(({ id, parent }) => [id, parent]),
    )
    assert.deepEqual(
      things.map(({ id }) => [parents.has(id), parents.get(id)]),
      things.map(({ id }) => [true, id === below.id ? inner.id : undefined]),
      path,
    )
    assert.equal(parents.size, things.length, path)

    const whole = (await read(org.admin, path)).items.map(thingOf)
    const parentOf = new Map<string, string | undefined>([top, closed].map(({ id }) => [id, undefined])).set(
      below.id,
      inner.id,
    )
    for (const { id, parent } of whole) assert.equal(parent, parentOf.has(id) ? parentOf.get(id) : closed.id, path)
  }
  for (const rest of ['structure', 'published']) {
    const path = `${orgPath}/sites/${site.body.id}/${rest}`
    const [hidden, open] = [await granted.client.get(path), await org.admin.client.get(path)]
    assert.deepEqual([hidden.text.includes(closed.id), open.text.includes(closed.id)], [false, true], rest)
    assert.ok(hidden.text.includes(inner.id), rest)
  }
})

test('a member can change and invite to a space or collection that they manage without seeing the hidden parent', async () => {
  const { org, closed, space, inner, granted } = await aClosedCollection('create')
  for (const thing of [space, inner]) {
    const path = `/v1/${thing.object}s/${thing.id}`
    const { headers } = await granted.client.get(path)
    const changed = await granted.client.patch(path, { title: 'New' }, { 'if-match': headers.get('etag')! })
    assert.deepEqual([changed.status, changed.body.title, changed.body.parent], [200, 'New', undefined], changed.text)
    assert.equal((await read(org.admin, path)).parent, closed.id)

    const made = await granted.client.post(`/v1/orgs/${org.id}/link-invites`, {
      level: 'read',
      [thing.object]: thing.id,
    })
    assert.deepEqual([made.status, made.body[thing.object].parent], [201, undefined], made.text)
    const invite = `/v1/orgs/${org.id}/link-invites/${made.body.id}`
    assert.equal((await read(granted, invite))[thing.object].parent, undefined)
    assert.equal((await read(org.admin, invite))[thing.object].parent, closed.id)
  }
})
