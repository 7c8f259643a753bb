/** What could not be made, with what was wrong. */
interface Failure {
  error: Error
  /** Until then it is not tried again. */
  until: number
  isTold: boolean
}

const most = 100
/** For as many times as long as it took: whoever asks for it again and again takes a tenth of the press at most. */
const times = 10
const longestMs = 15 * 60_000

/**
 * What could not be made a short while ago. To try it takes minutes of the processor in the worst case, and it will hardly go
 * better the next time: whoever asks is told the same, without a new try.
 */
export class Failures {
  readonly #failures = new Map<string, Failure>()

  /** What took so long, in vain. Whoever waited for it knows. */
  note(tag: string, error: Error, tookMs: number): void {
    this.#put(tag, { error, until: performance.now() + Math.min(tookMs * times, longestMs), isTold: true })
  }

  /** For somebody who did not wait for it: they are told when they ask next. */
  owe(tag: string, error: Error): void {
    this.#put(tag, { error, until: this.#failures.get(tag)?.until ?? 0, isTold: false })
  }

  #put(tag: string, failure: Failure): void {
    this.#failures.delete(tag)
    this.#failures.set(tag, failure)
    if (this.#failures.size > most) this.#failures.delete(this.#failures.keys().next().value!)
  }

  /** Why it is not tried now. */
  find(tag: string): Error | undefined {
    const failure = this.#failures.get(tag)
    return failure && failure.until > performance.now() ? failure.error : undefined
  }

  /** The same for somebody who does not wait for it: what they are owed they hear in any case, once. */
  tell(tag: string): Error | undefined {
    const failure = this.#failures.get(tag)
    if (!failure || (failure.isTold && failure.until <= performance.now())) return undefined
    failure.isTold = true
    return failure.error
  }

  has(tag: string): boolean {
    return this.#failures.has(tag)
  }

  forget(tag: string): void {
    this.#failures.delete(tag)
  }
}
