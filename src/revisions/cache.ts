import { Recent } from '../recent.ts'

/**
 * What was made of things that never change, by a key that names them for ever: revisions, bodies by their hash. Limited
 * by bytes. Two who ask for the same at once share one making of it.
 */
export class ByteCache {
  readonly #kept: Recent<Promise<unknown>>

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#kept = new Recent(maxBytes)
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  /** What is kept under a key, else what `make` makes of it; `sizeOf` says about how many bytes that takes. */
  async keep<Value>(key: string, make: () => Promise<Value>, sizeOf: (value: Value) => number): Promise<Value> {
    const found = this.find<Value>(key)
    if (found) return found

    const making = make()
    this.#kept.set(key, making, 0)
    try {
      const value = await making
      this.grow(key, making, sizeOf(value))
      return value
    } catch (error) {
      if (this.find(key) === making) this.#kept.delete(key)
      throw error
    }
  }

  /** What is kept under a key, or is being made. */
  find<Value>(key: string): Promise<Value> | undefined {
    // Whoever asks under this key asks for the same kind of thing.
    return this.#kept.get(key) as Promise<Value> | undefined
  }

  clear(): void {
    this.#kept.clear()
  }

  /** Something kept takes more room than before. */
  grow(key: string, value: Promise<unknown>, bytes: number): void {
    if (this.find(key) === value) this.#kept.grow(key, bytes)
  }
}
