/** Choices that a seed repeats (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Both ends count. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)]!
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Choices of its own, so that what one of many does leaves the others as they are. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32))
  }
}
