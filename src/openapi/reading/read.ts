import { startApart } from '../../apart.ts'
import { FetchFailure } from '../../fetch/failure.ts'
import type { Fetcher } from '../../fetch/fetcher.ts'
import { shortened } from '../../shortened.ts'
import { SpecFailure } from './failure.ts'
import { type ReadingLimits, readingLimits } from './limits.ts'
import type { FromReader, ReadSpec, ToReader, Work } from './messages.ts'

/** The resources for reading a specification. */
export interface Reading {
  fetcher: Fetcher
  /** Limit for one document. All together may have twice as many. */
  maxBytes: number
  /** Fires when this process is to end. Reading then fails with the signal's reason. */
  stopping?: AbortSignal | undefined
  limits?: Partial<ReadingLimits>
}

export type TextOrAddress = { url: string } | { bytes: Buffer }

/**
 * Reads a specification from a text or an address: fetches and parses it, converts it to the current format, and
 * includes everything that it refers to elsewhere. Fails with a SpecFailure.
 */
export async function readSpec(source: TextOrAddress, reading: Reading): Promise<ReadSpec & { source: Buffer }> {
  const { stopping } = reading
  stopping?.throwIfAborted()
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(stopping!.reason)
  stopping?.addEventListener('abort', stop, { once: true })
  try {
    return await readUntil(stopped, source, reading)
  } finally {
    stopping?.removeEventListener('abort', stop)
  }
}

async function readUntil(stopped: Promise<never>, source: TextOrAddress, reading: Reading) {
  const fetching = new Fetching(reading)
  const { bytes, url } =
    'url' in source
      ? await Promise.race([fetching.fetch(source.url, 'Its address'), stopped])
      : { bytes: source.bytes, url: undefined }
  const limits = { ...readingLimits, ...reading.limits }
  return { ...(await inReader({ bytes, url, limits }, fetching, stopped)), source: bytes }
}

/** Fetches documents for one specification, with a common limit. */
class Fetching {
  readonly #reading: Reading
  #bytesLeft: number

  constructor(reading: Reading) {
    this.#reading = reading
    this.#bytesLeft = 2 * reading.maxBytes
  }

  async fetch(url: string, what: string): Promise<{ bytes: Buffer; url: string }> {
    const { fetcher, maxBytes } = this.#reading
    try {
      const fetched = await fetcher.download(url, { bytes: Math.min(maxBytes, this.#bytesLeft) })
      this.#bytesLeft -= fetched.bytes.length
      return fetched
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      throw new SpecFailure(error.reason === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', `${what} ${error.message}.`)
    }
  }
}

const program = new URL('./reader.ts', import.meta.url)

function inReader(work: Work, fetching: Fetching, stopped: Promise<never>): Promise<ReadSpec> {
  const { memoryMb, workMs, totalMs } = work.limits
  const reader = startApart(program, {
    execArgv: [`--max-old-space-size=${memoryMb}`, '--max-semi-space-size=16'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<ReadSpec>()
  const late = () => reject(new SpecFailure('PARSE_ERROR', 'The specification takes too long to process.'))
  const clock = new WorkClock(workMs, late)
  const deadline = setTimeout(
    () => reject(new SpecFailure('FETCH_TIMEOUT', 'Fetching everything takes too long.')),
    totalMs,
  )

  const pass = async (url: string) => {
    clock.pause()
    const { bytes } = await fetching.fetch(url, `What it refers to, ${shortened(url, 200)},`)
    // The process may have ended in the meantime.
    if (!reader.connected) return
    clock.go()
    reader.send({ bytes } satisfies ToReader)
  }

  reader.on('message', (message: FromReader) => {
    switch (message.kind) {
      case 'done':
        return resolve(message.result)
      case 'refused':
        return reject(new SpecFailure('PARSE_ERROR', `The specification ${message.message}.`))
      case 'failed':
        return reject(unreadable(message.reason))
      case 'fetch':
        return void pass(message.url).catch(reject)
    }
  })
  reader.on('error', (error) => reject(unreadable(error)))
  reader.on('exit', (code, signal) => reject(asFailure(code, signal)))
  reader.send(work)
  return Promise.race([promise, stopped]).finally(() => {
    clock.pause()
    clearTimeout(deadline)
    if (reader.connected) reader.disconnect()
    reader.kill('SIGKILL')
  })
}

/** Node aborts when it runs out of memory. */
function asFailure(code: number | null, signal: NodeJS.Signals | null): SpecFailure {
  return signal === 'SIGABRT' || code === 134
    ? new SpecFailure('PARSE_ERROR', 'The specification needs too much memory. Make it smaller.')
    : unreadable(`The process that read it ended with ${signal ?? code}`)
}

const unreadable = (cause: unknown) => new SpecFailure('PARSE_ERROR', 'The specification cannot be read.', { cause })

/** Runs out after some time of work, not counting the time spent waiting in between. */
class WorkClock {
  readonly #late: () => void
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, late: () => void) {
    this.#leftMs = ms
    this.#late = late
    this.go()
  }

  go(): void {
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#late, Math.max(0, this.#leftMs))
  }

  pause(): void {
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#startedAt
  }
}
