import assert from 'node:assert/strict'
import { test } from 'node:test'
import { top } from '../../content/merge/entry.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { findBody } from '../../revisions/bodies.ts'
import { listAll, listEntries } from '../../revisions/entries.ts'
import { findRevision } from '../../revisions/lines.ts'
import { asRevision } from '../../revisions/revision.ts'
import { startApp } from '../../../test/app.ts'
import { type TestLine, type TestSpace, aChangeRequest, aSpace } from '../../../test/lines.ts'
import { stateOf } from '../../../test/state.ts'

const app = await startApp()

/** A space with one page of eight lines, and a change request. */
async function aPageAndAChange() {
  const space = await aSpace(app)
  const body = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'
  const [id] = (await space.main.add({ title: 'Guide', slug: 'guide', body })) as [string]
  return { space, id, change: await aChangeRequest(space), client: space.admin.client, body }
}

async function bodyOf(space: TestSpace, line: TestLine, id: string): Promise<string> {
  const [entry] = await listEntries(app.db, (await line.find()).head, [id])
  return findBody(app.db, space.organization.id, entry!.doc!)
}

async function titleOf(line: TestLine, id: string) {
  return (await line.pages()).get(id)?.data?.title
}

test('a change request is made, written, updated, reviewed and merged', async () => {
  const { space, id, change, client, body } = await aPageAndAChange()
  await change.branch.edit(id, { body: body.replace('two', 'TWO') })
  await space.main.edit(id, { body: body.replace('seven', 'SEVEN'), title: 'The guide' })
  const before = await change.get()
  assert.deepEqual([before.outdated, before.revisionMergedAncestor], [true, undefined])

  const mainHead = (await space.main.find()).head
  const branchHead = (await change.branch.find()).head
  const updated = await client.post(`${change.path}/update`)
  assert.deepEqual([updated.status, updated.body.result], [200, 'update'])
  assert.equal(updated.headers.get('etag'), `"${updated.body.revision}"`)
  const current = await change.get()
  assert.deepEqual(
    [current.revision, current.revisionMergedAncestor, current.outdated, current.status],
    [updated.body.revision, mainHead.id, false, 'draft'],
  )
  const revision = (await findRevision(app.db, space.organization.id, space.id, updated.body.revision))!
  assert.deepEqual([revision.type, revision.parents], ['update', [branchHead.id, mainHead.id]])

  const reviewer = await space.member('review')
  assert.equal((await reviewer.client.post(`${change.path}/reviews`, { status: 'approved' })).status, 201)
  const merged = await reviewer.client.post(`${change.path}/merge`)
  assert.deepEqual([merged.status, merged.body.result], [200, 'merge'])
  const after = (await space.main.find()).head
  assert.equal(merged.body.revision, after.id)
  assert.equal(await bodyOf(space, space.main, id), body.replace('two', 'TWO').replace('seven', 'SEVEN'))
  assert.equal(await titleOf(space.main, id), 'The guide')

  const done = await change.get()
  assert.deepEqual([done.status, done.revisionMerged, done.outdated], ['merged', after.id, false])
  const mergeRevision = (await findRevision(app.db, space.organization.id, space.id, after.id))!
  assert.deepEqual(
    [mergeRevision.type, mergeRevision.parents, mergeRevision.merged_from, mergeRevision.author_id],
    ['merge', [mainHead.id, updated.body.revision], change.id, reviewer.id],
  )
})

test('a merged change request refuses every other change with 409, and an update of it changes nothing', async () => {
  const { space, id, change, client } = await aPageAndAChange()
  await change.branch.edit(id, { title: 'New' })
  await client.post(`${change.path}/merge`)
  const { revision } = await change.get()
  await space.main.edit(id, { title: 'Newer' })

  const before = await stateOf(app.db)
  for (const [method, path, body] of [
    ['POST', `${change.path}/merge`, undefined],
    ['PATCH', change.path, { status: 'open' }],
    ['PATCH', change.path, { subject: 'Late' }],
    ['POST', `${change.path}/reviews`, { status: 'approved' }],
    ['POST', `${change.path}/requested-reviewers`, { users: [] }],
    ['DELETE', `${change.path}/requested-reviewers/${newId()}`, undefined],
  ] as const) {
    assert.equal((await client.send(method, path, body)).status, 409, `${method} ${path}`)
  }
  const updated = await client.post(`${change.path}/update`)
  assert.deepEqual([updated.status, updated.body], [200, { revision, result: 'update' }])
  assert.equal(await stateOf(app.db), before)
  assert.equal((await change.get()).outdated, false)
})

test('an archived change request cannot be merged, but can be updated and opened again', async () => {
  const { space, id, change, client } = await aPageAndAChange()
  await change.branch.edit(id, { title: 'New' })
  await client.patch(change.path, { status: 'archived' })
  await space.main.add({ title: 'Other' })
  assert.equal((await client.post(`${change.path}/merge`)).status, 409)
  assert.equal((await client.post(`${change.path}/update`)).body.result, 'update')
  assert.equal((await change.get()).status, 'archived')
  await client.patch(change.path, { status: 'open' })
  assert.equal((await client.post(`${change.path}/merge`)).body.result, 'merge')
})

test('a change request without changes merges, and an update with nothing to do writes nothing', async () => {
  const { space, change, client } = await aPageAndAChange()
  const { head } = await space.main.find()
  const before = await stateOf(app.db)
  assert.deepEqual((await client.post(`${change.path}/update`)).body, { revision: head.id, result: 'update' })
  assert.equal(await stateOf(app.db), before)

  const { body } = await client.post(`${change.path}/merge`)
  assert.equal(body.result, 'merge')
  const revision = (await findRevision(app.db, space.organization.id, space.id, body.revision))!
  assert.deepEqual([revision.seq, revision.type, revision.parents], [head.seq + 1, 'merge', [head.id]])
})

test('merge and update are refused with 412 if the change request changed since it was read', async () => {
  const { id, change, client } = await aPageAndAChange()
  const seen = (await change.get()).revision
  await change.branch.edit(id, { title: 'New' })
  for (const what of ['merge', 'update']) {
    const refused = await client.post(`${change.path}/${what}`, undefined, { 'if-match': `"${seen}"` })
    assert.deepEqual([refused.status, refused.body.error.type], [412, 'precondition_failed'])
  }
  const now = (await change.get()).revision
  assert.equal((await client.post(`${change.path}/merge`, undefined, { 'if-match': `"${now}"` })).status, 200)
})

test('a merge that is sent twice with one idempotency key happens once', async () => {
  const { space, id, change, client } = await aPageAndAChange()
  await change.branch.edit(id, { title: 'New' })
  const merge = () => client.post(`${change.path}/merge`, undefined, { 'idempotency-key': 'once' })
  const [first, second] = [await merge(), await merge()]
  assert.deepEqual([second.status, second.body], [200, first.body])
  assert.equal((await space.main.find()).head.id, first.body.revision)
})

test('a merge writes only the rows of its changes, and gives a taken slug a suffix', async () => {
  const { space, change, client } = await aPageAndAChange()
  await change.branch.add({ title: 'New', slug: 'guide' })
  const { body } = await client.post(`${change.path}/merge`)
  const written = await app.db.all(sql<{ slug: string }>`
    select e.slug from entries e join revisions r using (organization_id, line_id)
    where r.id = ${body.revision} and e.from_seq = r.seq`)
  assert.deepEqual(
    written.map(({ slug }) => slug),
    ['guide-1'],
    'a slug that main has is given with a suffix',
  )
  assert.equal((await space.main.pages()).size, 2)
})

test('old revisions of main and of the branch never change', async () => {
  const { space, id, change, client, body } = await aPageAndAChange()
  const seen = new Map<string, string>()
  const see = async () => {
    for (const line of [space.main, change.branch]) {
      const { head } = await line.find()
      const key = `${head.lineId} ${head.seq} ${head.base?.seq}`
      seen.set(
        key,
        JSON.stringify([head, (await listAll(app.db, head, 1)).toSorted((a, b) => (a.entry < b.entry ? -1 : 1))]),
      )
    }
  }
  await see()
  await change.branch.edit(id, { body: body.replace('two', 'TWO') })
  await see()
  const [child] = await change.branch.add({ title: 'Child', parent: id })
  await see()
  await space.main.edit(id, { title: 'Other', slug: 'other' })
  await see()
  await client.post(`${change.path}/update`)
  await see()
  await change.branch.remove(child!)
  await see()
  await client.post(`${change.path}/merge`)
  await see()
  await space.main.remove(id)
  for (const [, state] of seen) {
    const [head, entries] = JSON.parse(state)
    const again = (await listAll(app.db, { ...head, base: head.base ?? undefined }, 1)).toSorted((a, b) =>
      a.entry < b.entry ? -1 : 1,
    )
    assert.deepEqual(JSON.parse(JSON.stringify(again)), entries)
    const row = await findRevision(app.db, space.organization.id, space.id, head.id)
    if (row && row.line_id === head.lineId) assert.deepEqual(JSON.parse(JSON.stringify(asRevision(row))), head)
  }
})

test('simultaneous merges all succeed, except one that clashes with another and reports conflicts', async () => {
  const { space, id, client } = await aPageAndAChange()
  const [one, two, other] = [await aChangeRequest(space), await aChangeRequest(space), await aChangeRequest(space)]
  await one.branch.edit(id, { title: 'One' })
  await two.branch.edit(id, { title: 'Two' })
  await other.branch.add({ title: 'Other' })
  const answers = await Promise.all([one, two, other].map(({ path }) => client.post(`${path}/merge`)))
  const results = answers.map(({ body }) => body.result)
  assert.equal(results[2], 'merge')
  assert.deepEqual(results.slice(0, 2).toSorted(), ['conflicts', 'merge'])
  assert.equal(await titleOf(space.main, id), results[0] === 'merge' ? 'One' : 'Two')
})

test('a change request that is merged by six requests at once is merged once', async () => {
  const { space, id, change, client } = await aPageAndAChange()
  await change.branch.edit(id, { title: 'Once' })
  const { head } = await space.main.find()
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(`${change.path}/merge`)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409])
  assert.equal((await space.main.find()).head.seq, head.seq + 1)
})

test('twenty simultaneous merges have the same result as those merges one after the other', async () => {
  const build = async () => {
    const space = await aSpace(app)
    const ids = await space.main.add(
      ...Array.from({ length: 6 }, (_, i) => ({
        title: `Page ${i}`,
        slug: `page-${i}`,
        position: `a${i}`,
        body: bodyWith(i),
      })),
    )
    const changes = []
    for (let i = 0; i < 20; i++) {
      const change = await aChangeRequest(space, { subject: `${i}` })
      const target = ids[i % 6]!
      if (i % 5 === 0) await change.branch.edit(target, { title: `Title ${i}` })
      else if (i % 5 === 1)
        await change.branch.edit(target, { body: bodyWith(i % 6).replace(`line ${i}\n`, `LINE ${i}\n`) })
      else if (i % 5 === 2)
        await change.branch.add({ title: `Added ${i}`, slug: 'added', position: `b${i}`, body: `added ${i}\n` })
      else if (i % 5 === 3) await change.branch.edit(target, { parent: ids[(i + 1) % 6]!, position: `c${i}` })
      else await change.branch.remove(target)
      changes.push(change)
    }
    return { space, ids, changes }
  }
  const atOnce = await build()
  const results = await Promise.all(
    atOnce.changes.map(({ path }) => atOnce.space.admin.client.post(`${path}/merge`).then(({ body }) => body.result)),
  )
  const order = await app.db.all(sql<{ subject: string }>`
    select c.subject from revisions r join change_requests c on c.organization_id = r.organization_id and c.id = r.merged_from
    where c.space_id = ${atOnce.space.id} order by r.seq`)
  assert.equal(order.length, results.filter((result) => result === 'merge').length)
  assert.ok(order.length >= 8, `${order.length} were merged`)

  const inTurn = await build()
  for (const { subject } of order) {
    const change = inTurn.changes[Number(subject)]!
    const answer = await inTurn.space.admin.client.post(`${change.path}/merge`)
    assert.equal(answer.body.result, 'merge', `${subject} merges in that order`)
  }
  assert.deepEqual(await shape(atOnce.space, atOnce.ids), await shape(inTurn.space, inTurn.ids))
})

const bodyWith = (page: number) => Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('') + `page ${page}\n`

/**
 * A space without its ids: which page has which parent, title, address and body. Suffixes of addresses depend on ids,
 * so they are removed.
 */
async function shape(space: TestSpace, ids: string[]): Promise<string[]> {
  const pages = await space.main.pages()
  const nameOf = (id: string) =>
    id === top ? 'top' : ids.includes(id) ? `page ${ids.indexOf(id)}` : pages.get(id)!.data!.title
  return [...pages.values()]
    .map(({ entry, parent, slug, position, doc, data }) =>
      JSON.stringify([
        nameOf(entry),
        nameOf(parent),
        slug!.replace(/^added(-\d+)?$/, 'added'),
        position,
        doc,
        data!.title,
      ]),
    )
    .toSorted()
}
