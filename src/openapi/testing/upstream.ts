import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

type Answer = string | { status: number } | ((request: IncomingMessage, response: ServerResponse) => void)

/** An answer that never arrives. */
export const silence = () => {}

/** A server of somebody else, on this machine. What it answers at each path can be changed while it runs. */
export async function anUpstream(files: Record<string, Answer> = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const answer = files[path] ?? { status: 404 }
    if (typeof answer === 'function') answer(request, response)
    else if (typeof answer === 'string') response.writeHead(200).end(answer)
    else response.writeHead(answer.status).end('the other side says something private')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { files, asked, url: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` }
}
