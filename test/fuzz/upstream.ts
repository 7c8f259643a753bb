import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { petstore } from '../../src/openapi/testing/petstore.ts'

const answers: Record<string, { status?: number; headers?: Record<string, string>; body?: string }> = {
  '/': {
    headers: { 'content-type': 'text/html' },
    body: '<main><h1>Root</h1><a href="/page">Page</a><img src="/none.png"></main>',
  },
  '/page': { headers: { 'content-type': 'text/html' }, body: `<main><h1>Page</h1>${'<div>'.repeat(300)}text</main>` },
  '/a.md': { headers: { 'content-type': 'text/markdown' }, body: '# A\n\n{% hint %}\n\ntext\n' },
  '/spec.json': { headers: { 'content-type': 'application/json' }, body: JSON.stringify(petstore) },
  '/broken.zip': { headers: { 'content-type': 'application/zip' }, body: 'PK\u0003\u0004 and no more' },
  '/circle': { status: 302, headers: { location: '/circle' } },
  '/away': { status: 302, headers: { location: 'http://[::1]:1/' } },
  '/error': { status: 500, body: 'no' },
  '/nothing': { body: '' },
  '/packed': { headers: { 'content-encoding': 'gzip' }, body: 'this is not packed' },
}

/** Starts another server on this machine, which answers every request, but not always properly. */
export async function startUpstream(): Promise<{ urls: string[]; server: Server }> {
  const server = createServer((request, response) => {
    request.resume()
    const { status = 200, headers = {}, body = '' } = answers[request.url ?? '/'] ?? answers['/page']!
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return { server, urls: Object.keys(answers).map((path) => `http://127.0.0.1:${port}${path}`) }
}
