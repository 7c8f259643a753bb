const lifeMs = 100
const mostEntries = 10_000

interface Entry {
  found: Promise<unknown>
  age: number
  until: number
}

/**
 * Spares busy callers the same look-up on every single request. What is remembered is good until this process commits
 * something that could change it, so what is revoked here is gone at the next request; and for a tenth of a second at
 * most, so what is revoked on another node, or on the command line, is gone right after.
 */
export class Memory {
  readonly #entries = new Map<string, Entry>()

  recall<Value>(key: string, age: number, find: () => Promise<Value>): Promise<Value> {
    const now = performance.now()
    const known = this.#entries.get(key)
    // Whoever asked under this key asked for the same kind of thing.
    if (known && known.age === age && known.until > now) return known.found as Promise<Value>

    if (this.#entries.size >= mostEntries) this.#entries.clear()
    const found = find()
    found.catch(() => this.#entries.delete(key))
    this.#entries.set(key, { found, age, until: now + lifeMs })
    return found
  }
}
