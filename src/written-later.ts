/**
 * When to write what is gathered in memory, which nobody waits for: a while after the first of it came, or as soon as
 * somebody asks. One write at a time, so those who gather need no more room for as long as one takes.
 */
export class WrittenLater {
  readonly #gatherMs: number
  readonly #write: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()
  /** The write that has not begun yet: it takes along whatever comes until then. */
  #next: Promise<void> | undefined

  /** `write` takes all there is, and throws nothing. */
  constructor(gatherMs: number, write: () => Promise<void>) {
    this.#gatherMs = gatherMs
    this.#write = write
  }

  soon(): void {
    this.#timer ??= setTimeout(() => void this.now(), this.#gatherMs).unref()
  }

  /** All that was gathered so far is written. */
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
