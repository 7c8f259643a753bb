import { setImmediate } from 'node:timers/promises'

const longestMs = 20

/** Lets other work have its turn every now and then during long work. */
export class Turns {
  #since = performance.now()

  async pass(): Promise<void> {
    if (performance.now() - this.#since < longestMs) return
    await setImmediate()
    this.#since = performance.now()
  }
}
