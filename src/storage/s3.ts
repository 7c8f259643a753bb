import { existsSync, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import type { S3Config } from '../config.ts'
import { Explained } from '../explained.ts'
import { fetchFromOperator } from '../fetch/trusted.ts'
import {
  BlobMissing,
  type BlobName,
  type BlobStore,
  type ByteRange,
  type StoredFile,
  StoreUnavailable,
} from './store.ts'

/**
 * How long the store may take to answer. While bytes are sent, the time that a slow connection needs for them is added.
 */
interface Timings {
  answerMs: number
  slowestBytesPerMs: number
}

/**
 * Any store that supports the S3 protocol, with the bucket in the path: `<endpoint>/<bucket>/<organization>/<hash>`.
 */
export class S3Store implements BlobStore {
  readonly #config: S3Config
  readonly #client: AwsClient
  readonly #timings: Timings

  constructor(config: S3Config, timings: Timings = { answerMs: 30_000, slowestBytesPerMs: 250 }) {
    const { accessKey: accessKeyId, secretKey: secretAccessKey, region } = config
    this.#config = config
    this.#timings = timings
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  }

  async id(): Promise<string> {
    const found = await this.#send('GET', 'store-id')
    if (found.ok) return (await found.text()).trim()
    await found.body?.cancel()
    if (found.status !== 404) throw wrongSettings(found.status)
    // If two processes start at once, one writes the id and both read it. This is also where a missing bucket is
    // noticed.
    const status = await this.#putOnce('store-id', new Blob([randomUUID()]))
    if (status === 404) {
      const { bucket } = this.#config
      throw new Explained(`The S3 store has no bucket "${bucket}". Create it first, or check LECTERN_S3_BUCKET.`)
    }
    if (!isPut(status)) throw wrongSettings(status)
    return (await this.#expect(await this.#send('GET', 'store-id')).text()).trim()
  }

  async put(name: BlobName, file: StoredFile): Promise<void> {
    // A transaction that lost a conflict and tries again puts the same file once more, but the first attempt has
    // already removed it.
    if (!existsSync(file.path) && (await this.isWhole(name, file.size))) return
    // The blob of a file has a length, which S3 requires, and is read from the disk while it is sent.
    const status = await this.#putOnce(keyOf(name), await openAsBlob(file.path))
    if (!isPut(status)) throw unexpected(status)
    await rm(file.path, { force: true })
  }

  async get(name: BlobName, range?: ByteRange): Promise<Readable> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const response = await this.#send('GET', keyOf(name), { headers })
    if (response.status === 404) throw new BlobMissing()
    const { body } = this.#expect(response)
    return body ? Readable.fromWeb(body) : Readable.from([])
  }

  async has(name: BlobName): Promise<boolean> {
    const response = await this.#send('HEAD', keyOf(name))
    if (response.status === 404) return false
    this.#expect(response)
    return true
  }

  async isWhole(name: BlobName, size: number): Promise<boolean> {
    const response = await this.#send('HEAD', keyOf(name))
    if (response.status === 404) return false
    // A proxy in between may omit the length.
    const length = this.#expect(response).headers.get('content-length')
    return length === null || Number(length) === size
  }

  async delete(name: BlobName): Promise<void> {
    const response = await this.#send('DELETE', keyOf(name))
    if (response.status !== 404) this.#expect(response)
    await response.body?.cancel()
  }

  async copy(name: BlobName, toOrganizationId: string): Promise<void> {
    const source = `/${this.#config.bucket}/${keyOf(name)}`
    const response = await this.#send('PUT', keyOf({ ...name, organizationId: toOrganizationId }), {
      headers: { 'x-amz-copy-source': source },
    })
    if (response.status === 404) throw new BlobMissing()
    // A copy that fails half-way answers 200, with the error in its body.
    if ((await this.#expect(response).text()).includes('<Error>'))
      throw new StoreUnavailable('The S3 store did not copy a file')
  }

  placeOf(name: BlobName): string {
    return `${this.#config.bucket}/${keyOf(name)}`
  }

  /**
   * Puts an object unless it exists: the same name means the same bytes, so a second put has nothing to do. Stores that
   * do not support the condition overwrite it.
   */
  async #putOnce(key: string, body: Blob): Promise<number> {
    const response = await this.#send('PUT', key, { body, headers: { 'if-none-match': '*' } })
    await response.body?.cancel()
    return response.status
  }

  async #send(
    method: string,
    key: string,
    init: { body?: Blob; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { endpoint, bucket } = this.#config
    const url = `${endpoint.replace(/\/+$/, '')}/${bucket}/${key}`
    // The body is not signed, because it would have to be read twice. TLS protects it.
    const headers = { ...init.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
    const request = await this.#client.sign(url, { method, headers, ...(init.body && { body: init.body }) })
    const { answerMs, slowestBytesPerMs } = this.#timings
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), answerMs + (init.body?.size ?? 0) / slowestBytesPerMs)
    try {
      // The limit applies only until the answer begins: how long its body takes depends on its reader.
      return await fetchFromOperator(request, late.signal)
    } catch (error) {
      throw new StoreUnavailable(`The S3 store cannot be reached at ${endpoint} (LECTERN_S3_ENDPOINT)`, {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #expect(response: Response): Response {
    if (!response.ok) throw unexpected(response.status)
    return response
  }
}

/** Written by this request, or already there. */
const isPut = (status: number) => (status >= 200 && status < 300) || status === 412

const unexpected = (status: number) => new StoreUnavailable(`The S3 store responds with status ${status}`)

const wrongSettings = (status: number) =>
  new Explained(`The S3 store responds with status ${status}. Check LECTERN_S3_ENDPOINT, _BUCKET and the keys.`)

const keyOf = ({ organizationId, hash }: BlobName) => `${organizationId}/${hash}`
