// Rare features of specifications: servers to choose from, links, external documents, deprecation, authentication.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Icons } from '../../published/icons/icons.ts'
import { asSpec } from '../testing/as-spec.ts'
import { everything } from '../testing/everything.ts'
import { drawOperation } from './operation.ts'
import { enough } from './room.ts'
import { drawSchemas } from './schemas.ts'
import { writeOperation, writeSchemas } from './text.ts'

const parcels = asSpec(everything)

async function draw(path: string, method: string, spec = parcels, room = enough): Promise<string> {
  return String(await drawOperation(spec, spec.operation(path, method)!, { id: 'op1', room }, new Icons()))
}
const write = (path: string, method: string) => writeOperation(parcels, parcels.operation(path, method)!, {})

test('an operation with several servers lists them with their variables, and samples call the first', async () => {
  const markup = await draw('/parcels', 'post')
  const [servers] = /<details class="servers".*?<\/details>/s.exec(markup)!
  assert.match(servers, /<summary>.*Server.*<code data-base="">https:\/\/api\.example\.com\/v2<\/code><\/summary>/s)
  assert.match(servers, /<code>https:\/\/\{region\}\.example\.com:\{port\}\/v2<\/code>.*By <strong>region<\/strong>/s)
  assert.match(servers, /<code>\{region\}<\/code><select.*<option selected>eu<\/option><option>us<\/option><\/select>/s)
  assert.match(servers, /<code>eu<\/code><code>us<\/code>.*Where parcels are kept\./s)
  assert.match(servers, /<code>\{port\}<\/code><input[^>]* value="8443"[^>]*>.*Default: <code>8443<\/code>/s)
  assert.match(servers, /<code>\/local<\/code>.*On this machine/s)
  assert.match(servers, /type="radio"[^>]* value="https:\/\/api\.example\.com\/local"/)
  // The base address is marked in the samples of all languages.
  assert.equal([...markup.matchAll(/<span data-base="">https:\/\/api\.example\.com\/v2<\/span>\/parcels/g)].length, 3)

  const text = write('/parcels', 'post')
  assert.match(text, /\*\*Servers\*\*\n\n- `https:\/\/api\.example\.com\/v2`: Production\n- `https:\/\/\{region\}/)
  assert.match(text, /\n {2}- `\{region\}`: Where parcels are kept\. `eu`, `us`\. Default: `eu`\.\n {2}- `\{port\}`/)
})

test('servers of an operation override those of its path, and those all others; a single server is no choice', async () => {
  const tracked = await draw('/parcels/{parcelId}', 'get')
  assert.match(tracked, /https:\/\/track\.example\.com\/parcels/)
  assert.doesNotMatch(tracked, /class="servers"/)
  // Samples written by the author contain fixed addresses, so the servers are only listed, and cannot be chosen.
  const moved = await draw('/parcels/{parcelId}', 'put')
  assert.match(moved, /<details class="servers"><summary>.*https:\/\/one\.example\.com<\/code>/s)
  assert.doesNotMatch(moved, /<select|type="radio"/)
})

test('a server variable with an empty default shows none', async () => {
  const servers = [{ url: 'https://example.org/{path}', variables: { path: { default: '' } } }]
  const spec = asSpec({ openapi: '3.1.0', servers, paths: { '/a': { get: { responses: {} } } } })
  assert.match(await draw('/a', 'get', spec), /<code>\{path\}<\/code><input(?!.*Default)/s)
  const text = writeOperation(spec, spec.operation('/a', 'get')!, {})
  assert.match(text, /`\{path\}`\n/)
  assert.doesNotMatch(text, /Default/)
})

test('no other host is made up for a server whose host is in a variable', async () => {
  const variables = { base: { default: 'https://eu.example.org' }, host: { default: '//us.example.org' } }
  const servers = ['{base}/v1', '{host}/v1', '{unknown}/v1'].map((url) => ({ url, variables }))
  const markup = await draw('/parcels', 'post', asSpec({ ...everything, servers }))
  const values = [...markup.matchAll(/type="radio"[^>]* value="([^"]*)"/g)].map(([, value]) => value)
  assert.deepEqual(values, ['{base}/v1', 'https:{host}/v1', 'https://api.example.com/{unknown}/v1'])
})

test('of very many servers a page shows some and how many more there are, and a long page shows none', async () => {
  const servers = Array.from({ length: 40 }, (_, at) => ({ url: `https://s${at}.example.com` }))
  const many = asSpec({ ...everything, servers })
  assert.match(await draw('/parcels', 'post', many), /s19\.example\.com(?!.*s20\.example).*\+ 20 …/s)
  const narrow = { ...enough, servers: 0 }
  assert.doesNotMatch(await draw('/parcels', 'post', many, narrow), /class="servers"/)
})

test('a response shows which operations can be called next, and which of its parts are headers', async () => {
  const markup = await draw('/parcels', 'post')
  assert.match(markup, /<p class="part">Headers<\/p>.*Location.*<p class="part">Body<\/p>.*<p class="part">Links<\/p>/s)
  assert.match(
    markup,
    /<code>track<\/code><span class="type">GET \/parcels\/\{parcelId\}<\/span>.*Follow it on its way/s,
  )
  assert.match(markup, /<code>parcelId<\/code> = <code>\$response\.body#\/id<\/code>.*<code>full<\/code> = <code>true/s)
  assert.match(markup, /<code>again<\/code><span class="type">POST \/parcels<\/span>.*Body: <code>\$request\.body/s)
  assert.match(markup, /<code>elsewhere<\/code><span class="type">https:\/\/other\.example/)
  assert.match(markup, /<code>shared<\/code><span class="type">GET .*\$request\.path\.id/s)
  const text = write('/parcels', 'post')
  assert.match(text, /Links:\n\n- `track` \(`GET \/parcels\/\{parcelId\}`\): Follow it on its way\. `parcelId = \$resp/)
})

test('external documentation of operations, schemas and fields is linked, but only at web addresses', async () => {
  const markup = await draw('/parcels', 'post')
  assert.match(markup, /<p><a href="https:\/\/docs\.example\.com\/send">How sending works<\/a><\/p>/)
  assert.match(markup, /<p><a href="https:\/\/docs\.example\.com\/parcel">Sizes<\/a><\/p>/)
  assert.match(markup, /<p><a href="https:\/\/docs\.example\.com\/ids">Read more<\/a><\/p>/)
  assert.match(write('/parcels', 'post'), /\[How sending works\]\(https:\/\/docs\.example\.com\/send\)/)
  assert.match(await writeSchemas(parcels, ['Parcel'], {}), /\[Sizes\]\(https:\/\/docs\.example\.com\/parcel\)/)
  for (const url of ['javascript:alert(1)', '/relative', 'https://', 7]) {
    const other = asSpec({ paths: { '/x': { get: { externalDocs: { url } } } } })
    assert.doesNotMatch(await draw('/x', 'get', other), /<a /, String(url))
  }
})

test('deprecated operations, parameters, headers, schemas, variants and authentication schemes are marked', async () => {
  const marked = (name: string, text: string) => {
    const mark = '(?:<span[^>]*>[^<]*</span>)?<span class="tag" data-tone="warning">Deprecated</span>'
    assert.match(text, new RegExp(`${name}</code> ?${mark}`), name)
  }
  const markup = await draw('/parcels', 'post')
  for (const name of ['express', 'X-Old', 'weight', 'Letter']) marked(name, markup)
  assert.match(markup, /Body <small>.*?<p><span class="tag" data-tone="warning">Deprecated<\/span><\/p>/s)
  marked('User name and password \\(basic\\)', await draw('/parcels/{parcelId}', 'put'))
  assert.match(await draw('/parcels/{parcelId}', 'get'), /This operation is deprecated\./)
  const schema = String(await drawSchemas(parcels, ['Parcel'], { id: 'op1' }, new Icons()))
  assert.match(schema, /<h3 class="op-h">Parcel<\/h3><p><span class="tag" data-tone="warning">Deprecated/)
  assert.match(await writeSchemas(parcels, ['Letter'], {}), /^\*\*Letter\*\* \(Deprecated\)/)
  assert.match(write('/parcels', 'post'), /`Letter` \(Deprecated\)/)
})

test('authentication schemes are shown as alternatives, as several at once, as optional, or as none', async () => {
  const markup = await draw('/parcels', 'post')
  const [security] = /Authorization.*?<\/dl>/s.exec(markup)!
  assert.match(security, /<small>optional<\/small>/)
  assert.match(security, /API key in the header X-Key<\/code><span class="type">one of these/)
  assert.match(security, /OAuth 2<\/code> and <code>API key in the header X-Tenant<\/code><span class="type">or/)
  assert.match(security, /<code>parcels:write<\/code> Send and change parcels/)
  assert.doesNotMatch(await draw('/parcels/{parcelId}', 'get'), /Authorization/)
})
