import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { png } from '../../../test/every-content.ts'

type Answer =
  | string
  | Buffer
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void)

/** A website on this machine. Paths with a file extension get the content type of such files. */
export async function aSite(pages: Record<string, Answer>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const answer = pages[path] ?? { status: 404 }
    if (typeof answer === 'function') return answer(request, response)
    const {
      status,
      headers = {},
      body = '',
    } = typeof answer === 'string' || Buffer.isBuffer(answer) ? { status: 200, body: answer } : answer
    response.writeHead(status, { 'content-type': typeOf(path), ...headers }).end(body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { pages, asked, origin, url: (path = '/') => origin + path }
}

const types: Record<string, string> = {
  png: 'image/png', xml: 'application/xml', txt: 'text/plain', pdf: 'application/pdf', md: 'text/markdown',
  zip: 'application/zip', docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} // prettier-ignore

const typeOf = (path: string) => types[path.split('.').at(-1) ?? ''] ?? 'text/html; charset=utf-8'

/** The smallest possible picture: one pixel. */
export const pixel = Buffer.from(png, 'base64')
