/**
 * Work that a user asked for. It starts right away, outside the requests, with a limited number of runs at once. Work
 * that is left behind when this process ends is found by a job that looks every minute.
 */
export class RightAway {
  readonly #mostAtOnce: number
  readonly #work: (stopping: AbortSignal) => Promise<unknown>
  readonly #onTrouble: (error: unknown) => void
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #isAskedAgain = false

  /** `work` does everything that is due, and ends early when it is asked to stop. */
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

  /** Called when there is something to do. */
  wake(): void {
    if (this.stopping.aborted) return
    if (this.#running.size >= this.#mostAtOnce) {
      // The running ones may just have found that nothing is left.
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

  /** For tests: resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Interrupts the running work, which is started again elsewhere. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }
}
