/** What a key takes, and the place of what is kept under it, however small that is. */
const entryBytes = 400

interface Kept<Value> {
  value: Value
  bytes: number
  /** How many had been put to the end, itself included, when it was. */
  place: number
}

/**
 * What was asked for last, up to a number of bytes: who keeps something says about how many it takes in memory. What was
 * not asked for the longest goes first.
 */
export class Recent<Value> {
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #mostBytes: number
  #bytes = 0
  #places = 0
  /** Room beyond the limit, for a while. */
  moreBytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    // What is asked for most is near the end as it is: moving it each time would be most of the work.
    if (this.#places - kept.place > this.#kept.size / 4) this.#putLast(key, kept)
    return kept.value
  }

  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    this.#putLast(key, { value, bytes: 0, place: 0 })
    this.grow(key, bytes + entryBytes)
  }

  /** The order of a Map is the order of insertion. */
  #putLast(key: string, kept: Kept<Value>): void {
    kept.place = ++this.#places
    this.#kept.delete(key)
    this.#kept.set(key, kept)
  }

  /** What is kept under this key takes more than was said. */
  grow(key: string, bytes: number): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    kept.bytes += bytes
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes + this.moreBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }
}
