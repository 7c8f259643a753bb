import assert from 'node:assert/strict'
import type { TestOrganization } from '../../../test/factories.ts'

export const scimJson = { 'content-type': 'application/scim+json' }
export const pathOf = (org: TestOrganization) => `/v1/orgs/${org.id}/scim/v2`

let people = 0

/** A person as Okta sends them. */
export function someone(more: object = {}) {
  const userName = `somebody-${++people}@corp.example`
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    name: { givenName: 'Jo', familyName: `Smith ${people}` },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: `Jo Smith ${people}`,
    externalId: `00u-${people}`,
    active: true,
    ...more,
  }
}

export async function aUser(org: TestOrganization, more: object = {}) {
  const sent = someone(more)
  const { status, body } = await org.admin.client.post(`${pathOf(org)}/Users`, sent, scimJson)
  assert.equal(status, 201, JSON.stringify(body))
  return { sent, body, id: body.id as string, path: `${pathOf(org)}/Users/${body.id}` }
}

export async function aGroup(org: TestOrganization, given: object = { displayName: 'Team' }) {
  const { status, body } = await org.admin.client.post(`${pathOf(org)}/Groups`, given, scimJson)
  assert.equal(status, 201, JSON.stringify(body))
  return { body, id: body.id as string, path: `${pathOf(org)}/Groups/${body.id}` }
}

export const patch = (org: TestOrganization, path: string, ...Operations: object[]) =>
  org.admin.client.patch(path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }, scimJson)

export const search = (org: TestOrganization, kind: 'Users' | 'Groups', filter: string) =>
  org.admin.client.get(`${pathOf(org)}/${kind}?filter=${encodeURIComponent(filter)}`)

export async function idsFound(org: TestOrganization, kind: 'Users' | 'Groups', filter: string): Promise<string[]> {
  const { status, body } = await search(org, kind, filter)
  assert.equal(status, 200, `${filter}: ${JSON.stringify(body)}`)
  return body.Resources.map(({ id }: { id: string }) => id)
}

export async function peopleIn(org: TestOrganization, path: string): Promise<string[]> {
  const { body } = await org.admin.client.get(path)
  return body.members.map(({ value }: { value: string }) => value).toSorted()
}
