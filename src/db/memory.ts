const lifeMs = 100
const mostEntries = 10_000

interface Entry {
  found: Promise<unknown>
  age: number
  until: number
}

/**
 * Saves busy callers the same look-up on every single request. An entry is valid until this process commits something
 * that could change it, so anything revoked here takes effect with the next request; and for a tenth of a second at
 * most, so anything revoked on another node or on the command line takes effect right after that.
 */
export class Memory {
  readonly #entries = new Map<string, Entry>()

  recall<Value>(key: string, age: number, find: () => Promise<Value>): Promise<Value> {
    const now = performance.now()
    const known = this.#entries.get(key)
    // A key is always used for the same type of value.
    if (known && known.age === age && known.until > now) return known.found as Promise<Value>

    if (this.#entries.size >= mostEntries) this.#entries.clear()
    const found = find()
    found.catch(() => this.#entries.delete(key))
    this.#entries.set(key, { found, age, until: now + lifeMs })
    return found
  }
}
