import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { GuardedProxy } from './proxy.ts'

/** Sends more than is allowed, and then never ends its answer. */
const server = createServer((_request, response) => void response.write('x'.repeat(2_000)))
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
after(() => {
  server.closeAllConnections()
  server.close()
})

test('the guarded proxy aborts an answer as soon as it exceeds the size limit', async () => {
  const proxy = await GuardedProxy.start({ allow: ['127.0.0.1'], host: '127.0.0.1', port, maxBytes: 1_000 })
  const { username, password, hostname, port: at } = new URL(proxy.url)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const asked = request({
    host: hostname,
    port: at,
    path: `http://127.0.0.1:${port}/`,
    headers: { 'proxy-authorization': authorization },
  }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  await assert.rejects(async () => {
    for await (const _ of answer);
  }, /aborted/)
  assert.equal(proxy.failure?.reason, 'too-large')
  await proxy.close()
})
