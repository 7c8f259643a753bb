import type { Client } from '../../../test/api-client.ts'
import assert from 'node:assert/strict'
import type { TestApp } from '../../../test/app.ts'
import { type TestOrganization, aStranger, anOrganization } from '../../../test/factories.ts'

/** A team with an owner and a member, and other people who are not in it. */
export async function aTeam(app: TestApp) {
  const org = await anOrganization(app)
  const [owner, member, outsider, guest] = await Promise.all([
    org.member('read'),
    org.member('read'),
    org.member('create'),
    org.member(null),
  ])
  const team = await createTeam(org, `Writers ${org.canary}`, [member.id])
  const path = `/v1/orgs/${org.id}/teams/${team.id}`
  await done(org.admin.client.put(`${path}/members/${owner.id}`, { role: 'owner' }))
  return { org, admin: org.admin, owner, member, outsider, guest, stranger: await aStranger(app), path, id: team.id }
}

export async function createTeam(
  org: TestOrganization,
  title: string,
  members: string[] = [],
): Promise<{ id: string }> {
  const created = await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title, members })
  assert.equal(created.status, 201, created.text)
  return created.body
}

export async function done(sent: ReturnType<Client['put']>): Promise<void> {
  const { status, text } = await sent
  assert.equal(status, 204, text)
}

/** Who is in the team and in which role, to check whether anything changed. */
export async function peopleIn({ admin, path }: Pick<Awaited<ReturnType<typeof aTeam>>, 'admin' | 'path'>) {
  const { body } = await admin.client.get(`${path}/members`)
  const items: { organization: { id: string }; team: { role: string } }[] = body.items
  assert.equal(body.count, items.length)
  return Object.fromEntries(items.map((item) => [item.organization.id, item.team.role]))
}

export const titlesOf = (items: { title: string }[]) => items.map((team) => team.title)
