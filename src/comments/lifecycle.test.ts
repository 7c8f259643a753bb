import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { addMember } from '../organizations/members.actions.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'

const app = await startApp()

/** A space with a comment on it and one on its change request, each with a reply and a reaction. */
async function aDiscussedSpace() {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const [page] = idsOf(await space.edit(newPage('Guide'))) as [string]
  const change = await space.changeRequest()
  const ids = []
  for (const place of [space.path, change.path]) {
    const { id } = (await space.who.post(`${place}/comments`, { body: { markdown: 'Hm' }, page })).body
    await space.who.post(`${place}/comments/${id}/replies`, { body: { markdown: 'Yes' } })
    await space.who.put(`${place}/comments/${id}`, { addedReactions: ['👍'] })
    ids.push(id)
  }
  await space.who.post(`${change.path}/reviews`, { status: 'approved', comment: { markdown: 'Fine' } })
  return { org, space, change, ids }
}

test('a space takes its comments along to another organization', async () => {
  const { org, space, change, ids } = await aDiscussedSpace()
  const other = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: other.id, userId: org.admin.id, role: 'create', sso: false }),
  )
  const moved = await space.who.post(`${space.path}/transfer`, { organization: other.id })
  assert.deepEqual([moved.status, moved.body.comments], [200, 1])
  for (const [i, place] of [space.path, change.path].entries()) {
    const { body } = await space.who.get(`${place}/comments/${ids[i]}`)
    assert.deepEqual([body.replies, body.reactions[0].count, body.target.page.outdated], [1, 1, false])
  }
  const { comment } = (await space.who.get(`${change.path}/reviews`)).body.items[0]
  assert.equal((await space.who.put(`${change.path}/comments/${comment.id}`, { resolved: true })).status, 200)
  assert.equal((await space.who.get(change.path)).body.comments, 1)
  assert.equal((await space.who.get(`${space.path}/commenters`)).body.count, 1)
  assert.equal((await app.db.all(sql`select from comments where organization_id = ${org.id}`)).length, 0)
  await assertSound(app.db)
})

test('a duplicated space has no comments and no commenters', async () => {
  const { space } = await aDiscussedSpace()
  const { body: copy } = await space.who.post(`${space.path}/duplicate`)
  assert.equal(copy.comments, 0)
  assert.equal((await space.who.get(`/v1/spaces/${copy.id}/comments`)).body.count, 0)
  assert.equal((await space.who.get(`/v1/spaces/${copy.id}/commenters`)).body.count, 0)
  await assertSound(app.db)
})

test('a space in the trash hides its comments, gets them back when restored, and is purged with them', async () => {
  const { space, change, ids } = await aDiscussedSpace()
  await space.who.delete(space.path)
  for (const place of [space.path, change.path]) assert.equal((await space.who.get(`${place}/comments`)).status, 404)
  await space.who.post(`${space.path}/restore`)
  assert.equal((await space.who.get(`${space.path}/comments/${ids[0]}`)).body.replies, 1)

  await space.who.delete(space.path)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${space.id}`)
  await purgeSpaces.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  const left = await app.db.all(sql`
    select from comments where space_id = ${space.id}
    union all select from comment_reactions where space_id = ${space.id}
    union all select from commenters where space_id = ${space.id}
    union all select from request_counter_slots where change_request_id = ${change.id}
    union all select from spaces where id = ${space.id}`)
  assert.equal(left.length, 0)
  await assertSound(app.db)
})
