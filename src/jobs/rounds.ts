/**
 * Polls for work in the background, one round after the other: the next round starts at once if there is more to do,
 * otherwise after a while or when woken.
 */
export class Rounds {
  readonly #round: () => Promise<boolean>
  readonly #onTrouble: (error: unknown) => void
  readonly #everyMs: number
  #running: Promise<void> | undefined
  #isClosing = false
  #isAwake = false
  #wakeUp = () => {}

  /** `round` returns whether there is more to do. */
  constructor(everyMs: number, round: () => Promise<boolean>, onTrouble: (error: unknown) => void) {
    this.#everyMs = everyMs
    this.#round = round
    this.#onTrouble = onTrouble
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Starts the next round without waiting. */
  wake(): void {
    this.#isAwake = true
    this.#wakeUp()
  }

  /** Starts no further round, and resolves when the last one is done. */
  async stop(): Promise<void> {
    this.#isClosing = true
    this.wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      this.#isAwake = false
      const isMore = await this.#round().catch((error: unknown) => {
        this.#onTrouble(error)
        // A wake-up during the failed round would make the next one fail at once, too.
        this.#isAwake = false
        return false
      })
      if (!isMore) await this.#nap()
    }
  }

  async #nap(): Promise<void> {
    if (this.#isAwake || this.#isClosing) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wakeUp = resolve
    const timer = setTimeout(resolve, this.#everyMs)
    await promise
    clearTimeout(timer)
  }
}
