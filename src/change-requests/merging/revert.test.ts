import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../ids.ts'
import { findRevision } from '../../revisions/lines.ts'
import { startApp } from '../../../test/app.ts'
import { aChangeRequest, aSpace } from '../../../test/lines.ts'

const app = await startApp()

async function aMergedChange() {
  const space = await aSpace(app)
  const [guide, other] = (await space.main.add({ title: 'Guide' }, { title: 'Other' })) as [string, string]
  const before = await space.main.pages()
  const change = await aChangeRequest(space, { subject: 'Rework' })
  await change.branch.edit(guide, { title: 'Reworked', body: 'new\n' })
  await change.branch.remove(other)
  const [added] = (await change.branch.add({ title: 'Added' })) as [string]
  const { body } = await space.admin.client.post(`${change.path}/merge`)
  const revert = (id: string = body.revision) => space.admin.client.post(`${space.path}/revisions/${id}/revert`)
  return {
    space,
    guide,
    other,
    added,
    before,
    change,
    revert,
    client: space.admin.client,
    merged: body.revision as string,
  }
}

test('reverting a merge makes a change request that brings the old state back, including ids', async () => {
  const { space, before, revert, client, merged } = await aMergedChange()
  const made = await revert()
  assert.deepEqual([made.status, made.body.status, made.body.subject], [201, 'draft', 'Revert “Rework”'])
  const revision = (await findRevision(app.db, space.organization.id, space.id, made.body.revision))!
  assert.deepEqual([revision.type, revision.parents, made.body.revisionInitial], ['rollback', [merged], merged])
  const answer = await client.post(`${space.path}/change-requests/${made.body.id}/merge`)
  assert.equal(answer.body.result, 'merge')
  assert.deepEqual(await space.main.pages(), before)
})

test('a revert keeps what came later, and has conflicts to settle where that is not possible', async () => {
  const { space, guide, added, revert, client } = await aMergedChange()
  const [later] = (await space.main.add({ title: 'Later' })) as [string]
  await space.main.edit(guide, { title: 'Later title' })
  await space.main.edit(added, { title: 'Added to' })
  const { body } = await revert()
  const path = `${space.path}/change-requests/${body.id}`
  const conflicts = (await client.get(`${path}/conflicts`)).body
  assert.deepEqual(
    conflicts.items.map((each: any) => [each.state, each.kind, each.entry.id, each.field]).toSorted(),
    [
      ['open', 'deleted-here', added, 'page'],
      ['open', 'field', guide, 'title'],
    ].toSorted(),
  )
  assert.equal((await client.post(`${path}/merge`)).body.result, 'conflicts')
  const branch = await space.branch(body.id)
  const pages = await branch.pages()
  assert.ok(pages.has(later))
  assert.equal(pages.get(guide)!.data!.title, 'Guide')
})

test('only revisions of main can be reverted, except the first one', async () => {
  const { space, guide, change, revert, client } = await aMergedChange()
  const first = (await findRevision(app.db, space.organization.id, space.id, (await change.get()).revisionInitial))!
  assert.equal((await revert(first.id)).status, 201, 'the second revision of the space')
  assert.equal((await revert(first.parents[0])).status, 409)
  assert.equal((await revert((await change.get()).revision)).status, 409)
  assert.equal((await revert(newId())).status, 404)
  const elsewhere = await aSpace(app, space.organization)
  assert.equal((await client.post(`${elsewhere.path}/revisions/${first.id}/revert`)).status, 404)
  assert.ok(guide)
})
