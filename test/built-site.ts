import type { Client } from './api-client.ts'
import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { aSpace } from './content.ts'
import { type TestOrganization, anOrganization } from './factories.ts'

/** Creates a site with spaces of these titles, and helpers to change and inspect it. */
export async function aBuiltSite(test: TestApp, titles: string[] = [], org?: TestOrganization) {
  const home = org ?? (await anOrganization(test))
  const who = home.admin.client
  const spaces: Record<string, string> = {}
  for (const title of titles) spaces[title] = (await aSpace(who, home.id, { title })).id
  const { body } = await who.post(`/v1/orgs/${home.id}/sites`, { title: 'Site', spaces: Object.values(spaces) })
  const path = `/v1/orgs/${home.id}/sites/${body.id}`
  const newSpace = async (title: string) => (spaces[title] = (await aSpace(who, home.id, { title })).id)
  const done = async (method: string, rest: string, sent?: object, status = method === 'POST' ? 201 : 200) => {
    const answer = await who.send(method, path + rest, sent)
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }
  return {
    id: body.id as string,
    path,
    org: home,
    who,
    spaces,
    newSpace,
    done,
    section: async (title: string, more: object = {}) =>
      done('POST', '/sections', { spaceId: await newSpace(title), ...more }),
    variant: async (title: string, sectionId?: string) =>
      done('POST', '/site-spaces', { spaceId: await newSpace(title), ...(sectionId && { sectionId }) }),
    shape: (client: Client = who) => shapeOf(client, path),
  }
}

/**
 * Returns the structure as text: `*` marks a default, `()` the spaces of a section, `[]` the contents of a group, `^` a
 * link.
 */
async function shapeOf(client: Client, path: string): Promise<string> {
  const { status, body, text } = await client.get(`${path}/structure`)
  assert.equal(status, 200, text)
  const mark = (each: any) => `${each.title}${each.default ? '*' : ''}`
  const draw = (each: any): string => {
    if (each.children) return `${each.title}[${each.children.map(draw).join(' ')}]`
    if (each.url) return `^${each.title}`
    return each.siteSpaces ? `${mark(each)}(${each.siteSpaces.map(mark).join(' ')})` : mark(each)
  }
  return body.structure.map(draw).join(' ')
}
