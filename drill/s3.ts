import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { readConfig } from '../src/config.ts'
import { Explained } from '../src/explained.ts'
import { openStore } from '../src/storage/open.ts'
import { StoreUnavailable } from '../src/storage/store.ts'
import { type OpenedStore, put, storeCases } from '../src/storage/testing/store-cases.ts'
import { png } from '../test/every-content.ts'
import { type S3Server, startCeph } from './ceph.ts'
import { send } from './client.ts'
import { type DrillOptions, ensure } from './drill.ts'
import { type Environment, killDatabaseWhenOver, startLectern } from './lectern.ts'
import { temporaryFolder } from './leftovers.ts'
import { examineFolder } from './look.ts'
import { makeSpace, must, theOrganization } from './setting.ts'

const bucket = 'lectern'

export async function s3({ log }: DrillOptions): Promise<void> {
  const server = await startCeph(log)
  const client = new AwsClient({
    accessKeyId: server.accessKey,
    secretAccessKey: server.secretKey,
    region: 'us-east-1',
    service: 's3',
  })
  const made = await client.fetch(`${server.endpoint}/${bucket}`, { method: 'PUT' })
  ensure(made.ok, `The bucket was not made: ${made.status}`)
  log(`${server.version} serves S3 at ${server.endpoint}`)

  const settings = settingsFor(server)
  for (const [name, environment] of Object.entries({ folder: {}, S3: settings })) {
    for (const [guarantee, holds] of Object.entries(storeCases)) {
      await holds(await aStore(environment))
      log(`${name}: ${guarantee}`)
    }
  }
  await conditionalWrites(settings, client, server)
  log('S3: bytes that are there are not written again')
  await wrongSettings(server)
  log('S3: wrong keys, a bucket or a server that is not there are named, at the start and later')
  log(`S3: ${await throughTheProduct(settings)}`)
}

const settingsFor = (server: S3Server, more: Environment = {}): Environment => ({
  LECTERN_S3_ENDPOINT: server.endpoint,
  LECTERN_S3_BUCKET: bucket,
  LECTERN_S3_ACCESS_KEY: server.accessKey,
  LECTERN_S3_SECRET_KEY: server.secretKey,
  ...more,
})

async function aStore(environment: Environment): Promise<OpenedStore> {
  const config = readConfig({ LECTERN_DATA: await temporaryFolder(), ...environment })
  return { config, store: openStore(config) }
}

async function conditionalWrites(settings: Environment, client: AwsClient, { endpoint }: S3Server): Promise<void> {
  const opened = await aStore(settings)
  const name = await put(opened, 'the first')
  const url = `${endpoint}/${bucket}/${name.organizationId}/${name.hash}`
  const writtenAt = async () => (await client.fetch(url, { method: 'HEAD' })).headers.get('last-modified')
  const before = await writtenAt()
  await new Promise((later) => setTimeout(later, 1_100))
  await put(opened, 'the first', name.organizationId)
  assert.equal(await writtenAt(), before)
}

async function wrongSettings(server: S3Server): Promise<void> {
  const wrong: Environment[] = [
    { LECTERN_S3_SECRET_KEY: 'not-the-secret' },
    { LECTERN_S3_ACCESS_KEY: 'nobody' },
    { LECTERN_S3_BUCKET: 'no-such-bucket' },
  ]
  for (const more of wrong) {
    const { store } = await aStore(settingsFor(server, more))
    const [what] = Object.keys(more)
    await assert.rejects(store.id(), Explained, `${what} is not explained at the start`)
  }
  const { store } = await aStore(settingsFor(server, { LECTERN_S3_SECRET_KEY: 'not-the-secret' }))
  const name = { organizationId: randomUUID(), hash: 'ab'.repeat(32) }
  for (const ask of [() => store.has(name), () => store.get(name), () => store.delete(name)])
    await assert.rejects(ask(), StoreUnavailable)
  const away = await aStore(settingsFor(server, { LECTERN_S3_ENDPOINT: 'http://127.0.0.1:9' }))
  await assert.rejects(away.store.has(name), StoreUnavailable)
}

const pixel = Buffer.from(png, 'base64')

/**
 * Uses the product with S3: an uploaded file comes back with its type, in parts, and with 304 for clients that already
 * have it.
 */
async function throughTheProduct(settings: Environment): Promise<string> {
  const folder = await temporaryFolder()
  killDatabaseWhenOver(folder)
  const server = await startLectern({ LECTERN_DATA: folder, ...settings })
  const { url } = server
  const organizationId = await theOrganization(url)
  const space = await makeSpace(url, organizationId, { editMode: 'live' })
  const files = [
    { name: 'dot.png', bytes: pixel, type: 'image/png', isInline: true },
    { name: 'text.txt', bytes: Buffer.from('plain text '.repeat(1000)), type: 'text/plain', isInline: false },
    { name: 'page.html', bytes: Buffer.from('<script>alert(1)</script>'), type: 'text/html', isInline: false },
  ]
  for (const { name, bytes, type } of files) {
    const path = `/v1/orgs/${organizationId}/storage/upload`
    const body = { file: { name, type, size: bytes.length }, kind: 'organization_file' }
    const asked = await must(url, { method: 'POST', path, body })
    await must(url, { method: 'PUT', path: asked.body.url, token: null, body: bytes })
    const changes = [{ operation: 'insert_files', files: [{ name, key: asked.body.key }] }]
    await must(url, { method: 'POST', path: `/v1/spaces/${space}/content`, body: { changes } })
  }
  const { body } = await must(url, { method: 'GET', path: `/v1/spaces/${space}/content` })
  for (const { name, bytes, type, isInline } of files) {
    const { downloadURL } = body.files.find((file: { name: string }) => file.name === name)
    const get = (headers: Record<string, string> = {}) => fetch(downloadURL, { headers })
    const whole = await get()
    assert.equal(whole.status, 200)
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes), name)
    if (isInline) assert.equal(whole.headers.get('content-type'), type)
    assert.equal((whole.headers.get('content-disposition') ?? '').startsWith('attachment'), !isInline, name)
    const part = await get({ range: 'bytes=2-5' })
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 2-5/${bytes.length}`])
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(2, 6)), name)
    assert.equal((await get({ 'if-none-match': whole.headers.get('etag')! })).status, 304)
    assert.equal((await get({ range: `bytes=${bytes.length + 5}-` })).status, 416)
  }
  await examineFolder(folder, settings)
  assert.equal((await send(url, { method: 'GET', path: '/healthz', token: null })).status, 200)
  await server.stop()
  return `${files.length} files went in and out through the product: type, parts, conditions; doctor finds all bytes`
}
