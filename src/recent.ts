/** The memory for a key and for the bookkeeping of an entry, however small its value is. */
const entryBytes = 400

interface Kept<Value> {
  value: Value
  bytes: number
  /** How many moves to the end there had been when it was last moved there, including that one. */
  place: number
}

/**
 * A cache of the values that were requested last, up to a number of bytes. The caller gives the approximate memory that
 * a value takes. The values that were not requested for the longest time are dropped first.
 */
export class Recent<Value> {
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #mostBytes: number
  #bytes = 0
  #places = 0
  /** Temporary room beyond the limit. */
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
    // The most requested entries are near the end anyway, and moving them each time would be most of the work.
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

  /** Adds to the size of the value under this key. */
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
