/** Random choices that can be repeated with the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Both ends are included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)]!
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Returns an independent generator, so that the choices of one client do not affect those of others. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32))
  }
}
