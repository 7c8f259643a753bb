// Specifications and guests: there are none for them, but for what the spaces show that they read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { grant } from '../../test/content.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { expect } from '../../test/visitor.ts'
import { petstore } from './testing/petstore.ts'
import { anOrganizationWithSpec } from './testing/specs.ts'

const app = await startApp()

const sourceOf = (spec: string) => ({
  type: 'builtin:openapi',
  props: { doc: 'models' },
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
})

const reference = { operation: 'insert_page', type: 'computed', computed: sourceOf('shop'), metadata: { title: 'API' } }

/** A space of an organization with a specification, and two who have a role there: a guest, and a member. */
async function aSpaceWithGuest(role: string) {
  const { org, path } = await anOrganizationWithSpec(app, petstore)
  const space = await aLiveSpace(app, org)
  const [guest, member] = [await org.member(null), await org.member('read')]
  await grant(org.admin.client, { object: 'space', id: space.id }, { users: [guest.id, member.id] }, role)
  return { org, path, space, guest: guest.client, member: member.client }
}

test('a guest gets nothing computed from a specification that the space does not show', async () => {
  const { space, path, guest, member } = await aSpaceWithGuest('read')
  const compute = (who: typeof guest, what: string, spec = 'shop') =>
    who.post(`${space.path}/content/computed/${what}`, { source: sourceOf(spec), seed: 'x' })
  assert.equal((await guest.get(path)).status, 404)
  for (const what of ['document', 'revision']) {
    const [hidden, none] = [await compute(guest, what), await compute(guest, what, 'none')]
    assert.deepEqual([hidden.status, hidden.body.error.message], [404, none.body.error.message], what)
    assert.equal((await compute(member, what)).status, 200, what)
  }
  expect(await space.edit(reference), 200)
  for (const what of ['document', 'revision']) assert.equal((await compute(guest, what)).status, 200, what)
})
