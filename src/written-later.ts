/**
 * Decides when to write data that is gathered in memory and that nobody waits for: some time after the first of it
 * arrived, or as soon as a caller asks. Writes run one at a time, so the callers do not need more memory while a write
 * takes long.
 */
export class WrittenLater {
  readonly #gatherMs: number
  readonly #write: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()
  /** The write that has not started yet. It includes everything that is gathered until then. */
  #next: Promise<void> | undefined

  /** `write` writes everything that was gathered, and never throws. */
  constructor(gatherMs: number, write: () => Promise<void>) {
    this.#gatherMs = gatherMs
    this.#write = write
  }

  soon(): void {
    this.#timer ??= setTimeout(() => void this.now(), this.#gatherMs).unref()
  }

  /** Writes everything that was gathered so far. */
  now(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#next ??= this.#last = this.#last.then(() => {
      this.#next = undefined
      return this.#write()
    })
    return this.#next
  }
}
