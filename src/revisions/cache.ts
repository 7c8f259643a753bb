interface Kept {
  value: Promise<unknown>
  bytes: number
}

/**
 * What was made of things that never change, by a key that names them for ever: revisions, bodies by their hash. Limited
 * by bytes; what was not asked for the longest goes first. Two who ask for the same at once share one making of it.
 */
export class ByteCache {
  readonly #kept = new Map<string, Kept>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What is kept under a key, else what `make` makes of it; `sizeOf` says about how many bytes that takes. */
  async keep<Value>(key: string, make: () => Promise<Value>, sizeOf: (value: Value) => number): Promise<Value> {
    const found = this.find<Value>(key)
    if (found) return found

    const kept: Kept = { value: make(), bytes: 0 }
    this.#kept.set(key, kept)
    try {
      const value = (await kept.value) as Value
      this.grow(key, kept.value, sizeOf(value))
      return value
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
      throw error
    }
  }

  /** What is kept under a key, or is being made. */
  find<Value>(key: string): Promise<Value> | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    // The order of a Map is the order of insertion: what is asked for goes to its end.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value as Promise<Value>
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }

  /** Something kept takes more room than before. */
  grow(key: string, value: Promise<unknown>, bytes: number): void {
    const kept = this.#kept.get(key)
    if (kept?.value !== value) return
    kept.bytes += bytes
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= freed
    }
  }
}
