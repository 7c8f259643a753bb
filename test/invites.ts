import assert from 'node:assert/strict'
import type { Role } from '../src/access/roles.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'
import type { Client } from './api-client.ts'
import type { TestApp } from './app.ts'
import type { TestOrganization, TestPerson } from './factories.ts'

/** Helpers for tests of invites. */
export function inviting(app: TestApp) {
  const passerby = app.client()
  const anAddress = () => `${newId()}@example.org`
  const secretOf = (url: string) => url.split('/').at(-1)!

  /** The client may see the words of those invited, because the inviter knows their addresses. */
  function invite(org: TestOrganization, body: unknown, invited: TestPerson[] = []) {
    const words = invited.map(({ user }) => user.email.split('.')[0]!)
    return app.client(org.admin.client.token, [org.canary, ...words]).post(`/v1/orgs/${org.id}/invites`, body)
  }

  async function anEmailInvite(
    org: TestOrganization,
    email = anAddress(),
    invited: TestPerson[] = [],
  ): Promise<string> {
    const { body } = await invite(org, { emails: [email] }, invited)
    return secretOf(body.invites[0].url)
  }

  async function aLink(org: TestOrganization, role: Role | null = 'read') {
    const { status, body } = await org.admin.client.post(`/v1/orgs/${org.id}/link-invites`, { role })
    assert.equal(status, 201)
    return { ...body, secret: secretOf(body.urls.invite) }
  }

  const acceptAsNewcomer = (secret: string, email: string, who: Client = passerby) =>
    who.post(`/v1/invites/${secret}/accept`, { email, displayName: 'Newcomer' })

  /** undefined if the user is not a member. */
  async function roleOf(org: TestOrganization, userId: string): Promise<Role | null | undefined> {
    const row = await app.db.find(sql<{ role: Role | null }>`
      select role from members where organization_id = ${org.id} and user_id = ${userId}`)
    return row?.role
  }

  const countRows = async (statement: Statement) => (await app.db.one(statement as Statement<{ count: number }>)).count
  const change = (statement: Statement) => transaction(app.db, nobody, (tx) => tx.run(statement))

  return { anAddress, secretOf, invite, anEmailInvite, aLink, acceptAsNewcomer, roleOf, countRows, change, passerby }
}
