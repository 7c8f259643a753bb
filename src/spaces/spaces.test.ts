import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { findMainLine } from '../revisions/lines.ts'
import { listAll, page } from '../revisions/entries.ts'

const app = await startApp()

const pagesOf = async (organizationId: string, spaceId: string) =>
  listAll(app.db, (await findMainLine(app.db, organizationId, spaceId)).head, page)

test('a new space has a revision with one empty page, and is returned with all its fields', async () => {
  const org = await anOrganization(app)
  const creator = await org.member('create')
  const made = await aSpace(creator.client, org.id, { title: 'Handbook' })
  const { head } = await findMainLine(app.db, org.id, made.id)
  const { createdAt, updatedAt, ...rest } = made
  assert.ok(Date.parse(createdAt) <= Date.parse(updatedAt))
  assert.deepEqual(rest, {
    object: 'space',
    id: made.id,
    title: 'Handbook',
    emoji: '1f4c4',
    visibility: 'private',
    editMode: 'locked',
    urls: {
      location: `http://lectern.test/v1/spaces/${made.id}`,
      app: `http://lectern.test/app/o/${org.id}/s/${made.id}`,
    },
    organization: org.id,
    mergeRules: { type: 'inherit' },
    revision: head.id,
    defaultLevel: null,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: {
      view: true,
      access: true,
      admin: true,
      viewInviteLinks: true,
      edit: true,
      triggerGitSync: true,
      comment: true,
      merge: true,
      review: true,
    },
  })
  const read = await creator.client.get(`/v1/spaces/${made.id}`)
  assert.deepEqual(read.body, made)
  const [only, ...more] = await pagesOf(org.id, made.id)
  assert.equal(more.length, 0)
  assert.equal(only!.slug, 'untitled')
  assert.equal(only!.data!['title'], 'Untitled')

  const empty = await aSpace(creator.client, org.id, { empty: true, language: 'pt-br', editMode: 'live', emoji: '🦊' })
  assert.deepEqual([empty.title, empty.language, empty.editMode, empty.emoji], ['Untitled', 'pt-br', 'live', '🦊'])
  assert.deepEqual(await pagesOf(org.id, empty.id), [])
  assert.equal((await aSpace(creator.client, org.id)).title, 'Untitled 1')
})

test('creating a space needs the create role: in the organization at the top, in the collection below it', async () => {
  const org = await anOrganization(app)
  const [editor, guest] = [await org.member('edit'), await org.member(null)]
  const stranger = await aStranger(app)
  const collection = await aCollection(org.admin.client, org.id)
  const other = await anOrganization(app)
  const elsewhere = await aCollection(other.admin.client, other.id)
  const create = (who: typeof editor, body: object = {}) => who.client.post(`/v1/orgs/${org.id}/spaces`, body)

  assert.equal((await create(editor)).status, 403)
  assert.equal((await create(editor, { parent: collection.id })).status, 403)
  assert.equal((await create(guest)).status, 403)
  assert.equal((await create(stranger)).status, 404)
  await grant(org.admin.client, collection, { users: [guest.id] }, 'create')
  assert.equal((await create(guest)).status, 403)
  const made = await create(guest, { parent: collection.id })
  assert.deepEqual([made.status, made.body.parent, made.body.visibility], [201, collection.id, 'in-collection'])
  for (const parent of [newId(), 'x', elsewhere.id]) {
    const refused = await create(org.admin, { parent })
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.parent'])
  }
})

test('invalid fields of a space are refused by name and change nothing', async () => {
  const org = await anOrganization(app)
  const space = await aSpace(org.admin.client, org.id)
  const custom = (expression: string) => ({ mergeRules: { type: 'rules', rules: [{ type: 'custom', expression }] } })
  const wrong: [string, object, string][] = [
    ['POST', { template: { id: 'x' } }, 'body.template'],
    ['POST', { computedSource: {} }, 'body.computedSource'],
    ['POST', { title: '' }, 'body.title'],
    ['POST', { title: 'x'.repeat(51) }, 'body.title'],
    ['POST', { emoji: 'smile' }, 'body.emoji'],
    ['POST', { emoji: '🦊🦊' }, 'body.emoji'],
    ['POST', { language: 'tlh' }, 'body.language'],
    ['PATCH', { editMode: 'open' }, 'body.editMode'],
    ['PATCH', { title: ' ' }, 'body.title'],
    ['PATCH', { defaultLevel: 'owner' }, 'body.defaultLevel'],
    ['PATCH', { icon: 'javascript:alert(1)' }, 'body.icon'],
    ['PATCH', { icon: 'https://a.example/i.png', emoji: '1f98a' }, 'body.icon'],
    ['PATCH', { emoji: 'd800' }, 'body.emoji'],
    ['PATCH', { mergeRules: { type: 'rules' } }, 'body.mergeRules.rules'],
    ['PATCH', { mergeRules: { type: 'none', rules: [{ type: 'allow_bypass' }] } }, 'body.mergeRules.rules'],
    ['PATCH', { mergeRules: { type: 'rules', rules: [{ type: 'nonsense' }] } }, 'body.mergeRules.rules.0.type'],
    [
      'PATCH',
      { mergeRules: { type: 'rules', rules: [{ type: 'require_agent_review' }] } },
      'body.mergeRules.rules.0.type',
    ],
    [
      'PATCH',
      { mergeRules: { type: 'rules', rules: [{ type: 'require_specific_reviewers' }] } },
      'body.mergeRules.rules.0.users',
    ],
    [
      'PATCH',
      { mergeRules: { type: 'rules', rules: [{ type: 'allow_bypass', users: [org.admin.id, newId()] }] } },
      'body.mergeRules.rules.0.users.1',
    ],
    ['PATCH', { mergeRules: { type: 'rules', rules: [{ type: 'custom' }] } }, 'body.mergeRules.rules.0.expression'],
    ['PATCH', custom('changeRequest.subject ==='), 'body.mergeRules.rules.0.expression'],
    ['PATCH', custom('eval("1")'), 'body.mergeRules.rules.0.expression'],
  ]
  for (const [method, body, path] of wrong) {
    const before = await stateOf(app.db)
    const address = method === 'POST' ? `/v1/orgs/${org.id}/spaces` : `/v1/spaces/${space.id}`
    const refused = await org.admin.client.send(method, address, body)
    assert.deepEqual([refused.status, refused.body.error.details?.[0].path], [400, path], JSON.stringify(body))
    assert.equal(await stateOf(app.db), before, JSON.stringify(body))
  }
  const refused = await org.admin.client.patch(`/v1/spaces/${space.id}`, custom('a ==='))
  assert.match(refused.body.error.message, /at character \d+/)
})

test('creators can change a space field by field, and nobody else can', async () => {
  const org = await anOrganization(app)
  const [creator, reviewer, stranger] = [await org.member('create'), await org.member('review'), await aStranger(app)]
  const space = await aSpace(org.admin.client, org.id)
  const change = (who: typeof creator, body: object) => who.client.patch(`/v1/spaces/${space.id}`, body)
  assert.equal((await change(reviewer, { title: 'No' })).status, 403)
  assert.equal((await change(stranger, { title: 'No' })).status, 404)

  const rules = {
    type: 'rules',
    rules: [
      { type: 'require_at_least_one_review' },
      { type: 'allow_bypass', users: [org.admin.id] },
      { type: 'custom', expression: 'changeRequest.subject !== ""', message: 'Say what it is' },
    ],
  }
  const { status, body } = await change(creator, {
    title: 'Guide',
    editMode: 'live',
    emoji: '1f98a',
    language: 'de',
    mergeRules: rules,
    id: newId(),
    organization: newId(),
  })
  assert.equal(status, 200)
  assert.deepEqual(
    [body.title, body.editMode, body.emoji, body.language, body.mergeRules, body.id, body.organization],
    ['Guide', 'live', '1f98a', 'de', rules, space.id, org.id],
  )
  const icon = await change(creator, { icon: 'https://example.com/i.png', language: null })
  assert.deepEqual(
    [icon.body.emoji, icon.body.urls.icon, icon.body.language],
    ['1f4c4', 'https://example.com/i.png', undefined],
  )
  const { title, emoji: shown, urls } = icon.body
  const again = await change(creator, { title, emoji: shown, urls })
  assert.deepEqual([again.status, again.body], [200, icon.body], 'the emoji that is shown in its place, sent back')
  const emoji = await change(creator, { emoji: '1f4c4', icon: null })
  assert.deepEqual([emoji.body.emoji, emoji.body.urls.icon], ['1f4c4', undefined])
  assert.equal((await change(creator, { icon: 'https://example.com/i.png' })).status, 200)
  assert.equal((await change(creator, { emoji: '1f98a' })).body.urls.icon, undefined)
  const cleared = await change(creator, { emoji: null, icon: null, mergeRules: { type: 'none' } })
  assert.deepEqual([cleared.body.urls.icon, cleared.body.mergeRules], [undefined, { type: 'none' }])
  assert.deepEqual((await creator.client.get(`/v1/spaces/${space.id}`)).body, cleared.body)
})

test('sending values that a space or collection already has writes, records and announces nothing', async () => {
  const { id: organizationId, admin } = await anOrganization(app)
  const [space, collection] = [
    await aSpace(admin.client, organizationId),
    await aCollection(admin.client, organizationId),
  ]
  const mergeRules = { type: 'rules', rules: [{ type: 'require_at_least_one_review' }] }
  const rest = { editMode: 'live', emoji: '1f98a', language: 'de', mergeRules }
  const change = async () => {
    const both = { title: 'Tea', defaultLevel: 'read' }
    assert.equal((await admin.client.patch(`/v1/spaces/${space.id}`, { ...both, ...rest })).status, 200)
    const body = { ...both, description: 'All of it' }
    assert.equal((await admin.client.patch(`/v1/collections/${collection.id}`, body)).status, 200)
  }
  await change()
  const before = await stateOf(app.db)
  await change()
  assert.deepEqual(await stateOf(app.db), before)
})

test('a space shows the level that it has or inherits, and nobody sets a level above their own role', async () => {
  const org = await anOrganization(app)
  const creator = await org.member('create')
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultRole: 'comment' })
  const outer = await aCollection(org.admin.client, org.id)
  const inner = await aCollection(org.admin.client, org.id, { parent: outer.id })
  const space = await aSpace(org.admin.client, org.id, { parent: inner.id })
  const level = async () => (await org.admin.client.get(`/v1/spaces/${space.id}`)).body.defaultLevel
  const set = (address: string, defaultLevel: unknown, who = org.admin) =>
    who.client.patch(`/v1/${address}`, { defaultLevel })

  assert.equal(await level(), 'comment')
  assert.equal((await set(`collections/${outer.id}`, 'create')).body.defaultLevel, 'create')
  assert.equal(await level(), 'create')
  assert.equal((await set(`spaces/${space.id}`, 'read', creator)).body.error?.code, undefined)
  assert.equal(await level(), 'read')
  assert.equal((await set(`spaces/${space.id}`, 'inherit')).body.defaultLevel, 'create')
  assert.equal((await set(`spaces/${space.id}`, 'admin', creator)).status, 403)
  assert.equal((await set(`collections/${inner.id}`, 'admin', creator)).status, 403)
  assert.equal((await set(`collections/${inner.id}`, null)).body.defaultLevel, null)
  assert.equal(await level(), null)
  assert.equal((await creator.client.get(`/v1/spaces/${space.id}`)).status, 404)
})

test('nobody resets a space or collection to an inherited level above their own role', async () => {
  const org = await anOrganization(app)
  const creator = await org.member('read')
  const outer = await aCollection(org.admin.client, org.id)
  const inner = await aCollection(org.admin.client, org.id, { parent: outer.id })
  const space = await aSpace(org.admin.client, org.id, { parent: outer.id })
  const set = async (address: string, defaultLevel: string, who = org.admin) =>
    (await who.client.patch(`/v1/${address}`, { defaultLevel })).status

  await set(`collections/${outer.id}`, 'admin')
  for (const thing of [inner, space]) {
    await set(`${thing.object}s/${thing.id}`, 'read')
    await grant(org.admin.client, thing, { users: [creator.id] }, 'create')
    assert.equal(await set(`${thing.object}s/${thing.id}`, 'inherit', creator), 403)
  }
  await set(`collections/${outer.id}`, 'create')
  for (const thing of [inner, space]) {
    assert.equal(await set(`${thing.object}s/${thing.id}`, 'inherit', creator), 200)
  }
})

test('people can close a space or a collection to everybody, including themselves', async () => {
  const org = await anOrganization(app)
  const creator = await org.member('create')
  const collection = await aCollection(org.admin.client, org.id)
  const things = [`collections/${collection.id}`, `spaces/${(await aSpace(org.admin.client, org.id)).id}`]

  for (const thing of things) {
    const closed = await creator.client.patch(`/v1/${thing}`, { defaultLevel: null })
    assert.deepEqual(
      [closed.status, closed.body.defaultLevel, Object.values(closed.body.permissions).includes(true)],
      [200, null, false],
    )
    assert.equal((await creator.client.get(`/v1/${thing}`)).status, 404)
    assert.equal((await creator.client.patch(`/v1/${thing}`, { defaultLevel: 'inherit' })).status, 404)
    assert.equal((await org.admin.client.get(`/v1/${thing}`)).body.defaultLevel, null)
  }
})

test('If-Match lets a change through only while the space is as it was read', async () => {
  const org = await anOrganization(app)
  const space = await aSpace(org.admin.client, org.id)
  const etag = (await org.admin.client.get(`/v1/spaces/${space.id}`)).headers.get('etag')!
  const change = (title: string, tag: string) =>
    org.admin.client.patch(`/v1/spaces/${space.id}`, { title }, { 'if-match': tag })
  const first = await change('One', etag)
  assert.equal(first.status, 200)
  assert.equal((await change('Two', etag)).status, 412)
  assert.equal((await org.admin.client.delete(`/v1/spaces/${space.id}`, { 'if-match': etag })).status, 412)
  assert.equal((await change('Two', first.headers.get('etag')!)).status, 200)
})

test('a repeated creation with the same Idempotency-Key makes one space', async () => {
  const org = await anOrganization(app)
  const key = { 'idempotency-key': 'once' }
  const [first, second] = [
    await org.admin.client.post(`/v1/orgs/${org.id}/spaces`, { title: 'One' }, key),
    await org.admin.client.post(`/v1/orgs/${org.id}/spaces`, { title: 'One' }, key),
  ]
  assert.deepEqual(second.body, first.body)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/spaces`)).body.count, 1)
})

test('lists and counts of spaces contain only those that the caller sees, page by page', async () => {
  const org = await anOrganization(app)
  const [reader, guest] = [await org.member('read'), await org.member(null)]
  const collection = await aCollection(org.admin.client, org.id)
  const spaces: { object: 'space'; id: string }[] = []
  for (let i = 0; i < 5; i++) spaces.push(await aSpace(org.admin.client, org.id, { parent: collection.id }))
  await org.admin.client.patch(`/v1/spaces/${spaces[1]!.id}`, { defaultLevel: null })
  await org.admin.client.delete(`/v1/spaces/${spaces[2]!.id}`)
  await grant(org.admin.client, spaces[4]!, { users: [guest.id] }, 'comment')

  const walk = async (who: typeof reader, address: string) => {
    const ids: string[] = []
    for (let next = ''; ;) {
      const { status, body } = await who.client.get(`${address}?limit=2${next}`)
      assert.equal(status, 200)
      ids.push(...body.items.map((item: { id: string }) => item.id))
      if (!body.next) {
        assert.equal(body.count, ids.length)
        return ids
      }
      next = `&page=${body.next.page}`
    }
  }
  const visible = (...indexes: number[]) => indexes.map((i) => spaces[i]!.id)
  for (const address of [`/v1/orgs/${org.id}/spaces`, `/v1/collections/${collection.id}/spaces`]) {
    assert.deepEqual(await walk(org.admin, address), visible(0, 1, 3, 4))
    assert.deepEqual(await walk(reader, address), visible(0, 3, 4))
  }
  assert.deepEqual(await walk(guest, `/v1/orgs/${org.id}/spaces`), visible(4))
  assert.equal((await guest.client.get(`/v1/collections/${collection.id}/spaces`)).status, 404)
  assert.deepEqual(await walk(guest, `/v1/orgs/${org.id}/spaces`), visible(4))
})

test('a page of a list whose spaces were deleted meanwhile is empty, and still counts the others', async () => {
  const { id, admin } = await anOrganization(app)
  const spaces = [await aSpace(admin.client, id), await aSpace(admin.client, id)]
  for (const list of ['spaces?limit=1', `members/${admin.id}/spaces?limit=1&order=asc`]) {
    const address = `/v1/orgs/${id}/${list}`
    const { next } = (await admin.client.get(address)).body
    await admin.client.delete(`/v1/spaces/${spaces[1]!.id}`)
    assert.deepEqual((await admin.client.get(`${address}&page=${next.page}`)).body, { count: 1, items: [] })
    await admin.client.post(`/v1/spaces/${spaces[1]!.id}/restore`)
  }
})

test('the spaces that a member can open are counted, and listed only as far as the caller sees them', async () => {
  const org = await anOrganization(app)
  const [reader, guest] = [await org.member('read'), await org.member(null)]
  const open = await aSpace(org.admin.client, org.id)
  const closed = await aSpace(org.admin.client, org.id)
  await org.admin.client.patch(`/v1/spaces/${closed.id}`, { defaultLevel: null })
  await grant(org.admin.client, closed, { users: [guest.id] }, 'edit')
  const gone = await aSpace(org.admin.client, org.id)
  await org.admin.client.delete(`/v1/spaces/${gone.id}`)

  const spacesOf = async (who: typeof reader, userId: string) => {
    const { body } = await who.client.get(`/v1/orgs/${org.id}/members/${userId}/spaces`)
    assert.equal(body.count, body.items.length)
    return body.items.map((item: any) => [item.permission, item.space.id])
  }
  assert.deepEqual(await spacesOf(org.admin, guest.id), [['edit', closed.id]])
  assert.deepEqual(await spacesOf(reader, guest.id), [])
  assert.deepEqual(await spacesOf(reader, org.admin.id), [['admin', open.id]])
  assert.deepEqual(await spacesOf(guest, guest.id), [['edit', closed.id]])
  const { body } = await org.admin.client.get(`/v1/orgs/${org.id}/members`)
  const counts = Object.fromEntries(body.items.map((member: any) => [member.id, member.spaces]))
  assert.deepEqual(counts, { [org.admin.id]: 2, [reader.id]: 1, [guest.id]: 1 })

  const disabled = await org.admin.client.patch(`/v1/orgs/${org.id}/members/${guest.id}`, { disabled: true })
  assert.equal(disabled.body.spaces, 0)
  assert.deepEqual(await spacesOf(org.admin, guest.id), [])
  const raised = await org.admin.client.patch(`/v1/orgs/${org.id}/members/${reader.id}`, { role: 'admin' })
  assert.equal(raised.body.spaces, 2)
})

test('an organization has merge rules of its own, and cannot inherit any', async () => {
  const org = await anOrganization(app)
  const set = (mergeRules: object) => org.admin.client.patch(`/v1/orgs/${org.id}`, { mergeRules })
  assert.deepEqual((await org.admin.client.get(`/v1/orgs/${org.id}`)).body.mergeRules, { type: 'none' })
  const rules = { type: 'rules', rules: [{ type: 'require_all_reviews_approved' }] }
  assert.deepEqual((await set(rules)).body.mergeRules, rules)
  assert.deepEqual((await org.admin.client.get(`/v1/orgs/${org.id}`)).body.mergeRules, rules)
  assert.equal((await set({ type: 'inherit' })).status, 400)
  const { fields } = await app.db.one(sql<{ fields: string[] }>`
    select fields from changes where organization_id = ${org.id} and action = 'organization.updated'`)
  assert.deepEqual(fields, ['mergeRules'])
})
