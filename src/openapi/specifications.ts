import { buffer } from 'node:stream/consumers'
import type { App } from '../http/routes.ts'
import { RightAway } from '../jobs/right-away.ts'
import { Recent } from '../recent.ts'
import { ByteCache } from '../revisions/cache.ts'
import type { Revision } from '../revisions/revision.ts'
import type { JsonObject } from './draw/json.ts'
import { Spec } from './draw/spec.ts'
import { indexGenerated } from './finding/index-generated.ts'
import { bodyOf } from './generate/body.ts'
import { type GeneratedBody, readBodyName } from './generate/expand.ts'
import { wordsFor } from '../published/words/words.ts'
import { processDueSpecs } from './process.ts'
import { SpecFailure } from './reading/failure.ts'
import { readSpec } from './reading/read.ts'
import { Turns } from './reading/turns.ts'
import { BlobMissing } from '../storage/store.ts'
import { type NewestVersion, findLanguageOfLine, findStamp, hasComputedPages, listNewest } from './queries.ts'
import { findVersionById } from './versions.queries.ts'

/** Each takes a process with up to 256 MB. */
const mostAtOnce = 2

/** A specification in memory takes several times the size of its text. */
const bytesPerByte = 8
const mostKeptBytes = 128 * 1024 * 1024

/** How long a page waits for all the specification files that it shows. */
export const mostWaitMs = 5_000

/** How long to wait before reading a file again that failed: each attempt takes a process, and readers wait for it. */
const restMs = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    openapi: Specifications
  }
}

/** A specification that is not available at the moment, but may be later. */
export class SpecAway extends Error {}

export interface SpecFile {
  blob: string
  size: number
}

/** The specifications of this installation, as this process uses them. */
export class Specifications extends RightAway {
  readonly #app: App
  readonly #kept = new ByteCache(mostKeptBytes)
  /** Files that could not be read, and until when they are not tried again. */
  readonly #resting = new Recent<number>(1024 * 1024)
  /** Updates the search index. Requests that submit a specification do not wait for it: a large one takes a while. */
  readonly #indexing: RightAway
  /** Limits the reading of files: each takes a process, and any reader of a page can cause it. */
  readonly #turns = new Turns(mostAtOnce)

  constructor(app: App) {
    super(
      mostAtOnce,
      async (stopping) => {
        const { db, config, store, fetcher, log } = app
        const read = await processDueSpecs({ db, config, store, fetcher, log, stopping })
        if (read > 0) this.#indexing.wake()
      },
      (error) => app.log.warn({ err: error }, 'reading specifications ended; the job goes on with it'),
    )
    this.#app = app
    this.#indexing = new RightAway(
      1,
      (stopping) => indexGenerated(app, () => stopping.aborted),
      (error) => app.log.warn({ err: error }, 'indexing specifications ended; the job goes on with it'),
    )
  }

  override async settled(): Promise<void> {
    await super.settled()
    await this.#indexing.settled()
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#indexing.close()])
  }

  /** Returns the newest versions of the specifications with these names: slugs, or addresses they are fetched from. */
  async newest(organizationId: string, names: readonly string[]): Promise<NewestVersion[]> {
    // Queried each time: a page drawn from an older version would be cached until the next change.
    return names.length === 0 ? [] : listNewest(this.#app.db, organizationId, names)
  }

  /** Also queried each time, because the language of a space can change. */
  language(organizationId: string, lineId: string): Promise<string | null> {
    return findLanguageOfLine(this.#app.db, organizationId, lineId)
  }

  /** Returns a stamp that changes whenever a page of this organization may show another version. */
  stamp(organizationId: string): Promise<string> {
    return findStamp(this.#app.db, organizationId)
  }

  /** Returns the content of a version. It never changes, so it is read only once. */
  async spec(organizationId: string, version: Pick<NewestVersion, 'id' | 'document_blob'>): Promise<Spec> {
    const { store } = this.#app
    const key = `spec ${organizationId} ${version.id}`
    let bytes = 0
    const make = async () => {
      const text = await buffer(await store.get({ organizationId, hash: version.document_blob }))
      bytes = text.length
      return this.#growing(key, new Spec(JSON.parse(text.toString()) as JsonObject))
    }
    return this.#kept.keep(key, make, () => bytes * bytesPerByte)
  }

  /** What is derived from it for pages takes memory as well, for as long as it is cached. */
  #growing(key: string, spec: Spec): Spec {
    spec.onGrowth = (bytes) => {
      const kept = this.#kept.find<Spec>(key)
      if (kept) this.#kept.grow(key, kept, bytes)
    }
    return spec
  }

  /** The approximate number of bytes in the cache. */
  get keptBytes(): number {
    return this.#kept.bytes
  }

  /**
   * Returns the content of a file of a space if it is a specification. It is read like all others, in a process of its
   * own, and only once, as its bytes never change. Documents it refers to are fetched, except by relative references;
   * while that fails, it is unavailable (SpecAway). The same error goes to callers that do not want to wait any longer;
   * reading continues.
   */
  async fileSpec(organizationId: string, file: SpecFile, until: number): Promise<Spec | undefined> {
    if (file.size > this.#app.config.limits.specificationBytes) return undefined
    const key = `file ${organizationId} ${file.blob}`
    if ((this.#resting.get(key) ?? 0) > performance.now()) throw new SpecAway()
    let bytes = 0
    const make = async () => {
      const document = await this.#readFile(organizationId, file)
      // Can be a thousand times the size of the file, because of YAML aliases and the documents it refers to.
      bytes = document?.length ?? 0
      return document && this.#growing(key, new Spec(JSON.parse(Buffer.from(document).toString()) as JsonObject))
    }
    const reading = this.#kept
      .keep(key, make, () => bytes * bytesPerByte)
      .catch((error: unknown) => {
        if (!(error instanceof SpecFailure || error instanceof BlobMissing)) throw error
        this.#resting.set(key, performance.now() + restMs, 0)
        throw new SpecAway()
      })
    return unlessLate(reading, until)
  }

  /** Undefined if it is not a specification, and never will be. */
  async #readFile(organizationId: string, { blob: hash }: SpecFile): Promise<Uint8Array | undefined> {
    const { store, config, fetcher } = this.#app
    const reading = { fetcher, maxBytes: config.limits.specificationBytes, stopping: this.stopping }
    try {
      return await this.#turns.take(organizationId, async () => {
        const bytes = await buffer(await store.get({ organizationId, hash }))
        return (await readSpec({ bytes }, reading)).document
      })
    } catch (error) {
      if (error instanceof SpecFailure && error.isLasting) return undefined
      throw error
    }
  }

  /** Returns the body of a page generated from a specification, or undefined for a page that somebody wrote. */
  body(organizationId: string, doc: string): Promise<string> | undefined {
    const body = readBodyName(doc)
    return body && this.#makeBody(organizationId, body)
  }

  async #makeBody(
    organizationId: string,
    { versionId, slug, source, below, language = 'en' }: GeneratedBody,
  ): Promise<string> {
    const version = await findVersionById(this.#app.db, organizationId, versionId)
    if (!version) return ''
    return bodyOf(await this.spec(organizationId, version), slug, source, { below, words: wordsFor(language) })
  }

  /**
   * Whether a revision may have pages generated from a specification. Hardly any has, so this check has to be cheap.
   */
  async mayExpand(at: Revision): Promise<boolean> {
    const make = () => hasComputedPages(this.#app.db, at)
    return this.#kept.keep(`computed ${at.organizationId} ${at.id}`, make, () => 200)
  }

  /** Caches a result derived from a version. `name` identifies everything else that it depends on. */
  made(versionId: string, name: string, make: () => Promise<string>): Promise<string> {
    return this.#kept.keep(`made ${versionId} ${name}`, make, ({ length }) => 2 * length + name.length)
  }
}

/** Fails with SpecAway if the work takes longer than that. */
async function unlessLate<Result>(work: Promise<Result>, until: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new SpecAway()), Math.max(0, until - performance.now()))
  // Ignores a failure after the caller has given up.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
