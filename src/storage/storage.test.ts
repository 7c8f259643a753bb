import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../test/process.ts'
import { readConfig } from '../config.ts'
import { Explained } from '../explained.ts'
import { openStore } from './open.ts'
import { keepOnce } from './ours.ts'
import { TooManyBytes, incomingFolder, receive } from './receive.ts'
import { S3Store } from './s3.ts'
import { StoreUnavailable } from './store.ts'
import { put, storeCases } from './testing/store-cases.ts'

/** The parts of S3 that we use: one bucket, signed requests, conditional writes, ranges, copies. */
async function anS3() {
  const objects = new Map<string, Buffer>()
  const state = { down: false, puts: 0 }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url = '' } = request
    const body = await buffer(request)
    const send = (status: number, content: Buffer | string = '') => response.writeHead(status).end(content)
    if (state.down) return send(503)
    if (
      !/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-x\/s3\/aws4_request, .*Signature=[0-9a-f]{64}$/.test(
        headers.authorization ?? '',
      )
    )
      return send(403)
    if (!url.startsWith('/bucket/')) return send(404)
    const found = objects.get(url)
    if (method === 'PUT' && headers['x-amz-copy-source']) {
      const source = objects.get(String(headers['x-amz-copy-source']))
      if (!source) return send(404)
      objects.set(url, source)
      return send(200, '<CopyObjectResult/>')
    }
    if (method === 'PUT') {
      assert.equal(Number(headers['content-length']), body.length)
      if (found && headers['if-none-match'] === '*') return send(412)
      state.puts += 1
      objects.set(url, body)
      return send(200)
    }
    if (method === 'DELETE') return send(objects.delete(url) ? 204 : 404)
    if (!found) return send(404)
    if (method === 'HEAD') return response.writeHead(200, { 'content-length': found.length }).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    return start === undefined ? send(200, found) : send(206, found.subarray(Number(start), Number(end) + 1))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, objects, state }
}

async function aStore(kind: 'disk' | 's3', endpoint = '', more: Record<string, string> = {}) {
  const dataFolder = await temporaryFolder()
  const s3 = {
    LECTERN_S3_ENDPOINT: endpoint,
    LECTERN_S3_BUCKET: 'bucket',
    LECTERN_S3_REGION: 'eu-x',
    LECTERN_S3_ACCESS_KEY: 'key',
    LECTERN_S3_SECRET_KEY: 'secret',
  }
  const config = readConfig({ LECTERN_DATA: dataFolder, ...(kind === 's3' && s3), ...more })
  return { config, store: openStore(config) }
}

for (const kind of ['disk', 's3'] as const) {
  for (const [guarantee, holds] of Object.entries(storeCases)) {
    test(`${kind}: ${guarantee}`, async () => holds(await aStore(kind, (await anS3()).endpoint)))
  }
}

test('a folder in which nothing can be created is refused instead of being tried forever', async () => {
  await assert.rejects(
    keepOnce('/proc/lectern', 'secret', () => 'x'),
    { syscall: 'mkdir' },
  )
})

test('bytes beyond the limit are refused and leave nothing behind', async () => {
  const { config } = await aStore('disk')
  await assert.rejects(receive(config, [Buffer.alloc(600), Buffer.alloc(600)], 1000), TooManyBytes)
  assert.deepEqual(await readdir(incomingFolder(config)), [])
})

test('bytes that fit on the disk only in part are refused and leave nothing behind', async () => {
  const { config } = await aStore('disk')
  const module = JSON.stringify(new URL('receive.ts', import.meta.url).href)
  const program = `const { receive } = await import(${module})
    await receive(${JSON.stringify({ dataFolder: config.dataFolder })}, [Buffer.alloc(3000)], 3000)
      .then(({ size }) => console.log('kept', size), ({ code }) => console.log('refused', code))`
  // Like a disk with too little room: a write takes what fits, and only the next one fails.
  const limited = 'ulimit -f 1 && exec "$0" --input-type=module --eval "$1"'
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, program])
  assert.equal(stdout.trim(), 'refused EFBIG')
  assert.deepEqual(await readdir(incomingFolder(config)), [])
})

test('the disk store has one file for each hash, below its organization', async () => {
  const opened = await aStore('disk')
  const { config } = opened
  const { organizationId, hash } = await put(opened, 'x')
  assert.deepEqual(await readdir(join(config.dataFolder, 'files', organizationId, hash.slice(0, 2))), [hash])
})

test('a truncated file on disk is whole again once its bytes are put again', async () => {
  const opened = await aStore('disk')
  const { organizationId, hash } = await put(opened, 'whole')
  await truncate(join(opened.config.dataFolder, 'files', organizationId, hash.slice(0, 2), hash), 2)
  await put(opened, 'whole', organizationId)
  assert.equal(String(await buffer(await opened.store.get({ organizationId, hash }))), 'whole')
})

test("files that root creates in another user's folder belong to that user", async () => {
  const folder = await temporaryFolder()
  // Without root, all folders belong to the current user anyway.
  if (process.geteuid?.() === 0) await chown(folder, 12_345, 12_345)
  const config = readConfig({ LECTERN_DATA: folder })
  const store = openStore(config)
  await store.id()
  const { organizationId, hash } = await put({ store, config }, 'x')
  const other = '00000000-0000-0000-0000-00000000000b'
  await store.copy({ organizationId, hash }, other)
  const { uid } = await stat(folder)
  const made = await readdir(folder, { recursive: true })
  assert.ok(made.includes(join('files', other, hash.slice(0, 2), hash)), made.join())
  for (const path of made) assert.equal((await stat(join(folder, path))).uid, uid, path)
})

test('a kept value is created once, even concurrently, and an empty one is refused', async () => {
  const folder = join(await temporaryFolder(), 'new')
  const [one, two] = await Promise.all(['one', 'two'].map((value) => keepOnce(folder, 'value', () => value)))
  assert.equal(one, two)

  await mkdir(join(folder, 'broken'))
  await writeFile(join(folder, 'broken', 'value'), '')
  await assert.rejects(
    keepOnce(join(folder, 'broken'), 'value', () => 'x'),
    /is empty/,
  )
})

test('bytes that cannot be read from disk are reported as unavailable, not as missing', async () => {
  const opened = await aStore('disk')
  const name = await put(opened, 'x')
  const path = join(opened.config.dataFolder, 'files', name.organizationId)
  await rm(path, { recursive: true })
  await symlink(path, path)
  await assert.rejects(opened.store.get(name), StoreUnavailable)
  await assert.rejects(opened.store.has(name), StoreUnavailable)
})

test('an S3 store that is down or cannot be reached is reported as unavailable', async () => {
  const s3 = await anS3()
  const opened = await aStore('s3', s3.endpoint)
  const { store } = opened
  const name = await put(opened, 'x')
  s3.state.down = true
  await assert.rejects(store.get(name), StoreUnavailable)
  await assert.rejects(store.has(name), StoreUnavailable)
  await assert.rejects((await aStore('s3', 'http://127.0.0.1:1')).store.get(name), StoreUnavailable)
})

test('an S3 store has to start its answer in time, but sending the content may take longer', async () => {
  const sent = Buffer.alloc(5_000, 'x')
  const server = createServer((request, response) => {
    if (request.url?.endsWith('silent')) return
    response.writeHead(200, { 'content-length': sent.length })
    let from = 0
    const more = setInterval(() => {
      response.write(sent.subarray(from, (from += 1_000)))
      if (from < sent.length) return
      clearInterval(more)
      response.end()
    }, 500)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { config } = await aStore('s3', endpoint)
  const store = new S3Store(config.s3!, { answerMs: 1_500, slowestBytesPerMs: 250 })
  assert.deepEqual(await buffer(await store.get({ organizationId: 'a', hash: 'slow' })), sent)
  await assert.rejects(store.get({ organizationId: 'a', hash: 'silent' }), StoreUnavailable)
})

test('a missing bucket and wrong keys are explained at the start', async () => {
  const { endpoint } = await anS3()
  const open = (more: Record<string, string>) => aStore('s3', endpoint, more)
  const start = async (more: Record<string, string>) => (await open(more)).store.id()
  await assert.rejects(start({ LECTERN_S3_BUCKET: 'other' }), (error: Error) => {
    assert.ok(error instanceof Explained)
    return /no bucket "other"/.test(error.message)
  })
  await assert.rejects(start({ LECTERN_S3_ACCESS_KEY: 'nobody' }), /status 403. Check LECTERN_S3_ENDPOINT/)
  assert.match(await start({}), /^[0-9a-f-]{36}$/)
})
