import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { JsonObject } from './json.ts'
import { samplesOf } from './samples.ts'
import { Spec } from './spec.ts'

interface Received {
  method: string
  url: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A test server in place of the API: records the requests, and answers as the specification says. */
const received: Received[] = []
const server = createServer(async (request, response) => {
  const body = (await buffer(request)).toString('latin1')
  received.push({ method: request.method!, url: request.url!, headers: request.headers, body })
  const isEmpty = request.url!.startsWith('/nothing')
  response.writeHead(isEmpty ? 204 : 200, { 'content-type': 'application/json' }).end(isEmpty ? undefined : '{}')
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
after(() => server.close())

const servers = [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }]

function samples(operation: object, { path = '/x', method = 'get', more = {} } = {}) {
  const document = { openapi: '3.1.0', info: {}, servers, paths: { [path]: { [method]: operation } }, ...more }
  const spec = new Spec(JSON.parse(JSON.stringify(document)) as JsonObject)
  const [curl, javaScript, python] = samplesOf(spec, spec.operation(path, method)!).map(({ code }) => code)
  return { curl: curl!, javaScript: javaScript!, python: python! }
}

/** Runs the sample and returns the request that arrives. */
async function run(code: string): Promise<Received> {
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (file: Blob) => Promise<void>
  received.length = 0
  await new AsyncFunction('file', code)(new Blob(['bytes of the file']))
  return received[0] ?? assert.fail('nothing arrived')
}

const answer = { responses: { 200: { description: 'Well', content: { 'application/json': {} } } } }

test('lists and objects are written to addresses and headers in the style of their parameter', async () => {
  const colours = { schema: { type: 'array', items: { type: 'string' } }, example: ['red', 'a&b'] }
  const size = { schema: { type: 'object' }, example: { height: 1, width: 2 } }
  const inQuery = async (parameter: object) =>
    (await run(samples({ parameters: [{ name: 'p', in: 'query', ...parameter }], ...answer }).javaScript)).url
  assert.equal(await inQuery(colours), '/x?p=red&p=a%26b')
  assert.equal(await inQuery({ ...colours, explode: false }), '/x?p=red,a%26b')
  assert.equal(await inQuery({ ...colours, style: 'pipeDelimited', explode: false }), '/x?p=red%7Ca%26b')
  assert.equal(await inQuery({ ...colours, style: 'spaceDelimited', explode: false }), '/x?p=red%20a%26b')
  assert.equal(await inQuery(size), '/x?height=1&width=2')
  assert.equal(await inQuery({ ...size, explode: false }), '/x?p=height,1,width,2')
  assert.equal(await inQuery({ ...size, style: 'deepObject' }), '/x?p%5Bheight%5D=1&p%5Bwidth%5D=2')
  const asJson = { content: { 'application/json': { schema: { type: 'object' }, example: { a: 1 } } } }
  assert.equal(await inQuery(asJson), '/x?p=%7B%22a%22%3A1%7D')

  const inPath = async (parameter: object) => {
    const parameters = [{ name: 'p', in: 'path', required: true, ...parameter }]
    return (await run(samples({ parameters, ...answer }, { path: '/x/{p}' }).javaScript)).url
  }
  assert.equal(await inPath(colours), '/x/red,a%26b')
  assert.equal(await inPath({ ...size, explode: true }), '/x/height=1,width=2')
  assert.equal(await inPath({ ...colours, style: 'label' }), '/x/.red.a%26b')
  assert.equal(await inPath({ ...colours, style: 'matrix', explode: true }), '/x/;p=red;p=a%26b')

  const header = { name: 'X-Colours', in: 'header', ...colours }
  assert.equal((await run(samples({ parameters: [header], ...answer }).javaScript)).headers['x-colours'], 'red,a&b')
})

test('a form repeats the values of a list, and splits objects as its encoding says', async () => {
  const body = (content: object) => ({ requestBody: { content }, ...answer })
  const example = { tags: ['a', 'b'], card: { number: 1, owner: { name: 'Z' } }, name: 'Rex' }
  const form = { 'application/x-www-form-urlencoded': { example, encoding: { card: { style: 'deepObject' } } } }
  const { curl, javaScript, python } = samples(body(form), { method: 'post' })
  const sent = await run(javaScript)
  assert.deepEqual(
    [...new URLSearchParams(sent.body)],
    [
      ['tags', 'a'],
      ['tags', 'b'],
      ['card[number]', '1'],
      ['card[owner][name]', 'Z'],
      ['name', 'Rex'],
    ],
  )
  assert.match(curl, /--data-urlencode 'tags=a' .*--data-urlencode 'tags=b' .*'card\[owner\]\[name\]=Z'/s)
  assert.match(python, /"tags",\s+"a",\s+\],\s+\[\s+"tags",\s+"b"/)
})

test('files are sent as files, as several in a form or as the whole body', async () => {
  const files = { type: 'array', items: { contentMediaType: 'application/octet-stream' } }
  const content = { 'multipart/form-data': { schema: { type: 'object', properties: { files } } } }
  const several = samples({ requestBody: { content }, ...answer }, { method: 'post' })
  assert.match(several.curl, /--form 'files=@file'$/)
  assert.match((await run(several.javaScript)).body, /name="files"; filename=.*bytes of the file/s)

  const whole = { 'application/octet-stream': { schema: {} } }
  const { curl, javaScript, python } = samples({ requestBody: { content: whole }, ...answer }, { method: 'put' })
  assert.match(curl, /--header 'Content-Type: application\/octet-stream' \\\n {2}--data-binary '@file'$/)
  assert.match(python, /data=open\("file", "rb"\)/)
  const sent = await run(javaScript)
  assert.deepEqual([sent.body, sent.headers['content-type']], ['bytes of the file', 'application/octet-stream'])
})

test('a GET with a body keeps it in samples, and a language that cannot send one has no sample', async () => {
  const content = { 'application/json': { example: { query: 'tea' } } }
  const operation = { requestBody: { content }, ...answer }
  const spec = new Spec({ openapi: '3.1.0', servers, paths: { '/x': { get: operation } } })
  const [curl, python, ...others] = samplesOf(spec, spec.operation('/x', 'get')!)
  assert.match(curl!.code, /--request GET .*--data '/s)
  assert.match(python!.code, /requests\.get\(.*json=/s)
  assert.deepEqual(others, [])
})

test('samples send texts literally, whatever characters they contain', async () => {
  const schema = { type: 'object', properties: { file: { format: 'binary' } } }
  const example = { file: '…', html: '<p>;type=x</p>', at: '@me' }
  const form = { requestBody: { content: { 'multipart/form-data': { schema, example } } }, ...answer }
  const { curl } = samples(form, { method: 'post' })
  assert.match(curl, /--form 'file=@file' \\\n {2}--form-string 'html=<p>;type=x<\/p>' \\\n {2}--form-string 'at=@me'$/)
  const text = (example: string) =>
    samples({ requestBody: { content: { 'text/plain': { example } } } }, { method: 'put' })
  assert.match(text('@me').curl, /--data-raw '@me'$/)
  assert.match(text('Tee').python, /data="Tee",\n/)
  assert.match(text('Käse').python, /data="Käse"\.encode\(\),\n/)
})

test('a sample names the JSON media type of its body, and percent-encodes its address', async () => {
  const body = (type: string) => ({ requestBody: { content: { [type]: { example: {} } } }, ...answer })
  const patch = samples(body('application/merge-patch+json'), { method: 'patch' })
  assert.match(patch.python, /headers=\{\s+"Content-Type": "application\/merge-patch\+json",\s+\},\s+json=/)
  assert.doesNotMatch(samples(body('application/json'), { method: 'patch' }).python, /Content-Type/)
  assert.match(samples(answer, { path: '/фото/{a b}' }).curl, /\/%D1%84%D0%BE%D1%82%D0%BE\/\{a%20b\}'/)
})

test('a sample reads no answer where there is none, and any other answer by its media type', async () => {
  const nothing = samples({ responses: { 204: { description: 'Gone' } } }, { path: '/nothing', method: 'delete' })
  assert.equal((await run(nothing.javaScript)).method, 'DELETE')
  assert.doesNotMatch(nothing.javaScript + nothing.python, /data/)
  const head = samples(answer, { method: 'head' })
  assert.equal((await run(head.javaScript)).method, 'HEAD')
  assert.match(head.curl, /--head$/)

  const returns = (type: string) => samples({ responses: { 200: { description: '', content: { [type]: {} } } } })
  assert.match(returns('text/csv').javaScript, /response\.text\(\)/)
  assert.match(returns('image/png').javaScript, /response\.blob\(\)/)
  assert.match(returns('image/png').python, /response\.content/)
  assert.match(returns('application/vnd.api+json').javaScript, /response\.json\(\)/)
})

test('a header that is sent anyway is in a sample once', async () => {
  const schema = { type: 'string' }
  const parameters = ['authorization', 'Content-Type', 'X-Other'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema,
  }))
  const operation = { parameters, requestBody: { content: { 'application/json': { example: {} } } }, ...answer }
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
  const { curl, javaScript } = samples(operation, { method: 'post', more: { components, security: [{ token: [] }] } })
  assert.deepEqual(curl.match(/--header '[^:]*/g), [
    "--header 'Authorization",
    "--header 'X-Other",
    "--header 'Content-Type",
  ])
  assert.equal((await run(javaScript)).headers['authorization'], 'Bearer YOUR_TOKEN')
})
