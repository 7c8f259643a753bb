import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'

const app = await startApp()

/** All requests on one connection, one after the other, as long as it is kept. */
function aClientWithOneConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())
  return (method: string, url: string, body?: Uint8Array) =>
    new Promise<number>((resolve, reject) => {
      const { pathname, search } = new URL(url)
      const sent = request(app.url + pathname + search, { method, agent, timeout: 30_000 }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode!))
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.on('error', reject)
      sent.end(body)
    })
}

test('an upload that is refused half-way does not hold up the next request on its connection', async () => {
  const { id, admin } = await anOrganization(app)
  const send = aClientWithOneConnection()
  const address = async (size: number) => {
    const file = { name: 'a.bin', type: 'application/octet-stream', size }
    const { body } = await admin.client.post(`/v1/orgs/${id}/storage/upload`, { file, kind: 'organization_file' })
    return body.url as string
  }
  const bytes = new Uint8Array(3_000_000).fill(7)
  for (let round = 0; round < 3; round++) {
    // Cut off while the rest is still under way: the answer may get lost with the connection, but nobody waits.
    const refused = await send('PUT', await address(10), bytes).catch((error: Error) => error.message)
    assert.ok(refused === 413 || /ECONNRESET|EPIPE|socket hang up/.test(String(refused)), String(refused))
    assert.equal(await send('GET', `${app.url}/healthz`), 200)
    assert.equal(await send('PUT', await address(bytes.length), bytes), 200)
  }
})

test('a script on any page sends bytes to the address it was given, and reads the file from the one it got', async () => {
  const space = await aLiveSpace(app)
  const file = { name: 'a.txt', type: 'text/plain', size: 3 }
  const given = await space.who.post(`/v1/orgs/${space.org.id}/storage/upload`, { file, kind: 'organization_file' })
  const here = (url: string) => url.replace(/^http:\/\/[^/]+/, app.url)
  const address = here(given.body.url)
  const origin = 'https://elsewhere.example'

  const asked = await fetch(address, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } })
  assert.equal(asked.status, 204)
  assert.match(asked.headers.get('access-control-allow-methods')!, /PUT/)
  assert.match(asked.headers.get('access-control-allow-headers')!, /content-type/)
  const sent = await fetch(address, { method: 'PUT', headers: { origin, 'content-type': 'text/plain' }, body: 'abc' })
  const refused = await fetch(`${address}x`, { method: 'PUT', headers: { origin }, body: 'abc' })
  assert.deepEqual([sent.status, refused.status], [200, 404])

  const { body } = await space.edit({ operation: 'insert_files', files: [{ name: 'a.txt', key: given.body.key }] })
  const read = await fetch(here(body.insertedFiles[0].downloadURL), { headers: { origin } })
  assert.equal(await read.text(), 'abc')
  for (const { headers } of [asked, sent, refused, read]) {
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
})
