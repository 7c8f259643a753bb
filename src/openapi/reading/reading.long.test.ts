import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fetcher } from '../../fetch/fetcher.ts'
import { petstore } from '../testing/petstore.ts'
import { anUpstream, silence } from '../testing/upstream.ts'
import { SpecFailure } from './failure.ts'
import { type Reading, type TextOrAddress, readSpec } from './read.ts'

const fetcher = new Fetcher({ allow: ['127.0.0.1'] })
test.after(() => fetcher.close())

const maxBytes = 10 * 1024 * 1024

async function read(source: string | TextOrAddress, more: Partial<Reading> = {}) {
  const from = typeof source === 'string' ? { bytes: Buffer.from(source) } : source
  const { document, externals } = await readSpec(from, { fetcher, maxBytes, ...more })
  return { document: JSON.parse(Buffer.from(document).toString()), names: externals?.names }
}

/** Returns why it was refused. */
async function refusal(...args: Parameters<typeof read>): Promise<string> {
  const failure = await read(...args).then(
    () => assert.fail('it was read'),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof SpecFailure, String(failure))
  return `${failure.code}: ${failure.message}`
}

const refersTo = (reference: string) => JSON.stringify({ openapi: '3.1.0', paths: { '/a': { $ref: reference } } })

test('a specification is fetched with every document that it refers to, and redirects are followed', async () => {
  const upstream = await anUpstream({
    '/openapi.json': (_request, response) => response.writeHead(302, { location: '/api/v2.json' }).end(),
    '/api/v2.json': refersTo('paths.yaml#/a'),
    '/api/paths.yaml': 'a:\n  get:\n    summary: Found\n',
  })
  const { document, names } = await read({ url: upstream.url('/openapi.json') })
  assert.deepEqual(upstream.asked, ['/openapi.json', '/api/v2.json', '/api/paths.yaml'])
  assert.deepEqual(names, [upstream.url('/api/paths.yaml')])
  assert.match(JSON.stringify(document['x-ext']), /Found/)
})

test('a failed fetch gives a reason that contains nothing of the response', async () => {
  const upstream = await anUpstream({
    '/slow': silence,
    '/broken': { status: 500 },
    '/refers-to-slow': refersTo('slow'),
    '/refers-to-private': refersTo('elsewhere'),
    '/elsewhere': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    '/large': 'x'.repeat(2_000),
  })
  const at = (path: string) => ({ url: upstream.url(path) })
  const hurried = { fetcher: new Fetcher({ allow: ['127.0.0.1'], limits: { firstByteMs: 300 } }) }
  test.after(() => hurried.fetcher.close())
  assert.equal(await refusal(at('/slow'), hurried), 'FETCH_TIMEOUT: Its address took too long to answer.')
  assert.equal(await refusal(at('/broken')), 'FETCH_ERROR: Its address responds with an error.')
  assert.equal(await refusal(at('/large'), { maxBytes: 1_000 }), 'FETCH_ERROR: Its address is too large.')
  assert.match(await refusal(at('/refers-to-private')), /^FETCH_ERROR: What it refers to, .*not public/)
  for (const url of ['http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/', 'http://0x0a000001/', 'file:///etc/passwd']) {
    assert.match(await refusal({ url }), /^FETCH_ERROR: Its address (leads to an address that is not|is not an http)/)
  }
})

test('a read that takes too much memory or time fails with a reason, and the calling process goes on', async () => {
  const hungry = `openapi: 3.1.0\nx: [${'a,'.repeat(100_000)}a]\n`
  assert.match(await refusal(hungry, { limits: { memoryMb: 20 } }), /^PARSE_ERROR: .*too much memory/)
  assert.match(await refusal(JSON.stringify(petstore), { limits: { workMs: 1 } }), /^PARSE_ERROR: .*too long/)
  assert.equal(
    await refusal('{"openapi":'),
    'PARSE_ERROR: The specification is not valid JSON: Unexpected end of JSON input.',
  )
})

test('reading a specification ends at once when the process stops', async () => {
  const upstream = await anUpstream({ '/slow': silence })
  const stop = new AbortController()
  const reading = read({ url: upstream.url('/slow') }, { stopping: stop.signal })
  stop.abort()
  await assert.rejects(reading, { name: 'AbortError' })
})
