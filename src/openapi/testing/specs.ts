import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../test/api-client.ts'
import type { TestApp } from '../../../test/app.ts'
import { type TestOrganization, anOrganization } from '../../../test/factories.ts'

/** Stores a specification and waits until it has been read. */
export async function putSpec(who: Client, organizationId: string, slug: string, source: object) {
  const path = `/v1/orgs/${organizationId}/openapi/${slug}`
  const { status, text } = await who.put(path, { source })
  assert.equal(status, 200, text)
  return untilRead(who, path)
}

export async function untilRead(who: Client, path: string) {
  for (const from = performance.now(); ; await sleep(20)) {
    const { body } = await who.get(path)
    if (body.processingState === 'complete') return body
    assert.ok(performance.now() - from < 30_000, `${path} is not read: ${JSON.stringify(body)}`)
  }
}

/** An organization with a specification that was submitted as a text. */
export async function anOrganizationWithSpec(
  test: TestApp,
  document: object,
  slug = 'shop',
): Promise<{ org: TestOrganization; path: string; spec: any }> {
  const org = await anOrganization(test)
  const spec = await putSpec(org.admin.client, org.id, slug, { text: JSON.stringify(document) })
  assert.equal(spec.lastProcessErrorCode, undefined, JSON.stringify(spec))
  return { org, spec, path: `/v1/orgs/${org.id}/openapi/${slug}` }
}
