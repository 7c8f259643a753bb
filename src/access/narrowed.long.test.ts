import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import type { Scope } from './scopes.ts'

const app = await startApp()

/** Creates one thing of each kind, owned by an administrator. */
async function allKinds() {
  const org = await anOrganization(app)
  const { client } = org.admin
  const orgPath = `/v1/orgs/${org.id}`
  const collection = await aCollection(client, org.id)
  const space = `/v1/spaces/${(await aSpace(client, org.id)).id}`
  const [change, comment, team] = await Promise.all([
    client.post(`${space}/change-requests`, { subject: 'A change' }),
    client.post(`${space}/comments`, { body: { markdown: 'Said' } }),
    client.put(`${orgPath}/teams`, { title: 'Team' }),
  ])
  const source = { text: 'openapi: 3.0.0\ninfo: {title: A, version: "1"}\npaths: {}\n' }
  await client.put(`${orgPath}/openapi/petstore`, { source })
  return {
    org,
    orgPath,
    space,
    collection: `/v1/collections/${collection.id}`,
    changeRequest: `${space}/change-requests/${change.body.id}`,
    comment: `${space}/comments/${comment.body.id}`,
    team: `${orgPath}/teams/${team.body.id}`,
    spec: `${orgPath}/openapi/petstore`,
  }
}

type Kinds = Awaited<ReturnType<typeof allKinds>>

/** A request that uses one right. In this test, only a missing scope may be the reason for a refusal. */
type Attempt = (who: Client) => Promise<{ status: number; body: any }>

function rightsOf(kinds: Kinds): [path: string, rights: Record<string, Attempt>][] {
  const { orgPath, space, collection, changeRequest, comment, team, spec } = kinds
  const invite: Attempt = (who) => who.post(`${orgPath}/link-invites`, { level: 'read' })
  return [
    [
      space,
      {
        view: (who) => who.get(space),
        access: (who) => who.get(`${space}/content`),
        admin: (who) => who.patch(space, {}),
        viewInviteLinks: invite,
        edit: (who) => who.post(`${changeRequest}/update`),
        triggerGitSync: (who) => who.post(`${space}/git/import`, {}),
        comment: (who) => who.post(`${space}/comments`, {}),
        merge: (who) => who.post(`${changeRequest}/merge`, undefined, { 'if-match': '"nothing"' }),
        review: (who) => who.post(`${changeRequest}/reviews`, {}),
      },
    ],
    [
      collection,
      {
        view: (who) => who.get(collection),
        admin: (who) => who.patch(collection, {}),
        viewInviteLinks: invite,
        create: (who) => who.post(`${orgPath}/spaces`, { title: 1 }),
      },
    ],
    [
      orgPath,
      {
        view: (who) => who.get(orgPath),
        admin: (who) => who.patch(orgPath, {}),
        ownTeam: (who) => who.patch(team, {}),
        createContent: (who) => who.post(`${orgPath}/spaces`, { title: 1 }),
        createOpenAPISpec: (who) => who.post(`${orgPath}/openapi`, {}),
        listMembers: (who) => who.get(`${orgPath}/members`),
        listTeams: (who) => who.get(`${orgPath}/teams`),
      },
    ],
    [
      comment,
      {
        view: (who) => who.get(comment),
        edit: (who) => who.put(comment, { resolved: 1 }),
        reply: (who) => who.post(`${comment}/replies`, {}),
        delete: (who) => who.delete(comment, { 'if-match': '"nothing"' }),
      },
    ],
    [team, { view: (who) => who.get(team), admin: (who) => who.patch(team, {}) }],
    [spec, { view: (who) => who.get(spec), edit: (who) => who.put(spec, {}) }],
  ]
}

const readScopes: Scope[] = ['space:read', 'organization:read', 'organization:members:read', 'openapi:read']
const writeScopes: Scope[] = [
  'space:write',
  'organization:write',
  'organization:members:write',
  'openapi:write',
  'change-request:merge',
]

test('the permissions in an answer say right by right what a narrowed token may do', async () => {
  const kinds = await allKinds()
  const { org } = kinds
  for (const scopes of [readScopes, ...writeScopes.map((scope) => [...readScopes, scope])]) {
    const who = await narrowedTo(kinds, scopes)
    for (const [path, rights] of rightsOf(kinds)) {
      const { permissions } = (await who.get(path)).body
      for (const [right, attempt] of Object.entries(rights)) {
        const { status, body } = await attempt(who)
        const isRefused = status === 403 && body.error.type === 'insufficient_scope'
        assert.equal(permissions[right], !isRefused, `${right} of ${path} with ${scopes.join(' ')}`)
      }
    }
    const list = await who.get(`/v1/orgs/${org.id}/spaces`)
    assert.equal(list.body.items[0].permissions.edit, scopes.includes('space:write'))
  }
  for (const [path, rights] of rightsOf(kinds)) {
    const { permissions } = (await org.admin.client.get(path)).body
    for (const right of Object.keys(rights)) assert.equal(permissions[right], true, `${right} of ${path}`)
  }
})

test('the ETag that a narrowed token reads works in If-Match for its write', async () => {
  const kinds = await allKinds()
  const who = await narrowedTo(kinds, ['space:read', 'space:write'])
  const { body, headers } = await who.get(kinds.space)
  assert.deepEqual([body.permissions.edit, body.permissions.merge], [true, false])
  const change = () => who.patch(kinds.space, { title: 'Changed' }, { 'if-match': headers.get('etag')! })
  assert.deepEqual([(await change()).status, (await change()).status], [200, 412])
})

async function narrowedTo({ org }: Kinds, scopes: Scope[]): Promise<Client> {
  const { body } = await org.admin.client.post('/v1/user/tokens', { label: 'Narrow', scopes })
  return app.client(body.token, [org.canary])
}
