/** A file that could not be made, and the error. */
interface Failure {
  error: Error
  /** It is not tried again until then. */
  until: number
  isTold: boolean
}

const most = 100
/**
 * A failed file is not tried again for this many times the time it took: a client that keeps asking for it gets a tenth
 * of the press at most.
 */
const times = 10
const longestMs = 15 * 60_000

/**
 * Files that recently failed. Trying again takes minutes of processor time in the worst case, and would hardly succeed:
 * further requests get the same error without a new attempt.
 */
export class Failures {
  readonly #failures = new Map<string, Failure>()

  /** Records a failure and how long it took. The requests that waited for it get the error directly. */
  note(tag: string, error: Error, tookMs: number): void {
    this.#put(tag, { error, until: performance.now() + Math.min(tookMs * times, longestMs), isTold: true })
  }

  /** Records a failure for a client that did not wait for it: it gets the error with its next request. */
  owe(tag: string, error: Error): void {
    this.#put(tag, { error, until: this.#failures.get(tag)?.until ?? 0, isTold: false })
  }

  #put(tag: string, failure: Failure): void {
    this.#failures.delete(tag)
    this.#failures.set(tag, failure)
    if (this.#failures.size > most) this.#failures.delete(this.#failures.keys().next().value!)
  }

  /** Returns the error if the file is not to be tried again yet. */
  find(tag: string): Error | undefined {
    const failure = this.#failures.get(tag)
    return failure && failure.until > performance.now() ? failure.error : undefined
  }

  /** The same for a client that does not wait. It gets an error that it was owed in any case, once. */
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
