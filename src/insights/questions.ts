/** Something that was looked for. */
export interface Question<Place> {
  place: Place
  words: string
  found: boolean
}

interface Pending<Place> extends Question<Place> {
  at: number
}

/** Whoever stops typing for this long has asked what they wanted to. */
const quietMs = 3_000
/** Of one asker: several people may come from one address. */
const mostAtOnce = 20
const mostAskers = 10_000

/**
 * Readers are answered while they type: of "k", "ke" and "kettle" only the last is what they looked for. So the last
 * question of each asker is held back until they are silent for a while. What goes on from one that is held back takes its
 * place; any other stands beside it.
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
    // Whoever asked last stands at the end.
    this.#pending.delete(asker)
    this.#pending.set(asker, [...others, { ...question, at }])
    if (this.#pending.size > mostAskers) this.#countAll(this.#pending.keys().next().value!)
  }

  /** Counts what nobody goes on with any more; all there is, where nobody will be here to hear of it. */
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

/** Letters were added at the end, or taken away there. */
const goesOn = (before: string, now: string) => now.startsWith(before) || before.startsWith(now)
