import { randomBytes, timingSafeEqual } from 'node:crypto'
import { lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, type Server, type ServerResponse, createServer, request as sendRequest } from 'node:http'
import { type AddressInfo, type Socket, connect, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { Addresses } from './addresses.ts'
import type { Lookup } from './agent.ts'
import { FetchFailure } from './failure.ts'

export interface ProxySettings {
  /** The ranges that the operator allows in addition to public addresses. */
  allow: string[]
  /** The only host that may be reached, as written in a URL. */
  host: string
  port: number
  /** How many bytes may come from there. */
  maxBytes: number
  lookup?: Lookup
}

/**
 * The guarded way out for a program that is not ours, which is configured to use this proxy. The proxy listens on this
 * machine, requires a password, and connects only to the one host it was created for, and only if that has an allowed
 * address. Encrypted traffic passes through unread.
 */
export class GuardedProxy {
  /** The reason for the first refusal, if anything was refused. */
  failure: FetchFailure | undefined
  readonly #settings: ProxySettings
  readonly #addresses: Addresses
  readonly #password = randomBytes(24).toString('base64url')
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  #bytes = 0

  private constructor(settings: ProxySettings) {
    this.#settings = settings
    this.#addresses = new Addresses(settings.allow)
    this.#server = createServer((request, response) => void this.#forward(request, response))
    this.#server.on('connect', (request, socket) => void this.#tunnel(request, socket))
    this.#server.on('connection', (socket) => this.#watch(socket))
    // A client that can no longer be answered must not end the process.
    this.#server.on('clientError', (_error, socket) => socket.destroy())
  }

  static async start(settings: ProxySettings): Promise<GuardedProxy> {
    const proxy = new GuardedProxy(settings)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject)
      proxy.#server.listen(0, '127.0.0.1', resolve)
    })
    return proxy
  }

  /** The proxy URL for the program. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://lectern:${this.#password}@127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** `CONNECT host:port`: a tunnel for encrypted traffic. */
  async #tunnel(request: IncomingMessage, client: Duplex): Promise<void> {
    try {
      const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(request.url ?? '') ?? []
      const address = await this.#admit(request, host, Number(port))
      const server = connect({ host: address, port: Number(port) })
      this.#watch(server)
      server.once('error', () => client.destroy())
      server.once('connect', () => {
        client.write('HTTP/1.1 200 Connected\r\n\r\n')
        this.#count(server)
        server.pipe(client).pipe(server)
      })
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
    } catch {
      client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    }
  }

  /** A plain request, with the URL in its first line. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '')
      if (url.protocol !== 'http:') throw this.#refuse('bad-address')
      const port = Number(url.port || 80)
      const address = await this.#admit(request, url.hostname.replace(/^\[|\]$/g, ''), port)
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !/^proxy-/i.test(name)))
      const sent = sendRequest({
        host: address,
        port,
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, connection: 'close' },
        agent: false,
      })
      sent.on('socket', (socket) => this.#watch(socket))
      sent.on('error', () => response.destroy())
      sent.on('response', (answer) => {
        this.#count(answer)
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('error', () => {})
        // If the answer ends too early, the client's connection ends at once as well, so that it does not wait for the
        // rest.
        answer.on('close', () => !answer.complete && response.destroy())
        answer.pipe(response)
      })
      response.on('close', () => sent.destroy())
      request.on('error', () => sent.destroy())
      request.pipe(sent)
    } catch {
      response.writeHead(403, { 'content-length': 0 }).end()
    }
  }

  /** Checks the password and the host, and returns the address to connect to. */
  async #admit(request: IncomingMessage, host: string, port: number): Promise<string> {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '')
    const expected = Buffer.from(`Basic ${Buffer.from(`lectern:${this.#password}`).toString('base64')}`)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new FetchFailure('bad-address')
    if (host.toLowerCase() !== this.#settings.host.toLowerCase() || port !== this.#settings.port)
      throw this.#refuse('bad-address')
    const addresses = isIP(host) === 0 ? await this.#resolve(host) : [host]
    const allowed = addresses.find((address) => this.#addresses.may(address))
    if (allowed === undefined) throw this.#refuse('private-address')
    return allowed
  }

  async #resolve(host: string): Promise<string[]> {
    const lookup: Lookup = this.#settings.lookup ?? systemLookup
    return new Promise((resolve, reject) => {
      lookup(host, { all: true }, (error, found) =>
        error ? reject(this.#refuse('unreachable')) : resolve(found.map(({ address }) => address)),
      )
    })
  }

  #refuse(reason: FetchFailure['reason']): FetchFailure {
    this.failure ??= new FetchFailure(reason)
    return this.failure
  }

  /** Ends the connection once it has sent more than is allowed. */
  #count(from: Socket | IncomingMessage): void {
    from.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length
      if (this.#bytes <= this.#settings.maxBytes) return
      this.#refuse('too-large')
      from.destroy()
    })
  }

  #watch(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
