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

  /** `tookMs`: none where nothing is wrong with the file. Then it is only told to who asks next. */
  note(tag: string, error: Error, tookMs = 0): void {
    this.#failures.delete(tag)
    const until = performance.now() + Math.min(tookMs * times, longestMs)
    this.#failures.set(tag, { error, until, isTold: false })
    if (this.#failures.size > most) this.#failures.delete(this.#failures.keys().next().value!)
  }

  /** Why it is not tried now. */
  find(tag: string): Error | undefined {
    const failure = this.#failures.get(tag)
    return failure && failure.until > performance.now() ? failure.error : undefined
  }

  /** The same for somebody who did not wait for it: they hear of it in any case, once. */
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
