import type { ChildProcess } from 'node:child_process'
import { endGroup, incomplete, startGit, tookTooLong } from './run.ts'
import type { Workplace } from './workplace.ts'

/**
 * The time for everything that is read from a repository: objects built on very many others can keep git busy for any
 * length of time.
 */
const readMs = 600_000

/** Reads objects of a repository one after the other, from a single git process. */
export class ObjectReader {
  readonly #child: ChildProcess
  readonly #chunks: AsyncIterator<Buffer>
  readonly #timer: NodeJS.Timeout
  #isLate = false
  #rest: Buffer = Buffer.alloc(0)

  constructor(place: Workplace) {
    this.#child = startGit(['cat-file', '--batch'], place.call())
    this.#child.on('error', () => {})
    this.#child.stdin!.on('error', () => {})
    this.#child.stderr!.resume()
    this.#chunks = this.#child.stdout![Symbol.asyncIterator]() as AsyncIterator<Buffer>
    this.#timer = setTimeout(() => {
      this.#isLate = true
      endGroup(this.#child)
    }, readMs)
  }

  /** Returns all of these in their order. They are requested at once. */
  async readAll(oids: readonly string[]): Promise<Buffer[]> {
    this.#child.stdin!.write(oids.map((oid) => `${oid}\n`).join(''))
    const blobs: Buffer[] = []
    for (const _oid of oids) blobs.push(await this.#next())
    return blobs
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#child.stdin!.destroy()
    endGroup(this.#child)
  }

  async #next(): Promise<Buffer> {
    let end = this.#rest.indexOf(10)
    while (end === -1) {
      await this.#more(this.#rest.length + 1)
      end = this.#rest.indexOf(10)
    }
    const size = Number(/ blob (\d+)$/.exec(this.#rest.toString('latin1', 0, end))?.[1] ?? Number.NaN)
    if (Number.isNaN(size)) throw incomplete()
    await this.#more(end + 1 + size + 1)
    const blob = Buffer.from(this.#rest.subarray(end + 1, end + 1 + size))
    this.#rest = this.#rest.subarray(end + 1 + size + 1)
    return blob
  }

  async #more(bytes: number): Promise<void> {
    const chunks: Buffer[] = [this.#rest]
    let size = this.#rest.length
    while (size < bytes) {
      const { value, done } = await this.#chunks.next()
      if (done) throw this.#isLate ? tookTooLong() : incomplete()
      chunks.push(value)
      size += value.length
    }
    this.#rest = chunks.length === 1 ? this.#rest : Buffer.concat(chunks)
  }
}
