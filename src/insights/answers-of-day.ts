/** Of one address: colleagues share one, and whoever calls themselves many has one, too. */
const mostOfAddress = 10

/**
 * Who has answered something today, so that nobody counts a thousand times: by hashes, in memory, gone with the day and with
 * the process. Where there are more than it holds, it forgets who came first.
 */
export class AnswersOfDay {
  readonly #most: number
  readonly #times = new Map<string, number>()
  #day = ''

  constructor(most: number) {
    this.#most = most
  }

  /** Whether this one counts; then it is the last of its reader. */
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
    // Whoever came last stands at the end.
    this.#times.delete(name)
    this.#times.set(name, times)
    if (this.#times.size > this.#most) this.#times.delete(this.#times.keys().next().value!)
  }
}
