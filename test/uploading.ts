import type { Client } from './api-client.ts'
import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { expect } from './visitor.ts'

/** Uploads bytes as programs do, and returns the key of the file. */
export async function upload(
  test: TestApp,
  { client, organizationId }: { client: Client; organizationId: string },
  { bytes, name, kind = 'organization_file' }: { bytes: Buffer; name: string; kind?: string },
): Promise<string> {
  const file = { name, type: 'application/octet-stream', size: bytes.length }
  const { url, key } = expect(await client.post(`/v1/orgs/${organizationId}/storage/upload`, { file, kind }), 201)
  const { pathname, search } = new URL(url)
  const { status } = await fetch(test.url + pathname + search, { method: 'PUT', body: new Uint8Array(bytes) })
  assert.equal(status, 200)
  return key
}
