import type { Client } from './api-client.ts'
import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { type EditedSpace, aLiveSpace } from './editing.ts'
import { type TestOrganization, anOrganization } from './factories.ts'

/** A site in an organization of its own with one space, all created through the API. */
export interface TestSite {
  id: string
  /** The path in the API. */
  path: string
  org: TestOrganization
  /** The administrator, who created it. */
  who: Client
  space: EditedSpace
  /** The id of the site space. */
  siteSpaceId: string
}

export async function aSite(test: TestApp, body: object = {}, org?: TestOrganization): Promise<TestSite> {
  const home = org ?? (await anOrganization(test))
  const space = await aLiveSpace(test, home)
  const who = home.admin.client
  const title = `Site ${home.canary}`
  const made = await who.post(`/v1/orgs/${home.id}/sites`, { title, spaces: [space.id], ...body })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/orgs/${home.id}/sites/${made.body.id}`
  const siteSpaceId = (await who.get(`${path}/site-spaces`)).body.items[0].id
  return { id: made.body.id, path, org: home, who, space, siteSpaceId }
}

/** Gives a role on a site to a member, or with `teams` to a team. */
export async function grantOnSite(site: TestSite, to: { users: string[] } | { teams: string[] }, role: string | null) {
  const { status, text } = await site.who.post(`${site.path}/permissions`, { ...to, role })
  assert.equal(status, 204, text)
}
