// Forms that upload files: however one ends, no files are left behind and nobody has to wait.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { incomingFolder } from '../../storage/receive.ts'

const app = await startApp({
  LECTERN_UPLOAD_LIMIT: '20000000',
})

async function anAuthor() {
  const site = await aSite(app, { pages: [newPage('Tea')] })
  const author = await signedIn(app, await site.org.member('edit'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Pictures' })
  const path = `${space}/~/changes/1/files`
  const { form } = tokenIn(await author.get(path))
  const names = async () =>
    (expect(await site.who.get(`${site.space.path}/change-requests/1/content/files`), 200).items as { name: string }[])
      .map(({ name }) => name)
      .toSorted()
  const cookie = [...author.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  return { author, path, form, names, headers: { cookie, 'content-type': 'multipart/form-data; boundary=edge' } }
}

/**
 * Sends all requests on one connection, one after the other. Resolves only once the request was sent completely,
 * because a browser does not read the answer before.
 */
function oneConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())
  return (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    new Promise<{ status: number; isReused: boolean }>((resolve, reject) => {
      const length = body && { 'content-length': String(body.length) }
      const sent = request(app.url + path, { method, agent, timeout: 20_000, headers: { ...headers, ...length } })
      const isSent = new Promise((done) => sent.on('finish', done))
      sent.on('response', (response) => {
        response.resume()
        response.on('end', () =>
          isSent.then(() => resolve({ status: response.statusCode!, isReused: sent.reusedSocket })),
        )
      })
      sent.on('timeout', () => sent.destroy(new Error('nobody reads what is sent')))
      sent.on('error', reject)
      sent.end(body)
    })
}

type File = [name: string, bytes: Buffer]

const formOf = (form: string, files: File[], separator = '--edge\r\n', end = '--edge--\r\n') =>
  Buffer.concat([
    Buffer.from(`${separator}Content-Disposition: form-data; name="form"\r\n\r\n${form}\r\n`),
    ...files.flatMap(([name, bytes]) => [
      Buffer.from(`${separator}Content-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ])

const much = Buffer.alloc(10_000_000, 'a')
const little = Buffer.from('a')
const incoming = async () => readdir(incomingFolder(app.config)).catch(() => [])
const nothingLeft = async () => assert.deepEqual(await incoming(), [])

test('an upload form refused half-way is read to its end, and its connection serves the next request', async () => {
  const { path, form, names, headers } = await anAuthor()
  const many = Array.from({ length: 20 }, (_, at): File => [`${at}.txt`, little])
  for (const [what, body, status] of [
    ['another form', formOf('x.x', [['a.txt', much]]), 403],
    ['one file too many', formOf(form, [...many, ['a.txt', much]]), 409],
    ['no name', formOf(form, [['..', much]]), 400],
    ['nothing but a folder', formOf(form, [['folder/', much]]), 409],
    [
      'too much',
      formOf(form, [
        ['a', much],
        ['b', much],
        ['c', much],
      ]),
      413,
    ],
    ['something behind its end', Buffer.concat([formOf(form, [['a.txt', little]]), much]), 303],
  ] as const) {
    const send = oneConnection()
    const answer = await send('POST', path, headers, body)
    assert.deepEqual(answer, { status, isReused: false }, what)
    assert.deepEqual(await send('GET', '/healthz', {}), { status: 200, isReused: true }, what)
    await nothingLeft()
  }
  assert.deepEqual(await names(), ['a.txt'])
})

test('a form with boundaries other than announced is refused, so that no file is silently lost or cut', async () => {
  const { path, form, names, headers } = await anAuthor()
  const files: File[] = [
    ['a.txt', little],
    ['b.txt', little],
  ]
  for (const body of [
    formOf(form, files, '--edge \r\n'),
    formOf(form, [['a.txt', Buffer.from('a\r\n--edges\r\nb')], files[1]!]),
    formOf(form, files, '--edge\n'),
    formOf(form, files, undefined, '--edge'),
  ]) {
    const sent = { method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual' } as const
    const answer = await fetch(app.url + path, sent)
    assert.equal(answer.status, 400, body.toString())
    assert.match(await answer.text(), /role="alert">The form did not arrive completely\. Send it again\./)
    assert.deepEqual(await names(), [])
    await nothingLeft()
  }
})

test('an upload that is cut off leaves nothing behind', async () => {
  const { path, form, names, headers } = await anAuthor()
  const body = formOf(form, [
    ['a.txt', little],
    ['b.txt', much],
  ])
  const sent = request(app.url + path, { method: 'POST', headers: { ...headers, 'content-length': `${body.length}` } })
  const isCut = new Promise((resolve) => sent.on('error', resolve))
  sent.write(body.subarray(0, 5_000_000))
  while ((await incoming()).length < 2) await wait(20)
  sent.destroy()
  await isCut
  while ((await incoming()).length > 0) await wait(20)
  assert.deepEqual(await names(), [])
})

test('the same files sent twice from one page are stored once, and other files from it are stored as well', async () => {
  const { path, form, names, headers } = await anAuthor()
  const upload = async (...files: File[]) => {
    const body = new Uint8Array(formOf(form, files))
    const { status } = await fetch(app.url + path, { method: 'POST', headers, body, redirect: 'manual' })
    assert.equal(status, 303)
  }
  await Promise.all([upload(['a.txt', little]), upload(['a.txt', little])])
  await upload(['b.txt', little])
  await upload(['a.txt', Buffer.from('b')])
  assert.deepEqual(await names(), ['a.txt', 'a.txt', 'b.txt'])
  await nothingLeft()
})
