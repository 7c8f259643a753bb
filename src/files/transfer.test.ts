import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace } from '../../test/editing.ts'
import { png } from '../../test/every-content.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { incomingFolder } from '../storage/receive.ts'
import { sweepFiles } from './sweep.task.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_UPLOAD_LIMIT: '3000000' })
const pixel = Buffer.from(png, 'base64')

const here = (url: string) => url.replace('http://lectern.test', app.url)
const download = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(here(url), { headers, method })

async function insert(space: EditedSpace, ...files: object[]) {
  const answer = await space.edit({ operation: 'insert_files', files })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.insertedFiles
}

const inBase64 = (name: string, bytes: Buffer | string, contentType = 'text/plain') => ({
  name,
  base64: Buffer.from(bytes).toString('base64'),
  contentType,
})

async function anUpload(space: EditedSpace, bytes: Buffer, more: object = {}) {
  const { status, body } = await space.who.post(`/v1/orgs/${space.org.id}/storage/upload`, {
    file: { name: 'x.bin', type: 'application/octet-stream', size: bytes.length },
    kind: 'organization_file',
    ...more,
  })
  assert.equal(status, 201)
  const put = (content: Buffer = bytes, url = here(body.url)) =>
    fetch(url, { method: 'PUT', body: new Uint8Array(content) })
  return { key: body.key as string, url: here(body.url), put }
}

test('a file added in a batch can be downloaded from its signed address, without a token', async () => {
  const space = await aLiveSpace(app)
  const [file] = await insert(space, inBase64('a b".png', pixel, 'text/html'))
  assert.deepEqual([file.contentType, file.size, file.dimensions], ['image/png', pixel.length, { width: 1, height: 1 }])
  const response = await download(file.downloadURL)
  assert.equal(response.status, 200)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), pixel)
  const hash = createHash('sha256').update(pixel).digest('hex')
  const headers = Object.fromEntries(response.headers)
  assert.equal(headers['etag'], `"${hash}"`)
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers['content-disposition'], `inline; filename="a b_.png"; filename*=UTF-8''a%20b%22.png`)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'")
  assert.match(headers['cache-control'] ?? '', /^private/)
  assert.equal((await download(file.downloadURL, { 'if-none-match': `"${hash}"` })).status, 304)
  const head = await download(file.downloadURL, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(pixel.length)])
})

test('files that a browser could execute are downloaded, never displayed', async () => {
  const space = await aLiveSpace(app)
  const files = await insert(
    space,
    inBase64('a.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/png'),
    inBase64('b.png', '<!doctype html><script>alert(1)</script>', 'image/png'),
    inBase64('c.txt', 'text'),
    inBase64('d.pdf', '%PDF-1.4', 'application/pdf'),
  )
  const shown = await Promise.all(
    files.map(async ({ downloadURL }: any) => {
      const { headers } = await download(downloadURL)
      return [headers.get('content-type'), headers.get('content-disposition')!.split(';')[0]]
    }),
  )
  assert.deepEqual(shown, [
    ['image/svg+xml', 'attachment'],
    ['text/html; charset=utf-8', 'attachment'],
    ['text/plain; charset=utf-8', 'attachment'],
    ['application/pdf', 'inline'],
  ])
})

test('a range of a file can be requested', async () => {
  const space = await aLiveSpace(app)
  const [{ downloadURL: url }] = await insert(space, inBase64('a.txt', '0123456789'))
  const part = async (range: string, headers = {}) => {
    const response = await download(url, { range, ...headers })
    return [
      response.status,
      response.headers.get('content-range'),
      response.status === 416 ? '' : await response.text(),
    ]
  }
  assert.deepEqual(await part('bytes=2-4'), [206, 'bytes 2-4/10', '234'])
  assert.deepEqual(await part('bytes=7-'), [206, 'bytes 7-9/10', '789'])
  assert.deepEqual(await part('bytes=-2'), [206, 'bytes 8-9/10', '89'])
  assert.deepEqual(await part('bytes=5-99'), [206, 'bytes 5-9/10', '56789'])
  assert.deepEqual(await part('bytes=10-'), [416, 'bytes */10', ''])
  for (const odd of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=x'])
    assert.deepEqual(await part(odd), [200, null, '0123456789'], odd)
  assert.deepEqual(await part('bytes=2-4', { 'if-range': '"other"' }), [200, null, '0123456789'])
  // A client that wants the rest of a download it has begun gets 412 if that file has changed.
  const tag = (await download(url)).headers.get('etag')!
  assert.deepEqual(await part('bytes=7-', { 'if-match': `"other", ${tag}` }), [206, 'bytes 7-9/10', '789'])
  assert.deepEqual(await part('bytes=7-', { 'if-match': '*' }), [206, 'bytes 7-9/10', '789'])
  for (const method of ['GET', 'HEAD'])
    assert.equal((await download(url, { 'if-match': '"other"' }, method)).status, 412, method)
  // A HEAD response has no body and hence no ranges: it reports the full length.
  const head = await download(url, { range: 'bytes=2-4' }, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
})

test('a refused download is not cached and has no ETag', async () => {
  const space = await aLiveSpace(app)
  const [{ downloadURL: url }] = await insert(space, inBase64('a.txt', 'soon lost'))
  const name = { organizationId: space.org.id, hash: new URL(url).searchParams.get('blob')! }
  const refused = async (headers: Record<string, string>) => {
    const response = await download(url, headers)
    const { error } = (await response.json()) as { error: { code: number } }
    assert.equal(error.code, response.status)
    assert.equal(response.headers.get('cache-control'), 'private, no-store')
    for (const header of ['etag', 'content-disposition', 'accept-ranges'])
      assert.equal(response.headers.get(header), null, header)
    return [response.status, response.headers.get('content-range')]
  }
  assert.deepEqual(await refused({ range: 'bytes=9-' }), [416, 'bytes */9'])
  assert.deepEqual(await refused({ 'if-match': '"other"' }), [412, null])
  assert.equal((await download(url)).headers.get('cache-control'), 'private, max-age=3600')
  await app.app.store.delete(name)
  assert.deepEqual(await refused({}), [404, null])
  assert.deepEqual(await refused({ range: 'bytes=0-3' }), [404, null])
})

test('a download address that was altered, has expired, or whose space is deleted answers 404', async () => {
  const space = await aLiveSpace(app)
  const other = await aLiveSpace(app)
  const [file] = await insert(space, inBase64('a.txt', 'text'))
  const url: string = file.downloadURL
  const changed = [
    url.replace('a.txt', 'b.txt'),
    url.replace(/expires=(\d)/, 'expires=9'),
    url.replace(/blob=./, 'blob=z'),
    url.replace(space.id, other.id),
    url.replace(/signature=.*/, 'signature='),
    url.split('?')[0]!,
    `${url}&blob=x`,
  ]
  for (const each of changed) assert.equal((await download(each)).status, 404, each)
  assert.equal((await download(url)).status, 200)
  assert.equal((await space.who.delete(space.path)).status, 205)
  assert.equal((await download(url)).status, 404)
})

test('uploaded bytes become a file, and only once', async () => {
  const space = await aLiveSpace(app)
  const bytes = Buffer.alloc(2_000_000, 'x')
  const upload = await anUpload(space, bytes)
  const use = () => space.edit({ operation: 'insert_files', files: [{ name: 'big.txt', key: upload.key }] })
  assert.equal((await use()).status, 400)
  assert.equal((await upload.put()).status, 200)
  assert.equal((await upload.put()).status, 200)
  assert.equal((await upload.put(Buffer.alloc(2_000_000, 'y'))).status, 409)
  const used = await use()
  assert.equal(used.status, 200, used.text)
  const [file] = used.body.insertedFiles
  assert.deepEqual([file.name, file.size, file.contentType], ['big.txt', 2_000_000, 'text/plain'])
  assert.equal((await (await download(file.downloadURL)).arrayBuffer()).byteLength, 2_000_000)
  const again = await use()
  assert.deepEqual([again.status, again.body.error.details[0].path], [409, 'body.changes.0.files.0.key'])
})

test('an upload of another organization is refused as a key', async () => {
  const [space, other] = [await aLiveSpace(app), await aLiveSpace(app)]
  const upload = await anUpload(other, Buffer.from('secret'))
  await upload.put()
  const refused = await space.edit({ operation: 'insert_files', files: [{ name: 'x', key: upload.key }] })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.changes.0.files.0.key'])
})

test('an upload accepts exactly the announced number of bytes, at its signed address, before it expires', async () => {
  const space = await aLiveSpace(app)
  const upload = await anUpload(space, Buffer.from('12345'))
  const status = async (response: Promise<Response>) => (await response).status
  assert.equal(await status(upload.put(Buffer.from('1234'))), 400)
  assert.equal(await status(upload.put(Buffer.from('123456'))), 413)
  const forged = upload.url.replace(/signature=./, (first) => `signature=${first.endsWith('A') ? 'B' : 'A'}`)
  assert.equal(await status(upload.put(undefined, forged)), 404)
  assert.equal(await status(upload.put(undefined, upload.url.split('?')[0])), 404)
  await app.db.run(sql`update uploads set expires_at = now() where key = ${upload.key}`)
  assert.equal(await status(upload.put()), 404)
  assert.deepEqual(await readdir(incomingFolder(app.config)), [])

  const ask = (size: number) =>
    space.who.post(`/v1/orgs/${space.org.id}/storage/upload`, {
      file: { name: 'x', type: 'x', size },
      kind: 'organization_file',
    })
  const refused = await ask(3_000_001)
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.file.size'])
})

test('a file is fetched from its URL, and a failed fetch is refused with the reason and nothing else', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/a.png') response.writeHead(200, { 'content-type': 'text/html' }).end(pixel)
    else if (request.url === '/large') response.end(Buffer.alloc(3_000_001))
    else response.writeHead(500).end('secret details')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const space = await aLiveSpace(app)
  const [file] = await insert(space, { name: 'a', url: `${base}/a.png` })
  assert.deepEqual([file.contentType, file.size], ['image/png', pixel.length])

  const refusal = async (url: string) => {
    const { status, text, body } = await space.edit({ operation: 'insert_files', files: [{ name: 'x', url }] })
    assert.doesNotMatch(text, /secret/)
    return [status, body.error.details[0].path, body.error.details[0].rule]
  }
  const path = 'body.changes.0.files.0.url'
  assert.deepEqual(await refusal(`${base}/x`), [400, path, 'bad-status'])
  assert.deepEqual(await refusal(`${base}/large`), [400, path, 'maxBytes'])
  assert.deepEqual(await refusal('http://10.0.0.1/'), [400, path, 'private-address'])
  assert.deepEqual(await refusal('http://localhost:1/'), [400, path, 'unreachable'])
  assert.deepEqual(await readdir(incomingFolder(app.config)), [])
})

test('an image of more than 50 megapixels is refused', async () => {
  const huge = Buffer.from(pixel)
  huge.writeUInt32BE(10_000, 16)
  huge.writeUInt32BE(5_001, 20)
  const space = await aLiveSpace(app)
  const refused = await space.edit({ operation: 'insert_files', files: [inBase64('x.png', huge, 'image/png')] })
  assert.deepEqual([refused.status, refused.body.error.details[0].rule], [400, 'pixels'])
})

test('the sweep removes bytes that were unused for a day, and no others', async () => {
  const space = await aLiveSpace(app)
  await insert(space, inBase64('kept.txt', `kept ${space.id}`))
  const unused = await anUpload(space, Buffer.from(`unused ${space.id}`))
  await unused.put()
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const has = (text: string) => app.app.store.has({ organizationId: space.org.id, hash: hashOf(`${text} ${space.id}`) })
  const { context } = app
  await sweepFiles.run(context)
  assert.deepEqual([await has('kept'), await has('unused')], [true, true])

  await app.db.run(sql`update blobs set created_at = now() - interval '2 days' where organization_id = ${space.org.id}`)
  await app.db.run(
    sql`update uploads set created_at = now() - interval '2 days' where organization_id = ${space.org.id}`,
  )
  await sweepFiles.run(context)
  await sweepFiles.run(context)
  assert.deepEqual([await has('kept'), await has('unused')], [true, false])
})

test('an editor may request an upload, a stranger may not', async () => {
  const org = await anOrganization(app)
  const stranger = (await anOrganization(app)).admin
  const ask = async (who: typeof stranger) =>
    (
      await who.client.post(`/v1/orgs/${org.id}/storage/upload`, {
        file: { name: 'x', type: 'x', size: 1 },
        kind: 'organization_file',
      })
    ).status
  assert.deepEqual([await ask(await org.member('edit')), await ask(stranger)], [201, 404])
})
