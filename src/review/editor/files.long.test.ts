// Files are added to a change request with nothing but a form, and deleted in the same way.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { type Person, tokenIn } from '../../account/testing/person.ts'
import { readFormParts } from '../../files/multipart.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { incomingFolder } from '../../storage/receive.ts'

const uploadBytes = 100_000
const app = await startApp({ LECTERN_UPLOAD_LIMIT: `${uploadBytes}`, LECTERN_FETCH_ALLOW: '127.0.0.1' })

async function anAuthor() {
  const site = await aSite(app, { pages: [newPage('Tea')] })
  const author = await signedIn(app, await site.org.member('edit'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Pictures' })
  const api = `${site.space.path}/change-requests/1`
  const files = async () => expect(await site.who.get(`${api}/content/files`), 200).items as any[]
  return { site, author, path: `${space}/~/changes/1/files`, api, files }
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Sends the form like a browser: the hidden field first. */
async function upload(who: Person, path: string, files: [string, Uint8Array<ArrayBuffer>][], form?: string) {
  const [, token = ''] = /name="form" value="([^"]+)"/.exec((await who.get(path)).text) ?? []
  const body = new FormData()
  body.append('form', form ?? token)
  for (const [name, bytes] of files) body.append('files', new Blob([bytes]), name)
  const cookie = [...who.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  const answer = await fetch(app.url + path, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
}

const nothingLeft = async () => assert.deepEqual(await readdir(incomingFolder(app.config)), [])

test('files are uploaded together, each is shown with the line that embeds it, and one can be deleted', async () => {
  const { site, author, path, api, files } = await anAuthor()
  const sent: [string, Uint8Array<ArrayBuffer>][] = [
    ['Kännchen [1] "x".gif', Uint8Array.from(gif)],
    ['notes.txt', Uint8Array.from(Buffer.from('\r\n--no boundary\r\n'.repeat(500)))],
  ]
  const done = await upload(author, path, sent)
  assert.equal(done.status, 303)
  const led = (await author.get(done.location!)).text
  assert.deepEqual([led.includes('role="status">Uploaded'), led.match(/<li\s+data-new>/g)?.length], [true, 2])
  const [picture, notes] = (await files()).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  assert.deepEqual([picture.name, notes.name], [sent[0]![0], 'notes.txt'])
  assert.deepEqual([picture.contentType, picture.size, notes.size], ['image/gif', gif.length, sent[1]![1].length])
  const got = await fetch(notes.downloadURL.replace('http://lectern.test', app.url))
  assert.deepEqual(Buffer.from(await got.arrayBuffer()), Buffer.from(sent[1]![1]))
  await nothingLeft()

  // New files are marked only on the page to which the upload leads.
  const later = await upload(author, path, [['more.txt', Uint8Array.from(gif)]])
  const marked = (await author.get(later.location!)).text.split(/<li\s+data-new>/)
  assert.deepEqual([marked.length, marked[1]!.includes('>more.txt</a>')], [2, true])
  assert.doesNotMatch((await author.get(path)).text, /data-new/)
  // The name that browsers give to a picture from the clipboard describes none.
  const pasted = await upload(author, path, [['image.png', Uint8Array.from(gif)]])
  assert.match((await author.get(pasted.location!)).text, /<li\s+data-new>[^]*?<code[^>]*>!\[\]\(\/files\//)
  const [copied] = (await files()).filter(({ name }) => name === 'image.png')
  await author.submit(await author.get(path), `${path}/delete`, { file: copied.id })
  const [more] = (await files()).filter(({ name }) => name === 'more.txt')
  await author.submit(await author.get(path), `${path}/delete`, { file: more.id })

  const shown = (await author.get(path)).text.replaceAll('&quot;', '"')
  const line = `![Kännchen \\[1\\] "x"](/files/${picture.id})`
  assert.ok(shown.includes(`<code>${line}</code>`), shown)
  assert.ok(shown.includes(`<code>{% file src="/files/${notes.id}" %}</code>`))
  // The line that is offered works in a page.
  const markdown = `# Pot\n\n${line}\n\n{% file src="/files/${notes.id}" %}\n`
  const changes = [{ operation: 'insert_page', document: { markdown } }]
  expect(await site.who.post(`${api}/content`, { changes }), 200)
  const pages = expect(await site.who.get(`${api}/content/pages`), 200).pages as { id: string }[]
  const drawn = expect(await site.who.get(`${api}/content/page/${pages.at(-1)!.id}?format=html`), 200)
  assert.ok(drawn.html.includes(`/${picture.id}/`) && drawn.html.includes(`/${notes.id}/`), drawn.html)

  const page = await author.get(path)
  assert.equal((await author.submit(page, `${path}/delete`, { file: picture.id })).location, `${path}?done=deleted`)
  assert.deepEqual(
    (await files()).map(({ name }) => name),
    ['notes.txt'],
  )
  const again = await author.submit(page, `${path}/delete`, { file: picture.id })
  assert.deepEqual([again.status, /role="alert">This file no longer exists/.test(again.text)], [400, true])
})

test('an upload form is taken whole or not at all, and a refused one leaves nothing behind', async () => {
  const { author, path, files } = await anAuthor()
  const bytes = (size: number) => new Uint8Array(size)
  const many = Array.from({ length: 21 }, (_, at): [string, Uint8Array<ArrayBuffer>] => [`${at}.txt`, bytes(1)])
  for (const [sent, status, reason] of [
    [[], 409, 'Choose at least one file'],
    [[['', bytes(0)]], 409, 'Choose at least one file'],
    [many, 409, 'At most 20 files'],
    [
      [
        ['a.txt', bytes(uploadBytes / 2)],
        ['b.txt', bytes(uploadBytes / 2 + 1)],
      ],
      413,
      'too large',
    ],
    [[['a.txt', bytes(2 * uploadBytes)]], 413, 'too large'],
    [
      [
        ['a.txt', bytes(9)],
        ['..', bytes(9)],
      ],
      400,
      'must not contain slashes',
    ],
    [
      [
        ['a.txt', bytes(9)],
        ['x'.repeat(257), bytes(9)],
      ],
      409,
      'A file name has at most 256',
    ],
  ] as [[string, Uint8Array<ArrayBuffer>][], number, string][]) {
    const refused = await upload(author, path, sent)
    assert.equal(refused.status, status, reason)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}`))
    assert.deepEqual(await files(), [])
    await nothingLeft()
  }
  assert.equal((await upload(author, path, [['a.txt', bytes(uploadBytes)]])).status, 303)
})

test('files are accepted only from someone who may write, with a valid form', async () => {
  const { site, author, path, api, files } = await anAuthor()
  const sent: [string, Uint8Array<ArrayBuffer>][] = [['a.gif', Uint8Array.from(gif)]]
  const reader = await signedIn(app, await site.org.member('comment'))
  assert.equal((await reader.get(path)).status, 403)
  const { form } = tokenIn(await author.get(path))
  for (const [who, token] of [
    [reader, undefined],
    [reader, form],
    [author, 'x.x'],
    [author, ''],
  ] as const)
    assert.equal((await upload(who, path, sent, token)).status, 403)
  const page = await author.get(path)
  author.cookies.clear()
  assert.equal((await upload(author, path, sent, form)).status, 303)
  assert.deepEqual(await files(), [])
  await nothingLeft()

  const other = await signedIn(app, await site.org.member('edit'))
  const address = app.url + path
  const cookie = [...other.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  for (const [type, body] of [
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="form"\r\n\r\ncut'],
    ['multipart/form-data; boundary=x', `--x\r\n${'a'.repeat(40_000)}`],
    ['multipart/form-data; boundary=x', ''],
    ['multipart/form-data', 'x'],
    ['application/x-www-form-urlencoded', 'form=x'],
  ] as const) {
    const broken = await fetch(address, { method: 'POST', body, headers: { cookie, 'content-type': type } })
    assert.ok([400, 403, 409].includes(broken.status), `${broken.status} ${type} ${body.slice(0, 20)}`)
    assert.match(await broken.text(), /role="alert"/)
  }
  expect(await site.who.post(`${api}/merge`), 200)
  assert.match((await other.get(path)).text, /<h1>This change request is merged<\/h1>/)
  assert.equal((await other.post(`${path}/delete`, { form: 'x' })).status, 403)
  assert.ok(page.text.includes('enctype="multipart/form-data"'))
})

test('an upload form parses the same however its bytes are split', async () => {
  const parts = [
    ['form', undefined, 'a.b'],
    ['files', 'a "b".txt', 'x\r\n--edg\r\n--edge'.slice(0, -2)],
    ['files', '', ''],
    ['files', 'c', '\r\n\r\n'],
  ] as const
  const whole = Buffer.from(
    `${parts
      .map(([name, filename, text]) => {
        const file = filename === undefined ? '' : `; filename="${filename.replaceAll('"', '%22')}"`
        return `--edges\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`
      })
      .join('')}--edges--\r\n`,
  )
  for (const step of [1, 2, 3, 7, 64, whole.length]) {
    const read: unknown[] = []
    async function* inPieces() {
      for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step)
    }
    for await (const { name, filename, bytes } of readFormParts(inPieces(), 'edges')) {
      const pieces: Buffer[] = []
      for await (const piece of bytes) pieces.push(piece)
      read.push([name, filename, Buffer.concat(pieces).toString()])
    }
    assert.deepEqual(read, parts, `in pieces of ${step}`)
  }
})

test('a file on the web is fetched once, under its name, and only from public addresses', async () => {
  const { author, path, files } = await anAuthor()
  const bring = async (address: string, more = {}) =>
    author.submit(await author.get(path), `${path}/fetch`, { address, ...more })
  const page = await author.get(path)
  const twice = await Promise.all(
    [1, 2].map(() => author.submit(page, `${path}/fetch`, { address: `${app.url}/favicon.svg?x=1` })),
  )
  assert.match((await author.follow(twice[0]!)).text, /data-new[^]*!\[favicon\]/)
  assert.deepEqual([twice[1]!.status, (await files()).map(({ name }) => name)], [303, ['favicon.svg']])
  const refused: [string, RegExp][] = [
    ['http://10.1.2.3/a.png', /the address leads to an address that is not public/],
    ['file:///etc/passwd', /the address is not an http or https address/],
    ['', /the address is not/],
    [`${app.url}/nothing.png`, /responds with an error/],
    [`https://example.org/${'x'.repeat(3000)}`, /at most 2048 characters/],
  ]
  for (const [address, reason] of refused) {
    const { status, text } = await bring(address)
    assert.ok(status === 400 || status === 409, `${address} ${status}`)
    assert.match(text, reason)
  }
  assert.match(
    (await bring(`${app.url}/healthz`, { kind: 'picture' })).text,
    /The file at this address is not a picture/,
  )
  assert.equal((await files()).length, 1)
  await nothingLeft()
})
