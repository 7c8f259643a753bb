/**
 * Work that is looked for again and again, beside the requests: one round after the other, at once where there is more,
 * otherwise after a while or when somebody wakes it.
 */
export class Rounds {
  readonly #round: () => Promise<boolean>
  readonly #onTrouble: (error: unknown) => void
  readonly #everyMs: number
  #running: Promise<void> | undefined
  #isClosing = false
  #isAwake = false
  #wakeUp = () => {}

  /** `round` answers whether there is more to do. */
  constructor(everyMs: number, round: () => Promise<boolean>, onTrouble: (error: unknown) => void) {
    this.#everyMs = everyMs
    this.#round = round
    this.#onTrouble = onTrouble
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** There is something to do: no need to wait. */
  wake(): void {
    this.#isAwake = true
    this.#wakeUp()
  }

  /** Begins no other round; done when the last one is. */
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
        // Whoever woke us meanwhile would have us fail again at once.
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
