// Tests every way in which users can make our servers fetch something, with every spelling of an address that is not
// public: no connection to this machine is ever made.
import assert from 'node:assert/strict'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestApp, startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { aSyncedSpace } from '../git/testing/syncing.ts'
import { readEmbeds } from '../embeds/read-embeds.task.ts'
import { untilRead } from '../openapi/testing/specs.ts'
import { WebhookSender } from '../webhooks/sender.ts'
import { Fetcher } from './fetcher.ts'
import { FetchFailure } from './failure.ts'

/** A server on all addresses of this machine. Records the local address of each connection. */
async function aListener(answer: RequestListener) {
  const reached: string[] = []
  const server = createServer(answer)
  server.on('connection', (socket) => reached.push((socket.localAddress ?? '').replace('::ffff:', '')))
  await new Promise<void>((ready) => server.listen(0, '::', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { reached, port: (server.address() as AddressInfo).port }
}

/** `here` is an IPv4 address of this machine. */
function spellingsOf(here: string): string[] {
  const [a, b, c, d] = here.split('.').map(Number) as [number, number, number, number]
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0')
  const pairs = `${hex(a)}${hex(b, 2)}:${hex(c)}${hex(d, 2)}`
  return [
    here,
    `${here}.`,
    `${a}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    String(whole),
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0x${hex(a)}.${d}`,
    `0${a.toString(8)}.0.0.0${d.toString(8)}`,
    `0${whole.toString(8)}`,
    `000${a.toString(8)}.0.0.${d}`,
    here.replaceAll('.', '%2e'),
    here.replaceAll('.', '\u3002'),
    here.replaceAll('.', '\uff0e'),
    [...here].map((digit) => (digit === '.' ? '.' : String.fromCodePoint(0xff10 + Number(digit)))).join(''),
    [...here].map((character) => `%${hex(character.charCodeAt(0), 2)}`).join(''),
    `[::ffff:${here}]`,
    `[::ffff:${pairs}]`,
    `[::FFFF:${pairs}]`,
    `[0:0:0:0:0:ffff:${here}]`,
    `[0000:0000:0000:0000:0000:ffff:${pairs}]`,
    `[::${here}]`,
    `[::${pairs}]`,
    `[64:ff9b::${here}]`,
    `[64:ff9b:1::${here}]`,
    `[2002:${pairs}::]`,
    `[2001:0:${pairs}::]`,
    `[fe80::5efe:${here}]`,
  ]
}

const others = [
  ...(
    '0 0.0.0.0 [::] [::1] [0:0:0:0:0:0:0:1] [::0001] localhost LOCALHOST localhost. loCalhost foo.localhost ' +
    '127.255.255.254 127.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 [fd00:ec2::254] ' +
    '100.64.0.1 198.18.0.1 192.0.0.170 224.0.0.1 240.0.0.1 255.255.255.255 [fe80::1] [fc00::1] [fd12::1] ' +
    '[ff02::1] [100::1] [2001:db8::1] [3fff::1] [2002:7f00:1::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]'
  ).split(' '),
  hostname(),
]

interface Ground {
  app: TestApp
  org: TestOrganization
  space: Awaited<ReturnType<typeof aLiveSpace>>
  synced: Awaited<ReturnType<typeof aSyncedSpace>>
}

async function aGround(environment: Record<string, string> = {}): Promise<Ground> {
  const app = await startApp({ LECTERN_EMBEDS: 'on', ...environment })
  const sender = new WebhookSender(app.app, { everyMs: 20, firstRetryMs: 3_600_000 })
  sender.start()
  after(() => sender.close())
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  return { app, org, space, synced: await aSyncedSpace(app, { url: 'http://example.org/x.git' }, { org }) }
}

const closed = await aGround()
const opened = await aGround({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

let count = 0

function each(fetchOne: (ground: Ground, url: string) => Promise<unknown>) {
  return async (ground: Ground, urls: string[]) => {
    for (const url of urls) await fetchOne(ground, url)
  }
}

/** One in three is enough for slow features; `npm run drill -- safety` tries all. */
const fewer = (urls: string[]) => (process.env.SAFETY === 'all' ? urls : urls.filter((_, index) => index % 3 === 0))
const someOf = (fetchAll: (ground: Ground, urls: string[]) => Promise<void>) => (ground: Ground, urls: string[]) =>
  fetchAll(ground, fewer(urls))

/** Each function returns when all URLs have been tried to the end. */
const features: Record<string, (ground: Ground, urls: string[]) => Promise<void>> = {
  'a file by its address': each(({ space }, url) =>
    space.edit({ operation: 'insert_files', files: [{ name: `x${count++}`, url }] }),
  ),
  'a website': each(({ space }, url) => space.who.post(`${space.path}/content/import`, { url, source: 'website' })),
  'a website, in the background': someOf(
    each(async ({ org, space }, url) => {
      const base = `/v1/org/${org.id}/imports`
      const made = await space.who.post(base, { source: { type: 'website', url }, target: { space: space.id } })
      if (made.status !== 201) return
      const isOver = async () => !/pending|progress/.test((await space.who.get(`${base}/${made.body.id}`)).body.status)
      while (!(await isOver())) await sleep(20)
    }),
  ),
  'a specification': each(async ({ org }, url) => {
    const path = `/v1/orgs/${org.id}/openapi/x${count++}`
    const { status } = await org.admin.client.put(path, { source: { url } })
    if (status === 200) await untilRead(org.admin.client, path)
  }),
  'a reference in a specification': async ({ org }, urls) => {
    const { client } = org.admin
    const readOne = async (url: string) => {
      const path = `/v1/orgs/${org.id}/openapi/x${count++}`
      const paths = { '/': { $ref: url } }
      const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths })
      if ((await client.put(path, { source: { text } })).status === 200) await untilRead(client, path)
    }
    const some = fewer(urls)
    for (let at = 0; at < some.length; at += 8) await Promise.all(some.slice(at, at + 8).map(readOne))
  },
  'a repository': someOf(
    each(async ({ synced }, url) => {
      const asked = await synced.who.post(`${synced.path}/git/import`, { url, ref: 'refs/heads/main' })
      if (asked.status === 204) await operationOf(synced)
    }),
  ),
  'an embed': each(({ space }, url) => space.who.get(`/v1/urls/embed?url=${encodeURIComponent(url)}`)),
  'an embed of a page, in the background': async ({ app, space }, urls) => {
    const markdown = urls.map((url) => `{% embed url="${url}" %}\n`).join('\n')
    await space.edit({ operation: 'insert_page', document: { markdown: `# Embeds ${count++}\n\n${markdown}` } })
    const { db, config } = app
    await readEmbeds.run({ db, config, store: app.app.store, log: app.app.log })
  },
  'a webhook': each(async ({ org, space }, url) => {
    const base = `/v1/orgs/${org.id}/webhooks`
    const made = await org.admin.client.post(base, { url })
    if (made.status !== 201) return
    await space.edit(newPage(`Page ${count++}`))
    const attempts = async () =>
      (await org.admin.client.get(`${base}/${made.body.id}/deliveries`)).body.items.filter(
        (each: any) => each.attempts.length > 0,
      )
    while ((await attempts()).length === 0) await sleep(20)
    await org.admin.client.delete(`${base}/${made.body.id}`)
  }),
}

async function operationOf({ who, path }: Ground['synced']): Promise<void> {
  while (!(await who.get(`${path}/git/info`)).body.operation.endedAt) await sleep(20)
}

const hello: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<main><h1>Hello</h1><p>Hello</p></main>')
}

for (const [name, fetchIt] of Object.entries(features)) {
  test(`${name}: a private address is not connected to in any spelling`, async () => {
    const { reached, port } = await aListener(hello)
    const hosts = [...spellingsOf('127.0.0.1'), ...others]
    await fetchIt(
      closed,
      hosts.map((host) => `http://${host}:${port}/x`),
    )
    assert.deepEqual(reached, [])
    // The same fetch does arrive if the operator allows it, so the attempts above were real.
    await fetchIt(opened, [`http://127.0.0.1:${port}/x`])
    assert.notDeepEqual(reached, [])
  })

  test(`${name}: a redirect to a private address is not followed`, async () => {
    const { reached, port } = await aListener((request, response) => {
      const [, to] = /^\/to\/([\w-]+)/.exec(request.url!) ?? []
      if (to === undefined) return hello(request, response)
      response.writeHead(302, { location: Buffer.from(to, 'base64url').toString('latin1') }).end()
    })
    const targets = [...spellingsOf('127.0.0.2'), 'localhost.', '[::1]', '0.0.0.0'].map(
      (host) => `http://${host}:${port}/`,
    )
    const redirects = targets.map((to) => `http://127.0.0.1:${port}/to/${Buffer.from(to).toString('base64url')}`)
    await fetchIt(opened, redirects)
    assert.ok(reached.length >= 10, `only ${reached.length} redirects were asked for`)
    assert.deepEqual(
      reached.filter((address) => address !== '127.0.0.1'),
      [],
    )
  })
}

test('images and links in an imported page are not fetched from private addresses', async () => {
  const { reached, port } = await aListener((request, response) => {
    const inside = spellingsOf('127.0.0.2').map(
      (host) => `<img src="http://${host}:${port}/a.png"><a href="http://${host}:${port}/b">b</a>`,
    )
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? `<main><h1>Page</h1><p>Text ${inside.join('')}</p></main>` : '')
  })
  const { space } = opened
  const made = await space.who.post(`${space.path}/content/import`, {
    url: `http://127.0.0.1:${port}/`,
    source: 'website',
  })
  assert.equal(made.status, 201, made.text)
  assert.ok(reached.length > 0)
  assert.deepEqual(
    reached.filter((address) => address !== '127.0.0.1'),
    [],
  )
})

test('a host name that changes its address between lookups does not reach a private address', async () => {
  const { reached, port } = await aListener(hello)
  let asked = 0
  for (const answers of [
    ['93.184.215.14', '127.0.0.1'],
    ['127.0.0.1', '93.184.215.14'],
    ['93.184.215.14', '::1'],
  ]) {
    const fetcher = new Fetcher({
      limits: { firstByteMs: 300, totalMs: 600 },
      // Public when the address is checked, private when the connection is made.
      lookup: (_hostname, _options, callback) => {
        const address = answers[asked++ % answers.length]!
        callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])
      },
    })
    for (let attempt = 0; attempt < 4; attempt++) {
      await assert.rejects(fetcher.download(`http://rebinding.test:${port}/`), FetchFailure)
    }
    await fetcher.close()
  }
  assert.ok(asked >= 12)
  assert.deepEqual(reached, [])
})
