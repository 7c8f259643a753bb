import { type Readable, pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Agent, request } from 'undici'
import { version } from '../version.ts'
import { Addresses } from './addresses.ts'
import type { Lookup } from './agent.ts'
import { FetchFailure } from './failure.ts'

/** The limits of a fetch. */
export interface FetchLimits {
  firstByteMs: number
  totalMs: number
  bytes: number
  redirects: number
}

const fetchLimits: FetchLimits = { firstByteMs: 10_000, totalMs: 30_000, bytes: 20 * 1024 ** 2, redirects: 5 }

export interface FetchRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  limits?: Partial<FetchLimits>
  /** Only the status matters: the body is not read. */
  withoutBody?: boolean
  /** Anything after `limits.bytes` is not read, and is not an error. */
  beginningOnly?: boolean
  /** Aborts the fetch when its result is no longer wanted: it fails as if it had taken too long. */
  signal?: AbortSignal
}

export interface Fetched {
  /** The URL that answered, after redirects. */
  url: string
  status: number
  contentType: string | undefined
  /** Decompressed. */
  bytes: Buffer
}

/**
 * The only way in which our servers reach addresses that users name: imports, files by URL, webhooks, embeds. It never
 * reaches a private address, whatever its spelling and however many redirects lead there, and limits time and size.
 */
export class Fetcher {
  readonly #addresses: Addresses
  readonly #limits: FetchLimits
  readonly #lookup: Lookup | undefined
  #client: Promise<Client> | undefined

  constructor({
    allow = [],
    limits = {},
    lookup,
  }: {
    allow?: string[]
    limits?: Partial<FetchLimits>
    lookup?: Lookup
  }) {
    this.#addresses = new Addresses(allow)
    this.#limits = { ...fetchLimits, ...limits }
    this.#lookup = lookup
  }

  /** Downloads the bytes at a URL. Any status but success is a failure. */
  async download(url: string, limits: Partial<FetchLimits> = {}): Promise<Fetched> {
    const fetched = await this.fetch(url, { limits })
    if (fetched.status < 200 || fetched.status > 299) throw new FetchFailure('bad-status')
    return fetched
  }

  /** Throws only `FetchFailure`. */
  async fetch(url: string, wanted: FetchRequest = {}): Promise<Fetched> {
    const limits = { ...this.#limits, ...wanted.limits }
    // What is left of a larger limit is hardly ever a whole number, which is all that a signal takes.
    const late = AbortSignal.timeout(Math.ceil(limits.totalMs))
    const ending = wanted.signal ? AbortSignal.any([late, wanted.signal]) : late
    let hop: Hop = {
      url: addressOf(url),
      method: wanted.method ?? 'GET',
      headers: { ...wanted.headers },
      body: wanted.body,
    }
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#send(hop, limits, ending)
      try {
        const next = nextHop(hop, answer)
        if (!next) {
          const bytes = wanted.withoutBody ? Buffer.alloc(0) : await readAll(answer, limits.bytes, ending, wanted)
          return { url: hop.url.href, status: answer.statusCode, contentType: header(answer, 'content-type'), bytes }
        }
        if (redirects >= limits.redirects) throw new FetchFailure('too-many-redirects')
        hop = next
      } finally {
        // A body that is destroyed unread emits an error. Without a listener, that would end the process.
        answer.body.on('error', () => {}).destroy()
      }
    }
  }

  async close(): Promise<void> {
    await (await this.#client)?.agent.destroy()
  }

  /** Loaded on first use: most processes never fetch anything. */
  async #load(): Promise<Client> {
    const [{ request: send }, { guardedAgent }] = await Promise.all([import('undici'), import('./agent.ts')])
    return { send, agent: guardedAgent(this.#addresses, this.#limits.firstByteMs, this.#lookup) }
  }

  async #send(hop: Hop, limits: FetchLimits, ending: AbortSignal): Promise<Answer> {
    const headers = { 'user-agent': `Lectern/${version}`, accept: '*/*', 'accept-encoding': 'gzip, br', ...hop.headers }
    const { send, agent } = await (this.#client ??= this.#load())
    const slow = new AbortController()
    const timer = setTimeout(() => slow.abort(), limits.firstByteMs)
    try {
      return await send(hop.url, {
        dispatcher: agent,
        method: hop.method,
        headers,
        body: hop.body ?? null,
        signal: AbortSignal.any([ending, slow.signal]),
      })
    } catch (error) {
      throw asFailure(error)
    } finally {
      // The signal also covers everything after the first byte, which may take longer.
      clearTimeout(timer)
    }
  }
}

/** What sends requests, always through the agent that guards them. */
interface Client {
  send: typeof request
  agent: Agent
}

type Answer = Awaited<ReturnType<typeof request>>

interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

function addressOf(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new FetchFailure('bad-address')
  return url
}

/** The target of a redirect, with the headers that may be sent there. Undefined if the answer is not a redirect. */
function nextHop({ url, method, headers, body }: Hop, answer: Answer): Hop | undefined {
  const location = header(answer, 'location')
  if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined
  const target = addressOf(location, url)
  const kept = Object.entries(headers).filter(([name]) => target.origin === url.origin || !secretHeaders.test(name))
  if (answer.statusCode >= 307 || method === 'GET')
    return { url: target, method, headers: Object.fromEntries(kept), body }
  const withoutBody = kept.filter(([name]) => !/^content-/i.test(name))
  return { url: target, method: 'GET', headers: Object.fromEntries(withoutBody), body: undefined }
}

const secretHeaders = /^(authorization|cookie|proxy-authorization)$/i

function header({ headers }: Answer, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/**
 * Reads and decompresses a body. Counts the decompressed bytes, so that a small answer cannot unpack into a huge one.
 */
async function readAll(
  answer: Answer,
  maxBytes: number,
  ending: AbortSignal,
  { beginningOnly = false }: Pick<FetchRequest, 'beginningOnly'>,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => answer.body.destroy(new FetchFailure('timeout'))
  ending.addEventListener('abort', stop, { once: true })
  try {
    const declared = Number(header(answer, 'content-length') ?? 0)
    if (declared > maxBytes && !beginningOnly) throw new FetchFailure('too-large')
    for await (const chunk of unpacked(answer)) {
      size += (chunk as Buffer).length
      if (size > maxBytes && !beginningOnly) throw new FetchFailure('too-large')
      chunks.push(chunk as Buffer)
      if (size >= maxBytes && beginningOnly) break
    }
    const bytes = Buffer.concat(chunks)
    return beginningOnly ? bytes.subarray(0, maxBytes) : bytes
  } catch (error) {
    throw asFailure(error)
  } finally {
    ending.removeEventListener('abort', stop)
  }
}

function unpacked(answer: Answer): Readable {
  const encoding = header(answer, 'content-encoding')?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return answer.body
  const unpack = unpackers[encoding]
  if (!unpack) throw new FetchFailure('bad-answer')
  // `pipeline` passes an error of either stream to the reader of the last one.
  return pipeline(answer.body, unpack(), () => {})
}

const unpackers: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function asFailure(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const { name, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (cause instanceof FetchFailure) return cause
  if (name === 'AbortError' || name === 'TimeoutError' || timeouts.has(code ?? '')) return new FetchFailure('timeout')
  if (code !== undefined && untrusted.has(code)) return new FetchFailure('untrusted')
  if (code?.startsWith('Z_') || code?.startsWith('ERR__ERROR_') || code?.startsWith('HPE_'))
    return new FetchFailure('bad-answer')
  return new FetchFailure('unreachable')
}

/** What can be wrong with a certificate. */
const untrusted = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
