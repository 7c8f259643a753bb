/**
 * Work that somebody asked for: it is done right away, beside the requests, by a few at once. Whatever is left behind
 * when this process ends is found by a job, which looks every minute.
 */
export class RightAway {
  readonly #mostAtOnce: number
  readonly #work: (stopping: AbortSignal) => Promise<unknown>
  readonly #onTrouble: (error: unknown) => void
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #isAskedAgain = false

  /** `work` does all there is to do, and ends early when it is to stop. */
  constructor(
    mostAtOnce: number,
    work: (stopping: AbortSignal) => Promise<unknown>,
    onTrouble: (error: unknown) => void,
  ) {
    this.#mostAtOnce = mostAtOnce
    this.#work = work
    this.#onTrouble = onTrouble
  }

  get stopping(): AbortSignal {
    return this.#closing.signal
  }

  /** There is something to do. */
  wake(): void {
    if (this.stopping.aborted) return
    if (this.#running.size >= this.#mostAtOnce) {
      // They may just have found that nothing is left.
      this.#isAskedAgain = true
      return
    }
    this.#isAskedAgain = false
    const running = this.#work(this.stopping).catch(this.#onTrouble)
    this.#running.add(running)
    void running.finally(() => {
      this.#running.delete(running)
      if (this.#isAskedAgain) this.wake()
    })
  }

  /** For tests: when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** What is under way ends, and is begun anew elsewhere. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }
}
