/**
 * Limit for answers from one address. Colleagues may share an address, and a reader who pretends to be many people has
 * only one, too.
 */
const mostOfAddress = 10

/**
 * Remembers who has answered something today, so that nobody is counted a thousand times. Keeps only hashes in memory,
 * until the day or the process ends. If it is full, it forgets the oldest entry.
 */
export class AnswersOfDay {
  readonly #most: number
  readonly #times = new Map<string, number>()
  #day = ''

  constructor(most: number) {
    this.#most = most
  }

  /** Whether this answer counts. If so, further answers of this reader do not. */
  take(day: string, reader: string, address: string): boolean {
    if (day !== this.#day) this.#times.clear()
    this.#day = day
    const ofAddress = this.#times.get(address) ?? 0
    if (this.#times.has(reader) || ofAddress >= mostOfAddress) return false
    this.#set(reader, 1)
    this.#set(address, ofAddress + 1)
    return true
  }

  #set(name: string, times: number): void {
    // Moves the name to the end, so that the most recent one is last.
    this.#times.delete(name)
    this.#times.set(name, times)
    if (this.#times.size > this.#most) this.#times.delete(this.#times.keys().next().value!)
  }
}
