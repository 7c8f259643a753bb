import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { startApp } from '../../test/app.ts'
import { type TestSpace, aChangeRequest, aSpace } from '../../test/lines.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'

const app = await startApp()

async function counters(space: TestSpace) {
  return app.db.one(sql<{ open: number; draft: number }>`
    select coalesce(sum(requests_open), 0) as open, coalesce(sum(requests_draft), 0) as draft from counter_slots
    where space_id = ${space.id}`)
}

const idsOf = (list: { body: { items: { id: string }[] } }) => list.body.items.map(({ id }) => id)

test('a change request starts as a draft of the current content, with all its fields', async () => {
  const space = await aSpace(app)
  const made = await space.admin.client.post(`${space.path}/change-requests`, { subject: 'Better words' })
  assert.equal(made.status, 201)
  const { head } = await space.main.find()
  const { createdAt, updatedAt, id, createdBy, urls, ...rest } = made.body
  assert.deepEqual(rest, {
    object: 'change-request',
    number: 1,
    status: 'draft',
    subject: 'Better words',
    revision: head.id,
    revisionInitial: head.id,
    comments: 0,
    outdated: false,
  })
  assert.equal(createdBy.id, space.admin.id)
  assert.equal(createdAt, updatedAt)
  assert.equal(urls.location, `http://lectern.test/v1/spaces/${space.id}/change-requests/${id}`)

  const [byId, byNumber] = await Promise.all([
    space.admin.client.get(`${space.path}/change-requests/${id}`),
    space.admin.client.get(`${space.path}/change-requests/1`),
  ])
  assert.deepEqual([byId.body, byNumber.body], [made.body, made.body])
})

test('twenty change requests made at once get the numbers 1 to 20, and failed ones leave no gap', async () => {
  const space = await aSpace(app)
  const make = (subject: string) => space.admin.client.post(`${space.path}/change-requests`, { subject })
  const made = await Promise.all(
    Array.from({ length: 22 }, (_, i) => make(i % 11 === 0 ? 'x'.repeat(101) : `Number ${i}`)),
  )
  const numbers = made.filter(({ status }) => status === 201).map(({ body }) => body.number)
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  assert.deepEqual(await counters(space), { open: 0, draft: 20 })
  assert.equal((await make('One more')).body.number, 21)
})

test('a change request moves freely between draft, open and archived, and the counters follow', async () => {
  const space = await aSpace(app)
  const { path } = await aChangeRequest(space)
  const move = (status: string) => space.admin.client.patch(path, { status })
  const counts = { draft: { open: 0, draft: 1 }, open: { open: 1, draft: 0 }, archived: { open: 0, draft: 0 } }
  for (const status of ['open', 'draft', 'archived', 'open', 'open', 'archived', 'draft', 'open', 'draft'] as const) {
    assert.equal((await move(status)).body.status, status)
    assert.deepEqual(await counters(space), counts[status], status)
  }
  for (const status of ['merged', 'closed', null, 1]) {
    const refused = await space.admin.client.patch(path, { status })
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.status'])
  }
})

test('a description is kept as Markdown, whether it is sent as Markdown or as a document', async () => {
  const space = await aSpace(app)
  const { path } = await aChangeRequest(space)
  const set = async (description: unknown) => (await space.admin.client.patch(path, { description })).body
  assert.equal((await set('Some *words*')).description, 'Some *words*')
  assert.equal((await set({ markdown: 'Other' })).description, 'Other')
  const document = {
    object: 'document',
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'From blocks', marks: [] }] }],
      },
    ],
  }
  assert.equal((await set({ document })).description.trim(), 'From blocks')
  assert.equal((await set(document)).description.trim(), 'From blocks')
  assert.equal((await set({})).description, undefined)

  const broken = await space.admin.client.patch(path, { description: { document: { object: 'document', nodes: [5] } } })
  assert.deepEqual([broken.status, broken.body.error.details[0].path], [400, 'body.description.document.nodes.0'])
})

test('a change to a change request with an outdated If-Match is refused with 412', async () => {
  const space = await aSpace(app)
  const { path } = await aChangeRequest(space)
  const tag = (await space.admin.client.get(path)).headers.get('etag')!
  const change = (subject: string) => space.admin.client.patch(path, { subject }, { 'if-match': tag })
  assert.equal((await change('First')).status, 200)
  assert.equal((await change('Second')).status, 412)
  assert.equal((await space.admin.client.get(path)).body.subject, 'First')
})

test('a list of change requests has the open ones by default, the latest change first, page by page', async () => {
  const space = await aSpace(app)
  const [first, second, third] = [await aChangeRequest(space), await aChangeRequest(space), await aChangeRequest(space)]
  const { client } = space.admin
  const list = (query = '') => client.get(`${space.path}/change-requests${query}`)
  assert.deepEqual((await list()).body, { count: 0, items: [] })

  for (const { path } of [third, first]) await client.patch(path, { status: 'open' })
  assert.deepEqual(idsOf(await list()), [first.id, third.id])
  assert.deepEqual(idsOf(await list('?orderBy=createdAt')), [third.id, first.id])
  assert.deepEqual(idsOf(await list('?status=draft')), [second.id])
  assert.deepEqual(idsOf(await list('?status=draft&status=open')), [first.id, third.id, second.id])
  assert.equal((await list('?status=nothing')).status, 400)

  const walked: string[] = []
  let page = ''
  do {
    const { body } = await list(`?status=draft&status=open&limit=1${page}`)
    assert.equal(body.count, 3)
    walked.push(body.items[0].id)
    page = body.next ? `&page=${body.next.page}` : ''
  } while (page)
  assert.deepEqual(walked, [first.id, third.id, second.id])
})

test('a list of change requests can be filtered by creator, contributor and requested reviewer', async () => {
  const space = await aSpace(app)
  const [editor, reviewer] = [await space.member('edit'), await space.member('review')]
  const own = await aChangeRequest(space)
  const theirs = await aChangeRequest(space, { by: editor })
  await editor.client.post(`${theirs.path}/requested-reviewers`, { users: [reviewer.id] })
  await space.main.add({ title: 'New' })
  await editor.client.post(`${own.path}/update`)

  const found = async (query: string) =>
    idsOf(await space.admin.client.get(`${space.path}/change-requests?status=open&status=draft&${query}`))
  assert.deepEqual(await found(`creator=${editor.id}`), [theirs.id])
  assert.deepEqual(await found(`contributor=${editor.id}`), [own.id])
  assert.deepEqual(await found(`requestedReviewer=${reviewer.id}`), [theirs.id])
  assert.deepEqual(await found(`creator=${newId()}`), [])
  const refused = await space.admin.client.get(`${space.path}/change-requests?creator=me`)
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'query.creator'])
})

test('the list of an organization has and counts only change requests of spaces the caller may see', async () => {
  const organization = await anOrganization(app)
  const [one, two, trash] = [
    await aSpace(app, organization),
    await aSpace(app, organization),
    await aSpace(app, organization),
  ]
  const reader = await organization.member('read')
  const made = [await aChangeRequest(one), await aChangeRequest(two), await aChangeRequest(trash)]
  await app.db.run(sql`update spaces set inherits = false where id = ${two.id}`)
  await app.db.run(sql`update spaces set deleted_at = now() where id = ${trash.id}`)

  const list = (who: typeof reader, query = '') =>
    who.client.get(`/v1/orgs/${organization.id}/change-requests?status=draft${query}`)
  const seen = await list(reader)
  assert.deepEqual([idsOf(seen), seen.body.count], [[made[0]!.id], 1])
  assert.deepEqual(idsOf(await list(organization.admin)), [made[1]!.id, made[0]!.id])
  assert.deepEqual(idsOf(await list(organization.admin, `&space=${two.id}`)), [made[1]!.id])
  assert.deepEqual(idsOf(await list(reader, `&space=${two.id}`)), [])
  assert.equal((await list(await aStranger(app))).status, 404)
})

test('readers only read change requests, editors edit but do not review or merge, strangers and guests get 404', async () => {
  const space = await aSpace(app)
  const made = await aChangeRequest(space)
  await space.main.add({ title: 'New' })
  const [reader, editor, guest] = [await space.member('comment'), await space.member('edit'), await space.member(null)]
  const stranger = await aStranger(app)
  const calls: [method: string, path: string, body: unknown, needs: 'read' | 'edit' | 'review', done: number][] = [
    ['GET', `${space.path}/change-requests`, undefined, 'read', 200],
    ['GET', made.path, undefined, 'read', 200],
    ['GET', `${made.path}/changes`, undefined, 'read', 200],
    ['GET', `${made.path}/conflicts`, undefined, 'read', 200],
    ['GET', `${made.path}/reviews`, undefined, 'read', 200],
    ['GET', `${made.path}/requested-reviewers`, undefined, 'read', 200],
    ['GET', `${made.path}/contributors`, undefined, 'read', 200],
    ['POST', `${space.path}/change-requests`, {}, 'edit', 201],
    ['PATCH', made.path, { subject: 'Other' }, 'edit', 200],
    ['POST', `${made.path}/update`, undefined, 'edit', 200],
    ['POST', `${made.path}/requested-reviewers`, { users: [] }, 'edit', 200],
    ['POST', `${space.path}/revisions/${(await space.main.find()).head.id}/revert`, undefined, 'edit', 201],
    ['POST', `${made.path}/reviews`, { status: 'approved' }, 'review', 201],
    ['POST', `${made.path}/merge`, undefined, 'review', 200],
  ]
  for (const [method, path, body, needs, done] of calls) {
    const status = async (who: typeof reader) => (await who.client.send(method, path, body)).status
    const what = `${method} ${path}`
    assert.equal(await status(stranger), 404, what)
    assert.equal(await status(guest), 404, what)
    assert.equal(await status(reader), needs === 'read' ? done : 403, what)
    assert.equal(await status(editor), needs === 'review' ? 403 : done, what)
    assert.equal(await status(space.admin), done, what)
  }
  const elsewhere = await aSpace(app, space.organization)
  assert.equal((await space.admin.client.get(`${elsewhere.path}/change-requests/${made.id}`)).status, 404)
  for (const name of ['0', '99', 'x', newId(), '1e3', '-1'])
    assert.equal((await space.admin.client.get(`${space.path}/change-requests/${name}`)).status, 404, name)
})
