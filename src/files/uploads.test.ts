import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rename, rm, truncate, writeFile } from 'node:fs/promises'
import { Agent, type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { anUpstream } from '../openapi/testing/upstream.ts'

const app = await startApp()

/** Sends all requests over one connection, one after the other, as long as it stays open. */
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

test('an upload that is refused halfway does not block the next request on its connection', async () => {
  const { id, admin } = await anOrganization(app)
  const send = aClientWithOneConnection()
  const address = async (size: number) => {
    const file = { name: 'a.bin', type: 'application/octet-stream', size }
    const { body } = await admin.client.post(`/v1/orgs/${id}/storage/upload`, { file, kind: 'organization_file' })
    return body.url as string
  }
  const bytes = new Uint8Array(3_000_000).fill(7)
  for (let round = 0; round < 3; round++) {
    // The connection is cut while the rest is still being sent: the response may get lost with it, but nobody waits.
    const refused = await send('PUT', await address(10), bytes).catch((error: Error) => error.message)
    assert.ok(refused === 413 || /ECONNRESET|EPIPE|socket hang up/.test(String(refused)), String(refused))
    assert.equal(await send('GET', `${app.url}/healthz`), 200)
    assert.equal(await send('PUT', await address(bytes.length), bytes), 200)
  }
})

test('a script on any website can upload to a signed address and read the file from its download address', async () => {
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

/** A server with a store that responds only when the test ends the response. */
async function aServerWithSlowStore() {
  const asked: ServerResponse[] = []
  const store = createServer((request, response) => {
    request.resume().on('end', () => asked.push(response))
  }).listen(0, '127.0.0.1')
  await once(store, 'listening')
  // Specifications are read back from the store once they are kept. The tests do not wait for that.
  after(() => store.close().closeAllConnections())
  const slow = await startApp({
    LECTERN_FETCH_ALLOW: '127.0.0.1',
    LECTERN_S3_ENDPOINT: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    LECTERN_S3_BUCKET: 'bucket',
    LECTERN_S3_ACCESS_KEY: 'key',
    LECTERN_S3_SECRET_KEY: 'secret',
  })
  // As many as there are connections for transactions.
  const count = slow.config.limits.poolSize
  return { slow, count, asked }
}

test('while the store is slow to take uploads, other writes go through', async () => {
  const { slow, count, asked } = await aServerWithSlowStore()
  const { id, admin } = await anOrganization(slow)
  const uploads = Array.from({ length: count }, async (_, i) => {
    const file = { name: 'a.bin', type: 'application/octet-stream', size: 1 }
    const { body } = await admin.client.post(`/v1/orgs/${id}/storage/upload`, { file, kind: 'organization_file' })
    const { pathname, search } = new URL(body.url)
    return (await fetch(slow.url + pathname + search, { method: 'PUT', body: new Uint8Array([i]) })).status
  })
  while (asked.length < count) await sleep(10)
  const written = await admin.client.put(`/v1/orgs/${id}/teams`, { title: 'Team' })
  for (const response of asked) response.end()
  assert.deepEqual(
    await Promise.all(uploads),
    Array.from({ length: count }, () => 200),
  )
  assert.equal(written.status, 201, written.text)
})

test('while the store is slow to take files of edits or specifications, others can write, even in the same space', async () => {
  const { slow, count, asked } = await aServerWithSlowStore()
  const space = await aLiveSpace(slow)
  const { id, admin } = space.org
  const origin = await anUpstream({ '/a.txt': 'a', '/b.txt': 'b' })
  const files = (path: string) => ({
    operation: 'insert_files',
    files: [{ name: path.slice(1), url: origin.url(path) }],
  })
  const answers = [
    space.edit(files('/a.txt')),
    space.edit(files('/b.txt')),
    ...Array.from({ length: count - 1 }, (_, i) =>
      admin.client.put(`/v1/orgs/${id}/openapi/spec-${i}`, { source: { text: `openapi: 3.1.${i}` } }),
    ),
  ]
  while (asked.length < answers.length) await sleep(10)
  const written = await space.edit(newPage('Meanwhile'))
  const team = await admin.client.put(`/v1/orgs/${id}/teams`, { title: 'Team' })
  for (const response of asked) response.end()
  assert.deepEqual([written.status, team.status], [200, 201], written.text + team.text)
  for (const { status, text } of await Promise.all(answers)) assert.ok(status < 300, text)
})

test('an upload is answered with 503 while the disk is not writable, and works again afterwards', async () => {
  const { id, admin } = await anOrganization(app)
  const upload = async () => {
    const file = { name: 'a.bin', type: 'application/octet-stream', size: 8 }
    const { body } = await admin.client.post(`/v1/orgs/${id}/storage/upload`, { file, kind: 'organization_file' })
    const { pathname, search } = new URL(body.url)
    const answer = await fetch(app.url + pathname + search, { method: 'PUT', body: randomBytes(8) })
    return [answer.status, answer.headers.get('retry-after')]
  }
  const files = join(app.config.dataFolder, 'files')
  for (const folder of [join(files, 'incoming'), join(files, id)]) {
    assert.deepEqual(await upload(), [200, null])
    // A file in place of the folder: no folder can be created there, as on a disk that is mounted read-only.
    await rename(folder, `${folder}.away`)
    await writeFile(folder, '')
    assert.deepEqual(await upload(), [503, '1'], folder)
    await rm(folder)
    await rename(`${folder}.away`, folder)
  }
  assert.deepEqual(await upload(), [200, null])
})

test('the download of a file that is truncated on disk is aborted instead of left hanging', async () => {
  const space = await aLiveSpace(app)
  const files = [
    { name: 'a.bin', contentType: 'application/octet-stream', base64: randomBytes(1_000).toString('base64') },
  ]
  const { insertedFiles } = (await space.edit({ operation: 'insert_files', files })).body
  const { downloadURL } = (await space.who.get(`${space.path}/content/files/${insertedFiles[0].id}`)).body
  const { pathname, search, searchParams } = new URL(downloadURL)
  const hash = searchParams.get('blob')!
  await truncate(join(app.config.dataFolder, 'files', space.org.id, hash.slice(0, 2), hash), 10)
  const answer = await fetch(app.url + pathname + search, { signal: AbortSignal.timeout(20_000) })
  await assert.rejects(answer.arrayBuffer(), { name: 'TypeError' })
})
