import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import type { MergeRule, MergeRules } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { startApp } from '../../../test/app.ts'
import { type TestSpace, aChangeRequest, aSpace } from '../../../test/lines.ts'
import { type TestPerson, aStranger } from '../../../test/factories.ts'

const app = await startApp()

async function aChangeWithPeople() {
  const space = await aSpace(app)
  const author = await space.member('edit')
  const [reviewer, second] = [await space.member('review'), await space.member('review')]
  const [page] = (await space.main.add({ title: 'Guide' })) as [string]
  const change = await aChangeRequest(space, { by: author, subject: 'Better' })
  await change.branch.edit(page, { title: 'Better guide' })
  const review = (who: TestPerson, status: string, more: object = {}) =>
    who.client.post(`${change.path}/reviews`, { status, ...more })
  return { space, author, reviewer, second, page, change, review }
}

test('a review shows reviewer, revision, verdict and comment, and is outdated by the next write', async () => {
  const { space, author, reviewer, page, change, review } = await aChangeWithPeople()
  await author.client.post(`${change.path}/requested-reviewers`, { users: [reviewer.id] })
  const { body: made, status } = await review(reviewer, 'changes-requested', { comment: { markdown: 'Say *why*' } })
  assert.equal(status, 201)
  const seen = (await change.get()).revision
  assert.deepEqual(
    [made.object, made.revision, made.reviewer.id, made.requestedBy.id, made.status, made.outdated],
    ['change-request-review', seen, reviewer.id, author.id, 'changes-requested', false],
  )
  assert.deepEqual([made.comment.body, made.comment.target.review], [{ markdown: 'Say *why*' }, made.id])

  const get = async (query = '') => (await reviewer.client.get(`${change.path}/reviews/${made.id}${query}`)).body
  assert.deepEqual(await get(), made)
  assert.equal((await get('?format=document')).comment.body.document.object, 'document')
  await change.branch.edit(page, { title: 'Best guide' })
  assert.equal((await get()).outdated, true)

  await review(reviewer, 'approved')
  const list = async (query = '') => (await author.client.get(`${change.path}/reviews${query}`)).body
  assert.deepEqual(
    (await list()).items.map((each: { status: string }) => each.status),
    ['approved', 'changes-requested'],
  )
  assert.deepEqual([(await list('?outdated=true')).count, (await list('?outdated=false')).count], [1, 1])
  assert.equal((await author.client.get(`${change.path}/reviews/${newId()}`)).status, 404)
  const other = await aChangeRequest(space)
  assert.equal((await author.client.get(`${other.path}/reviews/${made.id}`)).status, 404)
})

test('a review is refused if its If-Match names an older revision, or if it has no valid status', async () => {
  const { reviewer, page, change } = await aChangeWithPeople()
  const seen = (await change.get()).revision
  await change.branch.edit(page, { title: 'Other' })
  const post = (body: object, headers = {}) => reviewer.client.post(`${change.path}/reviews`, body, headers)
  assert.equal((await post({ status: 'approved' }, { 'if-match': `"${seen}"` })).status, 412)
  assert.equal((await post({})).body.error.details[0].path, 'body.status')
  assert.equal((await post({ status: 'fine' })).body.error.details[0].path, 'body.status')
})

test('requesting reviewers opens the change request, and only people who may review can be requested', async () => {
  const { space, author, reviewer, second, change } = await aChangeWithPeople()
  const stranger = await aStranger(app)
  const ask = (users: string[], more: object = {}) =>
    author.client.post(`${change.path}/requested-reviewers`, { users, ...more })
  for (const nobody of [stranger.id, author.id, newId(), 'x']) {
    const refused = await ask([reviewer.id, nobody])
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.users.1'], nobody)
  }
  assert.equal((await change.get()).status, 'draft')

  const asked = await ask([reviewer.id, second.id, reviewer.id], { subject: 'Please', description: 'Look' })
  assert.deepEqual(asked.body.users.map((each: any) => each.user.id).toSorted(), [reviewer.id, second.id].toSorted())
  assert.deepEqual([asked.body.users[0].kind, asked.body.users[0].requestedBy.id], ['user', author.id])
  const opened = await change.get()
  assert.deepEqual([opened.status, opened.subject, opened.description], ['open', 'Please', 'Look'])
  assert.deepEqual(await slots(space), { open: 1, draft: 0 })

  const remove = (id: string) => author.client.delete(`${change.path}/requested-reviewers/${id}`)
  assert.equal((await remove(second.id)).status, 204)
  assert.equal((await remove(second.id)).status, 404)
  const { body } = await author.client.get(`${change.path}/requested-reviewers`)
  assert.deepEqual([body.count, body.items[0].user.id], [1, reviewer.id])
})

test('a requested reviewer is not listed while they may not review, and the merge does not wait for them', async () => {
  const { space, author, reviewer, second, change } = await aChangeWithPeople()
  const people = [reviewer, second, await space.member('review'), await space.member('review')] as const
  const users = people.map(({ id }) => id)
  assert.equal((await author.client.post(`${change.path}/requested-reviewers`, { users })).status, 200)
  const asked = async (query = '') => {
    const { body } = await author.client.get(`${change.path}/requested-reviewers${query}`)
    return [body.count, ...body.items.map((each: any) => each.user.id)]
  }
  assert.deepEqual((await asked()).slice(1).toSorted(), users.toSorted())

  const member = (who: TestPerson) => `/v1/orgs/${space.organization.id}/members/${who.id}`
  const { client } = space.admin
  await client.delete(member(people[1]))
  await client.patch(member(people[2]), { disabled: true })
  await client.patch(member(people[3]), { role: 'edit' })
  assert.deepEqual(await asked(), [1, reviewer.id])
  assert.deepEqual(await asked('?limit=1'), [1, reviewer.id])
  await client.patch(member(people[3]), { role: 'review' })
  assert.equal((await asked())[0], 2)
  await client.delete(member(reviewer))
  await client.delete(member(people[3]))
  assert.deepEqual(await asked(), [0])
  assert.equal((await client.post(`${change.path}/merge`)).body.result, 'merge')
})

test('without merge rules, neither a request for changes nor a review that is due blocks the merge', async () => {
  const { author, reviewer, second, change, review } = await aChangeWithPeople()
  const users = [reviewer.id, second.id]
  assert.equal((await author.client.post(`${change.path}/requested-reviewers`, { users })).status, 200)
  assert.equal((await review(reviewer, 'changes-requested', { comment: { markdown: 'Not yet' } })).status, 201)
  const reviews = (await author.client.get(`${change.path}/reviews`)).body
  assert.deepEqual(
    reviews.items.map((each: any) => [each.status, each.outdated]),
    [['changes-requested', false]],
  )
  const merged = await second.client.post(`${change.path}/merge`)
  assert.deepEqual([merged.status, merged.body.result], [200, 'merge'])
  assert.equal((await change.get()).status, 'merged')
})

async function slots(space: TestSpace) {
  return app.db.one(sql<{ open: number; draft: number }>`
    select sum(requests_open) as open, sum(requests_draft) as draft from counter_slots where space_id = ${space.id}`)
}

test('contributors are the people who updated or merged the change request, with a count', async () => {
  const { space, author, change, reviewer } = await aChangeWithPeople()
  await space.main.add({ title: 'News' })
  await author.client.post(`${change.path}/update`)
  await reviewer.client.post(`${change.path}/merge`)
  const { body } = await author.client.get(`${change.path}/contributors`)
  assert.deepEqual(
    body.items.map((each: any) => [each.user.id, each.actionType, each.count]).toSorted(),
    [
      [author.id, 'edit', 1],
      [reviewer.id, 'edit', 1],
    ].toSorted(),
  )
})

type Scene = Awaited<ReturnType<typeof aChangeWithPeople>>

interface Case {
  rule: (scene: Scene) => MergeRule
  /** What makes the merge meet the rule. */
  meet: (scene: Scene) => Promise<unknown>
  /** Setup that makes the merge break the rule, if it does not already. */
  breakIt?: (scene: Scene) => Promise<unknown>
  by?: (scene: Scene) => TestPerson
}

const rules: Record<string, Case> = {
  require_at_least_one_review: {
    rule: () => ({ type: 'require_at_least_one_review' }),
    meet: ({ review, reviewer }) => review(reviewer, 'changes-requested'),
  },
  require_at_least_one_approved_review: {
    rule: () => ({ type: 'require_at_least_one_approved_review' }),
    breakIt: ({ review, second }) => review(second, 'changes-requested'),
    meet: ({ review, reviewer }) => review(reviewer, 'approved'),
  },
  'an outdated approval': {
    rule: () => ({ type: 'require_at_least_one_approved_review' }),
    async breakIt({ review, reviewer, change, page }) {
      await review(reviewer, 'approved')
      await change.branch.edit(page, { title: 'Changed after the review' })
    },
    meet: ({ review, reviewer }) => review(reviewer, 'approved'),
  },
  require_all_reviews_approved: {
    rule: () => ({ type: 'require_all_reviews_approved' }),
    async breakIt({ review, reviewer, second }) {
      await review(reviewer, 'changes-requested')
      await review(second, 'approved')
    },
    meet: ({ review, reviewer }) => review(reviewer, 'approved'),
  },
  'changes that somebody asked for who is no member any more': {
    rule: () => ({ type: 'require_all_reviews_approved' }),
    breakIt: ({ review, reviewer }) => review(reviewer, 'changes-requested'),
    meet: ({ space, reviewer }) =>
      space.admin.client.delete(`/v1/orgs/${space.organization.id}/members/${reviewer.id}`),
  },
  'an approval by somebody who is disabled': {
    rule: () => ({ type: 'require_at_least_one_approved_review' }),
    async breakIt({ review, space, second }) {
      await review(second, 'approved')
      await space.admin.client.patch(`/v1/orgs/${space.organization.id}/members/${second.id}`, { disabled: true })
    },
    meet: ({ review, reviewer }) => review(reviewer, 'approved'),
  },
  'an approval by somebody who may not review any more': {
    rule: () => ({ type: 'custom', expression: 'reviews.approved >= 1', message: 'Name the ticket' }),
    async breakIt({ review, space, second }) {
      await review(second, 'approved')
      const grant = { role: 'edit', users: [second.id] }
      assert.equal((await space.admin.client.post(`/v1/spaces/${space.id}/permissions`, grant)).status, 204)
    },
    meet: ({ review, reviewer }) => review(reviewer, 'approved'),
  },
  'an approval by somebody whose account is closed': {
    rule: () => ({ type: 'require_at_least_one_review' }),
    async breakIt({ review, second }) {
      await review(second, 'approved')
      await app.db.run(sql`update users set disabled = true where id = ${second.id}`)
    },
    meet: ({ review, reviewer }) => review(reviewer, 'approved'),
  },
  'changes that somebody asked for who may not review any more': {
    rule: () => ({ type: 'require_all_reviews_approved' }),
    breakIt: ({ review, reviewer }) => review(reviewer, 'changes-requested'),
    meet: ({ space, reviewer }) =>
      space.admin.client.patch(`/v1/orgs/${space.organization.id}/members/${reviewer.id}`, { role: 'read' }),
  },
  require_up_to_date_change_request: {
    rule: () => ({ type: 'require_up_to_date_change_request' }),
    breakIt: ({ space }) => space.main.add({ title: 'News' }),
    meet: ({ author, change }) => author.client.post(`${change.path}/update`),
  },
  require_change_request_subject: {
    rule: () => ({ type: 'require_change_request_subject' }),
    breakIt: ({ author, change }) => author.client.patch(change.path, { subject: ' ' }),
    meet: ({ author, change }) => author.client.patch(change.path, { subject: 'Named' }),
  },
  require_change_request_description: {
    rule: () => ({ type: 'require_change_request_description' }),
    meet: ({ author, change }) => author.client.patch(change.path, { description: 'Why' }),
  },
  require_specific_reviewers: {
    rule: ({ reviewer, second }) => ({ type: 'require_specific_reviewers', users: [reviewer.id, second.id] }),
    breakIt: ({ review, reviewer }) => review(reviewer, 'approved'),
    meet: ({ review, second }) => review(second, 'approved'),
  },
  require_one_of_specific_reviewers: {
    rule: ({ reviewer, second }) => ({ type: 'require_one_of_specific_reviewers', users: [reviewer.id, second.id] }),
    breakIt: ({ review, space }) => review(space.admin, 'approved'),
    meet: ({ review, second }) => review(second, 'approved'),
  },
  custom: {
    rule: () => ({
      type: 'custom',
      expression: "changeRequest.subject.startsWith('DOC-') && reviews.approved >= 1 && !changeRequest.outdated",
      message: 'Name the ticket',
    }),
    breakIt: ({ review, reviewer }) => review(reviewer, 'approved'),
    meet: ({ author, change }) => author.client.patch(change.path, { subject: 'DOC-7: Better' }),
  },
}

async function setRules(table: 'spaces' | 'organizations', id: string, kept: MergeRules): Promise<void> {
  const name = table === 'spaces' ? sql`spaces` : sql`organizations`
  await app.db.run(sql`update ${name} set merge_rules = ${JSON.stringify(kept)}::jsonb where id = ${id}`)
}

for (const [name, { rule, meet, breakIt, by }] of Object.entries(rules)) {
  test(`a merge is refused with 412 until its rule is met: ${name}`, async () => {
    const scene = await aChangeWithPeople()
    const wanted = rule(scene)
    await setRules('spaces', scene.space.id, { type: 'rules', rules: [wanted] })
    await breakIt?.(scene)
    const merge = () => (by?.(scene) ?? scene.space.admin).client.post(`${scene.change.path}/merge`)
    const refused = await merge()
    assert.deepEqual([refused.status, refused.body.error.type], [412, 'merge_rule'])
    assert.equal(refused.body.error.details[0].rule, wanted.type)
    assert.match(refused.body.error.message, new RegExp(`^${wanted.type}: `))
    if (wanted.type === 'custom') assert.match(refused.body.error.message, /Name the ticket/)
    await meet(scene)
    assert.equal((await merge()).body.result, 'merge')
  })
}

test('a rule can reserve the merge for the author, and a bypass lets certain people merge despite all rules', async () => {
  const scene = await aChangeWithPeople()
  const { space, reviewer, second, page } = scene
  const own = await aChangeRequest(space, { by: second })
  await own.branch.edit(page, { title: 'Own' })
  const users = [reviewer.id]
  await setRules('spaces', space.id, {
    type: 'rules',
    rules: [
      { type: 'require_author_to_merge' },
      { type: 'require_change_request_description' },
      { type: 'allow_bypass', users },
    ],
  })
  const refused = await space.admin.client.post(`${own.path}/merge`)
  assert.deepEqual(
    refused.body.error.details.map((each: { path: string; rule: string }) => [each.path, each.rule]),
    [
      ['mergeRules.rules.0', 'require_author_to_merge'],
      ['mergeRules.rules.1', 'require_change_request_description'],
    ],
  )
  await second.client.patch(own.path, { description: 'Why' })
  assert.equal((await space.admin.client.post(`${own.path}/merge`)).status, 412)
  assert.equal((await second.client.post(`${own.path}/merge`)).body.result, 'merge')
  const again = await aChangeRequest(space, { by: second })
  assert.equal((await reviewer.client.post(`${again.path}/merge`)).body.result, 'merge')
})

test('if only the author may merge, a refusal says so when the author cannot', async () => {
  const { space, author, change } = await aChangeWithPeople()
  const { client } = space.admin
  const member = `/v1/orgs/${space.organization.id}/members/${author.id}`
  await setRules('spaces', space.id, { type: 'rules', rules: [{ type: 'require_author_to_merge' }] })
  const refusal = async () => (await client.post(`${change.path}/merge`)).body.error.message as string
  const inVain = /its author may not merge here: somebody has to change the rule/
  assert.match(await refusal(), inVain)
  assert.equal((await client.patch(member, { role: 'review' })).status, 200)
  assert.match(await refusal(), /only its author may merge/)
  assert.equal((await client.delete(member)).status, 204)
  assert.match(await refusal(), inVain)
})

test('a space that inherits has the merge rules of its organization, and a rule that cannot be parsed is not met', async () => {
  const { space, change } = await aChangeWithPeople()
  const merge = () => space.admin.client.post(`${change.path}/merge`)
  await setRules('organizations', space.organization.id, {
    type: 'rules',
    rules: [{ type: 'custom', expression: 'reviews..' }],
  })
  assert.equal((await merge()).status, 412)
  await setRules('spaces', space.id, { type: 'none' })
  assert.equal((await merge()).body.result, 'merge')
})

test('a rule that waits for people who can no longer review names them, not an approval that cannot come', async () => {
  const { space, reviewer, second, change, review } = await aChangeWithPeople()
  const member = `/v1/orgs/${space.organization.id}/members`
  const { client } = space.admin
  const refusal = async (type: 'require_specific_reviewers' | 'require_one_of_specific_reviewers', users: string[]) => {
    await setRules('spaces', space.id, { type: 'rules', rules: [{ type, users }] })
    const { status, body } = await client.post(`${change.path}/merge`)
    assert.equal(status, 412)
    assert.equal(body.error.message, `${type}: ${body.error.details[0].message}.`)
    return body.error.message as string
  }
  await review(second, 'approved')
  const both = [reviewer.id, second.id]
  assert.doesNotMatch(await refusal('require_specific_reviewers', both), /no longer/)

  await client.patch(`${member}/${reviewer.id}`, { role: 'read' })
  const demoted = await refusal('require_specific_reviewers', both)
  assert.match(demoted, /can no longer review here/)
  assert.deepEqual([demoted.includes(reviewer.id), demoted.includes(second.id)], [true, false])

  await client.patch(`${member}/${second.id}`, { disabled: true })
  assert.match(await refusal('require_one_of_specific_reviewers', both), /can no longer review here/)
  assert.doesNotMatch(await refusal('require_one_of_specific_reviewers', [...both, space.admin.id]), /no longer/)
  await client.delete(`${member}/${second.id}`)
  assert.ok((await refusal('require_specific_reviewers', both)).includes(second.id))
})
