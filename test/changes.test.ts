import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { startApp } from './app.ts'
import { anOrganization } from './factories.ts'

const app = await startApp()

interface ChangeRow {
  action: string
  actor_id: string
  token_id: string
  target_id: string
  fields: string[] | null
  request_id: string
  address: string
}

const changesOf = (organizationId: string) =>
  app.db.all(sql<ChangeRow>`
  select action, actor_id, token_id, target_id, fields, request_id, address from changes
  where organization_id = ${organizationId} and actor_id is not null and action <> 'access.denied' order by id`)

test('a change is recorded with who, what and which request, and without its content', async () => {
  const org = await anOrganization(app)
  const answer = await org.admin.client.patch(`/v1/orgs/${org.id}`, { title: `Secret plan ${org.canary}` })
  const [change, ...more] = await changesOf(org.id)

  assert.equal(more.length, 0)
  assert.deepEqual(
    { ...change, token_id: typeof change!.token_id },
    {
      action: 'organization.updated',
      actor_id: org.admin.id,
      token_id: 'string',
      target_id: org.id,
      fields: ['title'],
      request_id: answer.headers.get('x-request-id'),
      address: '127.0.0.1',
    },
  )
})

test('a request that is refused changes nothing: all that may be recorded is that it was', async () => {
  const org = await anOrganization(app)
  const reader = await org.member('read')
  assert.equal((await reader.client.patch(`/v1/orgs/${org.id}`, { title: 'No' })).status, 403)
  assert.equal((await org.admin.client.patch(`/v1/orgs/${org.id}`, { hostname: 'admin' })).status, 400)
  assert.deepEqual(await changesOf(org.id), [])
})

test('the record cannot be rewritten, not even by us', async () => {
  const org = await anOrganization(app)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { ai: true })
  await assert.rejects(app.db.run(sql`update changes set action = 'x'`), /append-only/)
  await assert.rejects(app.db.run(sql`delete from changes`), /append-only/)
  await assert.rejects(app.db.run(sql`truncate changes`), /append-only/)
})
