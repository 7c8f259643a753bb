/** A search by a reader. */
export interface Question<Place> {
  place: Place
  words: string
  found: boolean
}

interface Pending<Place> extends Question<Place> {
  at: number
}

/** After this long without further typing, the search counts as complete. */
const quietMs = 3_000
/** Limit for one asker. Several people may share an address. */
const mostAtOnce = 20
const mostAskers = 10_000

/**
 * Readers get results while they type: of "k", "ke" and "kettle", only the last is what they searched for. So the last
 * question of each asker is held back until no more arrive for a while. A question that continues a held-back one
 * replaces it; any other is held back in addition.
 */
export class Questions<Place> {
  readonly #count: (question: Question<Place>) => void
  readonly #pending = new Map<string, Pending<Place>[]>()

  constructor(count: (question: Question<Place>) => void) {
    this.#count = count
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0
  }

  ask(asker: string, question: Question<Place>, at = performance.now()): void {
    const before = this.#pending.get(asker) ?? []
    const others = before.filter(({ words }) => !goesOn(words, question.words))
    if (others.length >= mostAtOnce) this.#count(others.shift()!)
    // Moves the asker to the end, so that the most recent one is last.
    this.#pending.delete(asker)
    this.#pending.set(asker, [...others, { ...question, at }])
    if (this.#pending.size > mostAskers) this.#countAll(this.#pending.keys().next().value!)
  }

  /**
   * Counts the questions that have not been continued for a while. With `all`, counts every question, because the
   * process is about to end.
   */
  settle(all = false, now = performance.now()): void {
    for (const [asker, pending] of this.#pending) {
      const waiting = all ? [] : pending.filter(({ at }) => now - at < quietMs)
      for (const each of pending) if (!waiting.includes(each)) this.#count(each)
      if (waiting.length === 0) this.#pending.delete(asker)
      else this.#pending.set(asker, waiting)
    }
  }

  #countAll(asker: string): void {
    for (const each of this.#pending.get(asker)!) this.#count(each)
    this.#pending.delete(asker)
  }
}

/** Whether letters were only added or removed at the end. */
const goesOn = (before: string, now: string) => now.startsWith(before) || before.startsWith(now)
