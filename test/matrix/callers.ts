import { type Role, roles } from '../../src/access/roles.ts'
import { type Scope, scopes } from '../../src/access/scopes.ts'
import { sql } from '../../src/db/sql.ts'
import { nobody, transaction } from '../../src/db/transaction.ts'
import { addMember } from '../../src/organizations/members.actions.ts'
import { createToken } from '../../src/tokens/actions.ts'
import type { TestApp } from '../app.ts'
import { type TestOrganization, type TestPerson, aPerson } from '../factories.ts'
import { inSeconds, signToken } from '../visitor.ts'
import type { Ids, Maker } from './belongings.ts'

/** The position of a caller somewhere: a role, a guest (null), or nothing at all (undefined). */
export type Standing = Role | null | undefined

/** Whose things a cell is about. */
export type Tenant = 'own' | 'foreign'

export interface Caller {
  name: string
  authorization: string | undefined
  /** Returns a token that lacks the one scope which an operation needs. */
  narrowed?: (scope: Scope | null) => string
  /** What the credential gives access to. `visitor`: to what the site shows. */
  kind: 'nobody' | 'refused' | 'visitor' | 'person'
  /** The position in an organization. */
  member(of: Tenant): Standing
  /**
   * The position on a space, a collection or a site of it: the role granted there, or else the role in the
   * organization.
   */
  on(of: Tenant): Standing
  userId?: string
}

const nowhere = { member: () => undefined, on: () => undefined }

/** Creates all callers that reliability.md 11.2 names, and those who were given or denied a role on a single thing. */
export async function makeCallers(
  app: TestApp,
  own: TestOrganization,
  foreign: TestOrganization,
  side: TestOrganization,
  things: Ids,
  who: Maker,
) {
  const asMember = (name: string, { client, id }: TestPerson, role: Standing, on = role): Caller => ({
    name,
    kind: 'person',
    authorization: `Bearer ${client.token}`,
    userId: id,
    member: (of) => (of === 'own' ? role : undefined),
    on: (of) => (of === 'own' ? on : undefined),
  })
  const refused = (name: string, authorization: string): Caller => ({
    name,
    kind: 'refused',
    authorization,
    ...nowhere,
  })

  /**
   * Adds a member whose texts do not contain the word of the organization, so that later nothing shows that they were a
   * member.
   */
  const outcast = async () => {
    const someone = await aPerson(app)
    await transaction(app.db, nobody, (tx) =>
      addMember(tx, { organizationId: own.id, userId: someone.id, role: 'create', sso: false }),
    )
    return someone
  }

  const members: Caller[] = []
  for (const role of [null, ...roles]) {
    const person = role === 'admin' ? own.admin : await own.member(role)
    members.push(asMember(role ?? 'guest', person, role))
  }
  const [lent, denied, barred, disabled] = [
    await own.member(null),
    await own.member('create'),
    await outcast(),
    await outcast(),
  ]
  const site = `/v1/orgs/${own.id}/sites/${things.siteId}`
  for (const thing of [`/v1/spaces/${things.spaceId}`, `/v1/collections/${things.collectionId}`, site]) {
    await who.post(`${thing}/permissions`, { users: [lent.id], role: 'review' })
    await who.post(`${thing}/permissions`, { users: [denied.id], role: null })
  }
  await who.patch(`/v1/orgs/${own.id}/members/${disabled.id}`, { disabled: true })
  const barredToken = await app.db.one(sql<{ id: string }>`select id from tokens where user_id = ${barred.id}`)
  await who.put(`/v1/orgs/${own.id}/members/${barred.id}/tokens/${barredToken.id}/bar`)

  const [revoked, expired, gone] = [await own.member('admin'), await own.member('admin'), await own.member('admin')]
  const change = (statement: ReturnType<typeof sql>) => transaction(app.db, nobody, (tx) => tx.run(statement))
  await change(sql`update tokens set revoked_at = now() where user_id = ${revoked.id}`)
  await change(sql`update tokens set expires_at = now() - interval '1 second' where user_id = ${expired.id}`)
  await change(sql`update users set disabled = true where id = ${gone.id}`)

  for (const userId of [...members.map((each) => each.userId!), foreign.admin.id]) await joinSide(app, side, userId)

  const narrow = new Map<Scope | null, string>()
  for (const without of [null, ...scopes]) {
    const { secret } = await transaction(app.db, nobody, (tx) =>
      createToken(tx, { userId: own.admin.id, label: 'Narrow', scopes: scopes.filter((scope) => scope !== without) }),
    )
    narrow.set(without, `Bearer ${secret}`)
  }

  const { privateKey } = await who.get(`${site}/publishing/auth`)
  const { apiToken } = await who.post('/v1/urls/published', {
    url: `http://lectern.test/sites/${own.row.hostname}/${things.basename}/${things.shareKey}/`,
  })

  const callers: Caller[] = [
    { name: 'none', kind: 'nobody', authorization: undefined, ...nowhere },
    refused('unknown', `Bearer lct_${'x'.repeat(43)}`),
    refused('revoked', `Bearer ${revoked.client.token}`),
    refused('expired', `Bearer ${expired.client.token}`),
    refused('disabled owner', `Bearer ${gone.client.token}`),
    refused('share key', `Bearer ${things.shareKey}`),
    refused('visitor token', `Bearer ${signToken(privateKey, { exp: inSeconds(3000) })}`),
    { name: 'content token', kind: 'visitor', authorization: `Bearer ${apiToken}`, ...nowhere },
    ...members,
    asMember('lent', lent, null, 'review'),
    asMember('denied', denied, 'create', null),
    asMember('disabled member', disabled, undefined),
    asMember('barred token', barred, undefined),
    asMember('of no organization', await aPerson(app), undefined),
    { ...asMember('narrowed', own.admin, 'admin'), narrowed: (scope) => narrow.get(scope)! },
    {
      name: 'foreign admin',
      kind: 'person',
      authorization: `Bearer ${foreign.admin.client.token}`,
      userId: foreign.admin.id,
      member: (of) => (of === 'foreign' ? 'admin' : undefined),
      on: (of) => (of === 'foreign' ? 'admin' : undefined),
    },
  ]
  return callers
}

/**
 * Makes the user a reader of the organization to which things are transferred. All callers know it, and nobody may
 * create anything in it.
 */
async function joinSide(app: TestApp, side: TestOrganization, userId: string): Promise<void> {
  await transaction(app.db, nobody, (tx) =>
    tx.run(sql`insert into members (organization_id, user_id, role) values (${side.id}, ${userId}, 'read')`),
  )
}
