/**
 * Runs work that takes a process of its own: a few at once, and the waiting callers take turns. A caller with much
 * work, or one that waits for a server of their choice, delays nobody but themselves.
 */
export class Turns {
  readonly #most: number
  readonly #busy = new Set<string>()
  /** In order of turns: the first key is next. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(most: number) {
    this.#most = most
  }

  async take<Result>(who: string, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.#waiting.set(who, [...(this.#waiting.get(who) ?? []), begin])
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#busy.delete(who)
      this.#next()
    }
  }

  #next(): void {
    if (this.#busy.size >= this.#most) return
    for (const [who, [begin, ...others]] of this.#waiting) {
      if (this.#busy.has(who)) continue
      // Moved behind all others that are waiting.
      this.#waiting.delete(who)
      if (others.length > 0) this.#waiting.set(who, others)
      this.#busy.add(who)
      return begin!()
    }
  }
}
