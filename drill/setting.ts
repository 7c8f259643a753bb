import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Sent, describe, send } from './client.ts'
import type { StampedSite } from './crash-load.ts'
import { ensure } from './drill.ts'
import { adminToken } from './lectern.ts'

/**
 * Sends a request that must succeed, for the setup of drills. Only a 503 with Retry-After, as from a busy machine, is
 * retried.
 */
export async function must(url: string, request: Sent): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID(), ...request.headers }
  let answer = await send(url, { ...request, headers })
  for (let tries = 0; answer.status === 503 && answer.headers.has('retry-after') && tries < 50; tries++) {
    await sleep(200)
    answer = await send(url, { ...request, headers })
  }
  ensure(answer.status < 300, `${request.method} ${request.path} was answered with ${describe(answer)}`)
  return answer
}

export async function theOrganization(url: string): Promise<string> {
  const { body } = await must(url, { method: 'GET', path: '/v1/orgs' })
  return body.items[0].id
}

export async function makeSpace(
  url: string,
  organizationId: string,
  body: object,
  token = adminToken,
): Promise<string> {
  const path = `/v1/orgs/${organizationId}/spaces`
  const made = await must(url, { method: 'POST', path, body: { title: 'Drill', empty: true, ...body }, token })
  return made.body.id
}

/** Creates a published site with one space. Returns its path, with a slash at its end. */
async function makeSite(url: string, organizationId: string, space: string): Promise<string> {
  const path = `/v1/orgs/${organizationId}/sites`
  const { body } = await must(url, { method: 'POST', path, body: { title: 'Drill', spaces: [space] } })
  const { body: site } = await must(url, { method: 'POST', path: `${path}/${body.id}/publish` })
  const { pathname } = new URL(site.urls.published)
  return pathname.endsWith('/') ? pathname : `${pathname}/`
}

/**
 * Creates a site whose three pages carry the same number, which a batch changes on all of them. Readers must never see
 * two different numbers.
 */
export async function makeStampedSite(url: string, organizationId: string): Promise<StampedSite> {
  const space = await makeSpace(url, organizationId, { editMode: 'live', empty: true })
  const changes = [0, 1, 2].map((i) => ({
    operation: 'insert_page',
    document: { markdown: `Body${i} 0\n` },
    metadata: { title: `Stamp${i} 0`, slug: `stamp-${i}` },
  }))
  const made = await must(url, { method: 'POST', path: `/v1/spaces/${space}/content`, body: { changes } })
  const pages = made.body.changes.map((change: { page: { id: string } }) => change.page.id ?? change.page)
  return { space, pages, address: await makeSite(url, organizationId, space), written: 0, asked: 0 }
}
