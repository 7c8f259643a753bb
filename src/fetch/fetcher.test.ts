import assert from 'node:assert/strict'
import { type RequestListener, createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { makeKeyPair } from '../saml/keys/self-signed.ts'
import { Addresses } from './addresses.ts'
import type { Lookup } from './agent.ts'
import { FetchFailure, type FetchReason } from './failure.ts'
import { Fetcher, type FetchLimits } from './fetcher.ts'

let reached = 0

async function aServer(answer: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    reached += 1
    answer(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Resolves names to the addresses that a test wants, like a hostile name server would. */
const names =
  (table: Record<string, string[]>): Lookup =>
  (hostname, _options, callback) => {
    const found = table[hostname]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(found ? null : Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), found ?? [])
  }

function fetcher(options: { allow?: string[]; limits?: Partial<FetchLimits>; lookup?: Lookup } = {}): Fetcher {
  const made = new Fetcher(options)
  after(() => made.close())
  return made
}

async function reasonOf(work: Promise<unknown>): Promise<FetchReason> {
  const error = await work.then(
    () => assert.fail('it was fetched'),
    (failure: unknown) => failure,
  )
  assert.ok(error instanceof FetchFailure, String(error))
  return error.reason
}

test('a private address is not reached in any spelling', async () => {
  const port = await aServer((_request, response) => response.end('secret'))
  const before = reached
  const guarded = fetcher()
  const spellings = [
    '127.0.0.1', '127.1', '127.0.0.2', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '0', '0.0.0.0',
    'localhost', 'LOCALHOST', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.０.０.１', '127。0。0。1',
    '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]',
    '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd12::1]', '[ff02::1]',
    '[100::1]', '[2001:db8::1]', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1',
    '198.18.0.1', '192.0.0.170', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  ] // prettier-ignore
  for (const host of spellings) {
    assert.equal(await reasonOf(guarded.download(`http://${host}:${port}/`)), 'private-address', host)
  }
  assert.equal(reached, before)
})

test('a name that resolves to private addresses is not reached, and only its permitted addresses are tried', async () => {
  const port = await aServer((_request, response) => response.end('secret'))
  const before = reached
  const lookup = names({
    'inside.test': ['127.0.0.1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'six.test': ['::1', 'fd00::1'],
    'cloud.test': ['169.254.169.254'],
  })
  for (const name of ['inside', 'mapped', 'six', 'cloud']) {
    assert.equal(await reasonOf(fetcher({ lookup }).download(`http://${name}.test:${port}/`)), 'private-address', name)
  }
  assert.equal(reached, before)

  const mixed = names({ 'mixed.test': ['10.0.0.1', '127.0.0.1'] })
  const opened = fetcher({ lookup: mixed, allow: ['127.0.0.0/8'] })
  assert.equal((await opened.download(`http://mixed.test:${port}/`)).bytes.toString(), 'secret')
})

test('an address range opened by the operator is reached, and no other', async () => {
  const port = await aServer((_request, response) => response.end('hello'))
  const opened = fetcher({ allow: ['127.0.0.1', 'fd00::/8'] })
  assert.equal((await opened.download(`http://127.0.0.1:${port}/`)).bytes.toString(), 'hello')
  assert.equal((await opened.download(`http://[::ffff:127.0.0.1]:${port}/`)).bytes.toString(), 'hello')
  assert.equal(await reasonOf(opened.download(`http://127.0.0.2:${port}/`)), 'private-address')
  assert.equal(new Addresses(['fd00::/8']).may('fd12::1'), true)
  for (const wrong of ['localhost', '10.0.0.0/x', '10.0.0.0/99', '']) {
    assert.throws(() => new Addresses([wrong]), /LECTERN_FETCH_ALLOW/, wrong)
  }
})

test('public addresses are allowed', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:1.1.1.1',
  ]) {
    assert.equal(new Addresses([]).may(address), true, address)
  }
})

test('each hop of a redirect is checked again', async () => {
  const port = await aServer((request, response) => {
    const target = new URL(request.url!, 'http://x').searchParams.get('to')
    if (target) response.writeHead(302, { location: target }).end()
    else response.end('here')
  })
  const opened = fetcher({ allow: ['127.0.0.1'] })
  const via = (to: string) => opened.download(`http://127.0.0.1:${port}/?to=${encodeURIComponent(to)}`)
  assert.equal((await via(`http://127.0.0.1:${port}/`)).bytes.toString(), 'here')
  assert.equal((await via('/')).bytes.toString(), 'here')
  const before = reached
  assert.equal(await reasonOf(via(`http://127.0.0.3:${port}/`)), 'private-address')
  assert.equal(await reasonOf(via('http://169.254.169.254/latest/meta-data')), 'private-address')
  assert.equal(await reasonOf(via('file:///etc/passwd')), 'bad-address')
  assert.equal(await reasonOf(via('http://user:word@example.com/')), 'bad-address')
  assert.equal(reached, before + 4)
})

test('five redirects are followed, six are not', async () => {
  const port = await aServer((request, response) => {
    const left = Number(request.url!.slice(1))
    if (left > 0) response.writeHead(307, { location: `/${left - 1}` }).end()
    else response.end('there')
  })
  const opened = fetcher({ allow: ['127.0.0.1'] })
  assert.equal((await opened.download(`http://127.0.0.1:${port}/5`)).bytes.toString(), 'there')
  assert.equal(await reasonOf(opened.download(`http://127.0.0.1:${port}/6`)), 'too-many-redirects')
})

test('Authorization and Cookie are not sent along on a redirect to another origin, other headers are', async () => {
  const seen: (string | undefined)[] = []
  const target = await aServer((request, response) => {
    seen.push(request.headers.authorization, request.headers.cookie, request.headers['x-plain'] as string)
    response.end()
  })
  const port = await aServer((request, response) =>
    response.writeHead(302, { location: request.url === '/same' ? '/there' : `http://127.0.0.1:${target}/` }).end(),
  )
  const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Plain': 'kept' }
  await fetcher({ allow: ['127.0.0.1'] }).fetch(`http://127.0.0.1:${port}/`, { headers })
  assert.deepEqual(seen, [undefined, undefined, 'kept'])
})

test('invalid addresses, other schemes, and addresses with a user or password are refused', async () => {
  for (const url of [
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://a:b@example.com/',
    'http://a@1.1.1.1/',
    'x',
    '',
    'http://',
  ]) {
    assert.equal(await reasonOf(fetcher().download(url)), 'bad-address', url)
  }
})

test('a too large answer is cut off: by its declared length, as it arrives, or once decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 ** 2))
  const port = await aServer((request, response) => {
    if (request.url === '/declared') response.writeHead(200, { 'content-length': 10_000_000 }).write('x')
    else if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    else if (request.url === '/br')
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.from('packed')))
    else if (request.url === '/broken') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    else if (request.url === '/odd') response.writeHead(200, { 'content-encoding': 'lzma' }).end('?')
    else {
      const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 1)
      response.on('close', () => clearInterval(timer))
    }
  })
  const opened = fetcher({ allow: ['127.0.0.1'], limits: { bytes: 1_000_000 } })
  const at = (path: string) => opened.download(`http://127.0.0.1:${port}${path}`)
  assert.equal(await reasonOf(at('/declared')), 'too-large')
  assert.equal(await reasonOf(at('/endless')), 'too-large')
  assert.equal(await reasonOf(at('/gzip')), 'too-large')
  assert.equal((await at('/br')).bytes.toString(), 'packed')
  assert.equal(await reasonOf(at('/broken')), 'bad-answer')
  assert.equal(await reasonOf(at('/odd')), 'bad-answer')
})

test('a fetch from a server that is slow to answer or slow to finish is given up', async () => {
  const port = await aServer((request, response) => {
    if (request.url === '/silent') return
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const opened = fetcher({ allow: ['127.0.0.1'], limits: { firstByteMs: 200, totalMs: 400 } })
  assert.equal(await reasonOf(opened.download(`http://127.0.0.1:${port}/silent`)), 'timeout')
  assert.equal(await reasonOf(opened.download(`http://127.0.0.1:${port}/drip`)), 'timeout')
})

test('a fetch may take what is left of a larger limit, which is no whole number of milliseconds', async () => {
  const port = await aServer((request, response) => void (request.url === '/silent' || response.end('in time')))
  const opened = fetcher({ allow: ['127.0.0.1'] })
  const at = (path: string, totalMs: number) => opened.download(`http://127.0.0.1:${port}${path}`, { totalMs })
  assert.equal((await at('/', 18_695.632)).bytes.toString(), 'in time')
  assert.equal(await reasonOf(at('/silent', 0.3)), 'timeout')
})

test('a server that starts to answer in time may take longer to finish', async () => {
  const port = await aServer((_request, response) => {
    response.writeHead(200)
    let left = 20
    const timer = setInterval(() => {
      if (left-- > 0) return response.write('.')
      clearInterval(timer)
      return response.end()
    }, 20)
  })
  const opened = fetcher({ allow: ['127.0.0.1'], limits: { firstByteMs: 200, totalMs: 30_000 } })
  assert.equal((await opened.download(`http://127.0.0.1:${port}/`)).bytes.length, 20)
})

test('a fetch of only the beginning of an answer does not read the rest', async () => {
  const port = await aServer((request, response) => {
    if (request.url === '/declared') response.writeHead(200, { 'content-length': 10_000_000 })
    const timer = setInterval(() => response.write('0123456789'), 1)
    response.on('close', () => clearInterval(timer))
  })
  const opened = fetcher({ allow: ['127.0.0.1'], limits: { bytes: 25 } })
  for (const path of ['/declared', '/endless']) {
    const { bytes } = await opened.fetch(`http://127.0.0.1:${port}${path}`, { beginningOnly: true })
    assert.equal(bytes.toString(), '0123456789012345678901234')
  }
})

test('a server whose certificate nobody vouches for is told apart from one that is away', async () => {
  const { privateKey: key, certificate: cert } = await makeKeyPair('localhost')
  const server = createSecureServer({ key, cert }, (_request, response) => response.end('secret'))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const opened = fetcher({ allow: ['127.0.0.1'] })
  assert.equal(await reasonOf(opened.download(`https://127.0.0.1:${port}/`)), 'untrusted')
  assert.equal(await reasonOf(fetcher().download(`https://127.0.0.1:${port}/`)), 'private-address')
})

test('a refused or failed connection is reported as a reason, never with the text of the answer', async () => {
  const port = await aServer((_request, response) => response.writeHead(403).end('internal details'))
  const opened = fetcher({ allow: ['127.0.0.1'], lookup: names({}) })
  const error = await opened.download(`http://127.0.0.1:${port}/`).catch((failure: unknown) => failure)
  assert.ok(error instanceof FetchFailure)
  assert.equal(error.reason, 'bad-status')
  assert.doesNotMatch(error.message, /internal|403/)
  assert.equal(await reasonOf(opened.download('http://127.0.0.1:1/')), 'unreachable')
  assert.equal(await reasonOf(opened.download('http://nowhere.test/')), 'unreachable')
})
