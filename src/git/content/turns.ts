import { setImmediate } from 'node:timers/promises'

const longestMs = 20

/** Long work lets others have their turn, every now and then. */
export class Turns {
  #since = performance.now()

  async pass(): Promise<void> {
    if (performance.now() - this.#since < longestMs) return
    await setImmediate()
    this.#since = performance.now()
  }
}
