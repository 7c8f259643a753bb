import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { cloneTemplate } from '../../test/database.ts'
import { type ServerProcess, startServer, temporaryFolder } from '../../test/process.ts'

const token = 'a-token-for-tests-that-is-long-enough'

async function anInstallation() {
  const database = await cloneTemplate()
  const environment = {
    DATABASE_URL: database.url,
    LECTERN_DATA: await temporaryFolder(),
    LECTERN_ADMIN_TOKEN: token,
    LECTERN_DEMO: 'off',
  }
  return {
    start: (failpoint?: string) => startServer({ ...environment, ...(failpoint && { LECTERN_FAIL: failpoint }) }),
  }
}

async function send(
  server: ServerProcess,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

const batch = {
  changes: [
    { operation: 'insert_page', document: { markdown: '# A page\n\n![](./logo)\n' } },
    {
      operation: 'insert_files',
      files: [{ name: 'logo.txt', base64: btoa('logo'), contentType: 'text/plain', ref: 'logo' }],
    },
  ],
}

for (const point of ['editing.after-files', 'editing.before-commit']) {
  test(`a process killed at ${point} leaves nothing of a batch behind, and a retry with the same key applies it once`, async () => {
    const { start } = await anInstallation()
    const doomed = await start(`${point}:1:kill`)
    const { body: organizations } = await send(doomed, 'GET', '/v1/orgs')
    const { body: space } = await send(doomed, 'POST', `/v1/orgs/${organizations.items[0].id}/spaces`, {
      title: 'S',
      editMode: 'live',
      empty: true,
    })
    const path = `/v1/spaces/${space.id}/content`
    const exit = once(doomed.child, 'exit')
    await assert.rejects(send(doomed, 'POST', path, batch, { 'idempotency-key': 'one' }))
    await exit

    const server = await start()
    const { body: before } = await send(server, 'GET', path)
    assert.deepEqual([before.pages, before.files], [[], []])
    const write = () => send(server, 'POST', path, batch, { 'idempotency-key': 'one' })
    const [first, again] = [await write(), await write()]
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual(again.body, first.body)
    const { body: after } = await send(server, 'GET', path)
    assert.deepEqual([after.pages.length, after.files.length], [1, 1])
    const bytes = await fetch(after.files[0].downloadURL)
    assert.equal(await bytes.text(), 'logo')
    await server.stop()
  })
}
