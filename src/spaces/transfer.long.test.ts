import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant, writePage } from '../../test/content.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { type TestOrganization, type TestPerson, aPerson, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { until } from '../../test/until.ts'
import { makeApp } from '../app.ts'
import { Database } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { findEntry } from '../revisions/entries.ts'
import { commit, findMainLine, lockLine } from '../revisions/lines.ts'
import { WebhookSender } from '../webhooks/sender.ts'
import { aReceiver } from '../webhooks/testing/receiver.ts'
import { watch } from '../mail/watching.ts'
import { tablesOfSpace } from './transfer.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

/** Two organizations, and a person who can create content in the first and has `role` in the second. */
async function aJourney(role: 'create' | 'read' | null = 'create') {
  const [from, to] = [await anOrganization(app), await anOrganization(app)]
  const mover = await aPerson(app, { sees: [from.canary, to.canary] })
  const join = (org: TestOrganization, userId: string, as: typeof role) =>
    transaction(app.db, nobody, (tx) => addMember(tx, { organizationId: org.id, userId, role: as, sso: false }))
  await join(from, mover.id, 'create')
  await join(to, mover.id, role)
  return { from, to, mover, join }
}

const move = (who: TestPerson, thing: { object: string; id: string }, organization: string) =>
  who.client.post(`/v1/${thing.object}s/${thing.id}/transfer`, { organization })

/**
 * Invites to a space are revoked when it is transferred, and a space that is in a site or a translation is not
 * transferred. The page statistics from a site that it was in before are not shown anywhere after that. Its watchers
 * stay in the old organization.
 */
const counted = ['site_page_views', 'site_page_ratings', 'site_page_remarks']
const leftBehind = ['invites', 'site_spaces', 'translation_variants', 'watched_spaces', ...counted]

test('the transfer knows every table with rows of a space', async () => {
  const columns = await app.db.all(sql<{ table_name: string; column_name: keyof typeof tablesOfSpace }>`
    select c.table_name, c.column_name from information_schema.columns c
    where c.table_schema = 'public' and c.column_name in ('space_id', 'line_id', 'change_request_id')
      and exists (select from information_schema.columns o where o.table_schema = 'public'
        and o.table_name = c.table_name and o.column_name = 'organization_id')`)
  const known = (table: string) =>
    Object.values(tablesOfSpace).some((tables) => (tables as readonly string[]).includes(table))
  assert.ok(columns.length > 10)
  for (const { table_name } of columns)
    if (!leftBehind.includes(table_name)) assert.ok(known(table_name), `${table_name} is missing in tablesOfSpace`)
})

test('a transferred space keeps its content, revision, change requests, and the grants of people in both organizations', async () => {
  const { from, to, mover, join } = await aJourney()
  const { client } = from.admin
  const collection = await aCollection(client, from.id)
  await client.patch(`/v1/collections/${collection.id}`, { defaultLevel: 'comment' })
  const space = await aSpace(client, from.id, { title: 'Handbook', parent: collection.id })
  const entry = await writePage(app.db, from.id, space.id, 'a body')
  const before = await findMainLine(app.db, from.id, space.id)

  const both = await from.member('read')
  await join(to, both.id, 'read')
  await grant(client, space, { users: [mover.id] }, 'create')
  await grant(client, space, { users: [both.id, (await from.member('read')).id] }, 'edit')
  const team = (await client.put(`/v1/orgs/${from.id}/teams`, { title: 'Team' })).body
  await grant(client, space, { teams: [team.id] }, 'review')
  const rules = [{ type: 'allow_bypass', users: [from.admin.id, both.id] }]
  await client.patch(`/v1/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } })

  await transaction(app.db, nobody, (tx) => watch(tx, { organization_id: from.id, id: space.id }, both.id, true))

  const shown = (await client.get(`/v1/spaces/${space.id}`)).body
  const { status, body } = await move(mover, space, to.id)
  assert.equal(status, 200)
  assert.deepEqual(await app.db.all(sql`select from watched_spaces where space_id = ${space.id}`), [])
  assert.deepEqual(
    [body.id, body.organization, body.parent, body.defaultLevel, body.changeRequests, body.changeRequestsDraft],
    [space.id, to.id, undefined, 'comment', 1, 1],
  )
  assert.deepEqual(body.mergeRules, { type: 'rules', rules: [{ type: 'allow_bypass', users: [both.id] }] })
  assert.ok(body.updatedAt > shown.updatedAt, 'it stands elsewhere, as after a move')
  assert.equal(body.revision, before.head.id)
  const main = await findMainLine(app.db, to.id, space.id)
  assert.equal((await findEntry(app.db, main.head, entry))!.entry, entry)

  assert.equal((await client.get(`/v1/spaces/${space.id}`)).status, 404)
  assert.equal((await to.admin.client.get(`/v1/spaces/${space.id}`)).status, 200)
  const { items } = (await mover.client.get(`/v1/spaces/${space.id}/permissions/users`)).body
  const given = Object.fromEntries(items.map((item: any) => [item.user.id, item.permission]))
  assert.deepEqual(given, { [mover.id]: 'create', [both.id]: 'edit' })
  assert.equal((await to.admin.client.get(`/v1/spaces/${space.id}/permissions/teams`)).body.count, 0)
  const left = await app.db.all(sql`select from documents where organization_id = ${from.id} and markdown <> ''`)
  assert.equal(left.length, 0)
  await assertSound(app.db)
})

test("the bytes of a space's files are transferred with it", async () => {
  const { from, to, mover } = await aJourney()
  const space = await aSpace(mover.client, from.id)
  const { store } = app.app
  const hash = 'a'.repeat(64)
  const folder = await mkdtemp(join(tmpdir(), 'lectern-file-'))
  await writeFile(join(folder, 'x'), 'bytes')
  await store.put({ organizationId: from.id, hash }, { path: join(folder, 'x'), hash, size: 5 })
  await rm(folder, { recursive: true })
  await app.db.run(sql`
    insert into blobs (organization_id, hash, size, content_type) values (${from.id}, ${hash}, 5, 'text/plain')`)
  await transaction(app.db, nobody, async (tx) => {
    const main = await lockLine(tx, from.id, (await findMainLine(tx, from.id, space.id)).id)
    const file = {
      entry: newId(),
      kind: 2 as const,
      state: 0 as const,
      slug: null,
      position: null,
      doc: null,
      refs: null,
    }
    const data = { name: 'x.txt', contentType: 'text/plain', size: 5, blob: hash }
    const rows = [{ ...file, parent: '00000000-0000-0000-0000-000000000000', data }]
    await commit(tx, main, { type: 'edits', parents: [main.head.id], rows, bodies: new Map() })
  })
  assert.equal((await move(mover, space, to.id)).status, 200)
  assert.equal(await text(await store.get({ organizationId: to.id, hash })), 'bytes')
})

test('a file with lost bytes does not prevent the transfer of its space', async () => {
  const { from, to, mover } = await aJourney()
  const space = await aLiveSpace(app, from)
  const inserted = await space.edit({
    operation: 'insert_files',
    files: ['lost', 'kept'].map((name) => ({
      name: `${name}.txt`,
      contentType: 'text/plain',
      base64: Buffer.from(name).toString('base64'),
    })),
  })
  const [lost, kept] = inserted.body.insertedFiles.map(({ downloadURL }: any) =>
    new URL(downloadURL).searchParams.get('blob'),
  )
  await app.app.store.delete({ organizationId: from.id, hash: lost })
  const moved = await move(mover, { object: 'space', id: space.id }, to.id)
  assert.equal(moved.status, 200, moved.text)
  assert.equal(await text(await app.app.store.get({ organizationId: to.id, hash: kept })), 'kept')
})

test('a transfer needs the right in both organizations, and its status tells which one is missing', async () => {
  const { from, to, mover } = await aJourney('read')
  const outsider = await anOrganization(app)
  const space = await aSpace(mover.client, from.id)
  const reader = await from.member('read')
  const before = await stateOf(app.db)
  assert.equal((await move(mover, space, to.id)).status, 412)
  assert.equal((await move(mover, space, outsider.id)).status, 404)
  assert.equal((await move(mover, space, newId())).status, 404)
  assert.equal((await move(mover, space, 'x')).status, 400)
  assert.equal((await move(mover, space, from.id)).status, 409)
  assert.equal((await move(reader, space, to.id)).status, 403)
  assert.equal((await move(outsider.admin, space, outsider.id)).status, 404)
  assert.equal(await stateOf(app.db), before)
})

test('a repeated transfer with the same Idempotency-Key gets the same answer and is done once', async () => {
  const { from, to, mover } = await aJourney()
  const { client } = from.admin
  const space = await aSpace(client, from.id)
  const collection = await aCollection(client, from.id)
  for (const thing of [space, collection]) {
    await grant(client, thing, { users: [mover.id] }, 'create')
    const path = `/v1/${thing.object}s/${thing.id}/transfer`
    const send = () => mover.client.post(path, { organization: to.id }, { 'idempotency-key': 'one' })
    const [first, again] = [await send(), await send()]
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text], again.text)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal((await move(mover, thing, to.id)).status, 409)
  }
})

test('a collection is transferred with everything in it, and that needs the right on all of it', async () => {
  const { from, to, mover } = await aJourney()
  const { client } = from.admin
  const outer = await aCollection(client, from.id)
  await client.patch(`/v1/collections/${outer.id}`, { defaultLevel: 'create' })
  const collection = await aCollection(client, from.id, { parent: outer.id })
  const inner = await aCollection(client, from.id, { parent: collection.id })
  const space = await aSpace(client, from.id, { parent: inner.id })
  const deleted = await aSpace(client, from.id, { parent: inner.id })
  await writePage(app.db, from.id, space.id, 'deep down')
  await client.delete(`/v1/spaces/${deleted.id}`)
  await client.patch(`/v1/spaces/${space.id}`, { defaultLevel: 'read' })
  assert.equal((await move(mover, collection, to.id)).status, 403)
  await grant(client, space, { users: [mover.id] }, 'create')

  const { status, body } = await move(mover, collection, to.id)
  assert.equal(status, 200)
  assert.deepEqual([body.organization, body.parent, body.defaultLevel], [to.id, undefined, 'create'])
  const moved = await mover.client.get(`/v1/spaces/${space.id}`)
  assert.deepEqual([moved.body.organization, moved.body.parent, moved.body.defaultLevel], [to.id, inner.id, 'read'])
  assert.equal((await client.get(`/v1/collections/${inner.id}`)).status, 404)
  assert.equal((await client.get(`/v1/collections/${outer.id}`)).status, 200)
  assert.equal((await mover.client.post(`/v1/spaces/${deleted.id}/restore`)).body.organization, to.id)
  await assertSound(app.db)
})

test('a deleted space of a site or a translation stays behind and does not prevent the transfer of its collection', async () => {
  const { from, to } = await aJourney()
  const { client } = from.admin
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: to.id, userId: from.admin.id, role: 'create', sso: false }),
  )
  const mover = { ...from.admin, client: app.client(client.token, [from.canary, to.canary]) }
  const collection = await aCollection(client, from.id)
  const inner = await aCollection(client, from.id, { parent: collection.id })
  await client.patch(`/v1/collections/${collection.id}`, { defaultLevel: 'comment' })
  const aSpaceInside = () => aSpace(client, from.id, { parent: inner.id })
  const [inSite, inTranslation, alive] = [await aSpaceInside(), await aSpaceInside(), await aSpaceInside()]
  const site = (await client.post(`/v1/orgs/${from.id}/sites`, { title: 'Docs', spaces: [inSite.id] })).body
  const siteSpaces = async () => (await client.get(`/v1/orgs/${from.id}/sites/${site.id}/site-spaces`)).body
  const source = { language: 'en', space: inTranslation.id }
  assert.equal((await client.post(`/v1/orgs/${from.id}/translations`, { title: 'T', source })).status, 201)
  assert.equal((await move(mover, collection, to.id)).status, 409)

  const gone = [inSite, inTranslation]
  for (const { id } of gone) await client.delete(`/v1/spaces/${id}`)
  assert.equal((await siteSpaces()).count, 0)
  assert.equal((await move(mover, collection, to.id)).status, 200)
  assert.equal((await mover.client.get(`/v1/spaces/${alive.id}`)).body.organization, to.id)
  for (const { id } of gone) {
    const { body } = await client.post(`/v1/spaces/${id}/restore`)
    assert.deepEqual([body.organization, body.parent, body.defaultLevel], [from.id, undefined, 'comment'])
  }
  assert.equal((await siteSpaces()).items[0].space.id, inSite.id)
  await assertSound(app.db)
})

test('a transfer waits for a write in progress, and a write that comes during the transfer gets 409', async () => {
  const { from, to, mover } = await aJourney()
  const space = await aSpace(mover.client, from.id)
  const line = await findMainLine(app.db, from.id, space.id)
  const [held, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = transaction(app.db, nobody, async (tx) => {
    await lockLine(tx, from.id, line.id)
    held.resolve()
    await written.promise
  })
  await held.promise
  const moving = move(mover, space, to.id)
  await untilWaiting(1)
  const late = assert.rejects(
    transaction(app.db, nobody, (tx) => lockLine(tx, from.id, line.id)),
    { status: 409 },
  )
  await untilWaiting(2)
  written.resolve()
  await late
  await writing
  assert.equal((await moving).status, 200)
})

test('what was read of a space before its transfer does not hide what is written in it afterwards', async () => {
  const { from, to, mover } = await aJourney()
  const space = await aLiveSpace(app, from)
  await space.edit(newPage('Before'))
  const request = await space.changeRequest()
  const titles = async (path: string) =>
    (await mover.client.get(`${path}/content`)).body.pages.map(({ title }: any) => title)
  assert.deepEqual(await titles(space.path), ['Before'])

  assert.equal((await move(mover, { object: 'space', id: space.id }, to.id)).status, 200)
  const edited = await mover.client.post(`${space.path}/content`, { changes: [newPage('After')] })
  assert.equal(edited.status, 200, edited.text)
  assert.deepEqual(await titles(space.path), ['Before', 'After'])
  const updated = await mover.client.post(`${request.path}/update`)
  assert.equal(updated.body.result, 'update', updated.text)
  assert.deepEqual(await titles(request.path), ['Before', 'After'])
})

test('a transferred space that readers knew can be read in a site of its new organization, with its content', async () => {
  const site = await aSite(app)
  const { who, space } = site
  assert.equal((await site.browser().get(site.address)).status, 200)
  expect(await who.delete(site.path), 205)
  const to = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: to.id, userId: site.org.admin.id, role: 'admin', sso: false }),
  )
  const mover = app.client(who.token, [site.org.canary, to.canary])
  expect(await mover.post(`${space.path}/transfer`, { organization: to.id }), 200)
  const sites = `/v1/orgs/${to.id}/sites`
  const made = expect(await mover.post(sites, { title: 'New', visibility: 'public', spaces: [space.id] }), 201)
  expect(await mover.post(`${sites}/${made.id}/publish`), 200)
  const page = await site.browser().get(`/sites/${to.row.hostname}/${made.basename}/guide`)
  assert.equal(page.status, 200)
  assert.match(page.text, /Text of Guide/)
})

test('reading a space that another node transfers gets 200 or 409, never another error', async () => {
  const { from, to, mover } = await aJourney()
  const space = await aSpace(mover.client, from.id)
  await writePage(app.db, from.id, space.id, 'a body')
  const other = await anotherNode()
  const answers: number[] = []
  for (const organization of [to, from, to, from, to, from].map(({ id }) => id)) {
    // The first node caches for a moment where the space is.
    assert.equal((await mover.client.get(`/v1/spaces/${space.id}`)).status, 200)
    const moved = await fetch(`${other}/v1/spaces/${space.id}/transfer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mover.client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ organization }),
    })
    assert.equal(moved.status, 200)
    answers.push((await mover.client.get(`/v1/spaces/${space.id}/revisions`)).status)
  }
  assert.deepEqual(
    answers.filter((status) => status !== 200 && status !== 409),
    [],
  )
})

/** Waits until this many statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await app.db.one(waiting)).count < count) await sleep(10)
}

/** Starts another node and returns its address. */
async function anotherNode(): Promise<string> {
  const db = new Database({ connectionString: app.databaseUrl }, app.config.limits)
  const { config } = app
  const node = await makeApp({ config, db, secrets: app.app.secrets, store: app.app.store })
  node.health.ready = true
  after(async () => {
    await node.close()
    await db.close()
  })
  return node.listen({ port: 0, host: '127.0.0.1' })
}

test('webhooks of both organizations are told of every transferred space, but not of spaces in the trash', async () => {
  const sender = new WebhookSender(app.app, { everyMs: 50, firstRetryMs: 100 })
  after(() => sender.close())
  sender.start()
  const { from, to, mover } = await aJourney()
  const { client } = from.admin
  const collection = await aCollection(client, from.id)
  const spaces = [await aSpace(client, from.id, { parent: collection.id }), await aSpace(client, from.id)]
  const deleted = await aSpace(client, from.id, { parent: collection.id })
  await client.delete(`/v1/spaces/${deleted.id}`)
  for (const thing of [collection, ...spaces]) await grant(client, thing, { users: [mover.id] }, 'create')
  const [there, here] = [await aReceiver(), await aReceiver()]
  await client.post(`/v1/orgs/${from.id}/webhooks`, { url: there.url })
  await to.admin.client.post(`/v1/orgs/${to.id}/webhooks`, { url: here.url })

  for (const thing of [collection, spaces[1]!]) assert.equal((await move(mover, thing, to.id)).status, 200)
  await until('both are told', () => there.received.length >= 2 && here.received.length >= 2)
  const told = (receiver: typeof here) =>
    Object.fromEntries(receiver.received.map(({ body }) => [body.spaceId, [body.type, body.urls.location]]))
  const expected = (type: string, locationOf: (id: string) => string | undefined) =>
    Object.fromEntries(spaces.map(({ id }) => [id, [type, locationOf(id)]]))
  assert.deepEqual(
    told(there),
    expected('space_deleted', () => undefined),
  )
  assert.deepEqual(
    told(here),
    expected('space_created', (id) => `http://lectern.test/v1/spaces/${id}`),
  )
})
