import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { statementsSent } from '../../test/statements-sent.ts'

const app = await startApp()

test('counting what a member can open takes one statement in answers that show it, and none in others', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { id } = await org.member('read')
  const path = `/v1/orgs/${org.id}/members/${id}`
  const team = (await client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team' })).body
  // The only statement that goes through all spaces of the organization.
  const counts = async (status: number, send: () => Promise<{ status: number }>) => {
    const sent = await statementsSent(async () => assert.equal((await send()).status, status))
    return sent.filter((text) => text.includes('bit_count')).length
  }

  assert.equal(await counts(200, () => client.get(path)), 1)
  assert.equal(await counts(200, () => client.get(`/v1/orgs/${org.id}/members`)), 1)
  for (const list of ['spaces', 'teams', 'tokens']) {
    assert.equal(await counts(200, () => client.get(`${path}/${list}`)), 0, list)
  }
  assert.equal(await counts(204, () => client.put(`/v1/orgs/${org.id}/teams/${team.id}/members/${id}`, {})), 0, 'team')
  assert.equal(await counts(200, () => client.patch(path, { role: 'edit' })), 1, 'changed')
  assert.equal(await counts(204, () => client.delete(path)), 0, 'removed')
})
