import { Recent } from '../recent.ts'

/**
 * Caches values derived from things that never change (revisions, bodies by their hash), under keys that identify them
 * permanently. Limited by bytes. Concurrent callers with the same key share one computation.
 */
export class ByteCache {
  readonly #kept: Recent<Promise<unknown>>

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#kept = new Recent(maxBytes)
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  /** Returns the value cached under a key, or caches the result of `make`. `sizeOf` estimates its size in bytes. */
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

  /** Returns the value cached under a key, or still being made. */
  find<Value>(key: string): Promise<Value> | undefined {
    // All callers with this key expect the same type of value.
    return this.#kept.get(key) as Promise<Value> | undefined
  }

  clear(): void {
    this.#kept.clear()
  }

  /** Adds to the size of a cached value. */
  grow(key: string, value: Promise<unknown>, bytes: number): void {
    if (this.find(key) === value) this.#kept.grow(key, bytes)
  }
}
