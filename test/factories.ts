import type { Role } from '../src/access/roles.ts'
import type { OrganizationRow, UserRow } from '../src/db/tables.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { createOrganization } from '../src/organizations/actions.ts'
import { addMember } from '../src/organizations/members.actions.ts'
import { createToken } from '../src/tokens/actions.ts'
import { createUser } from '../src/users/actions.ts'
import { newId } from '../src/ids.ts'
import type { Client } from './api-client.ts'
import type { TestApp } from './app.ts'

export interface TestPerson {
  user: UserRow
  client: Client
  id: string
}

/** An organization for one test, whose texts can be recognized by a word. */
export interface TestOrganization {
  id: string
  row: OrganizationRow
  canary: string
  admin: TestPerson
  /** Adds a person with this role. null makes them a guest. */
  member(role: Role | null, options?: { sso?: boolean }): Promise<TestPerson>
}

export async function anOrganization(test: TestApp): Promise<TestOrganization> {
  const canary = test.canaries.hatch()
  const person = () => aPerson(test, { canary })
  const admin = await person()
  const row = await transaction(test.db, nobody, (tx) =>
    createOrganization(tx, { title: `Organization ${canary}`, adminId: admin.id }),
  )
  return {
    id: row.id,
    row,
    canary,
    admin,
    async member(role, { sso = false } = {}) {
      const someone = await person()
      await transaction(test.db, nobody, (tx) =>
        addMember(tx, { organizationId: row.id, userId: someone.id, role, sso }),
      )
      return someone
    },
  }
}

/** Creates a person with an account and a token, who belongs to no organization. */
export async function aPerson(
  test: TestApp,
  options: { canary?: string; email?: string; emailVerified?: boolean; sees?: string[] } = {},
): Promise<TestPerson> {
  const { canary = test.canaries.hatch(), emailVerified = true, sees = [] } = options
  const email = options.email ?? `${canary}.${newId().slice(-12)}@example.com`
  return transaction(test.db, nobody, async (tx) => {
    const user = (await createUser(tx, { email, displayName: `Person ${canary}`, emailVerified }))!
    const { secret } = await createToken(tx, { userId: user.id, label: 'Tests' })
    return { user, id: user.id, client: test.client(secret, [canary, ...sees]) }
  })
}

/** A person of another organization, who must not see a word of this one. */
export async function aStranger(test: TestApp): Promise<TestPerson> {
  return (await anOrganization(test)).admin
}
