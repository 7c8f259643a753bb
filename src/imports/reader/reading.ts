import type { ChildProcess } from 'node:child_process'
import { startApart } from '../../apart.ts'
import { ImportFailure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { FromReader, PageToRead, ReadPage, ToReader } from './messages.ts'

const program = new URL('./reader.ts', import.meta.url)

/** Nobody pastes that seldom while they write; what waits takes up memory. */
const idleMs = 60_000

/**
 * Reads the pages of one import, one after the other, in a process of their own. One that hangs or dies is replaced, and
 * one that nobody has asked for a while is ended.
 */
export class PageReader {
  #process: ChildProcess | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #idle: NodeJS.Timeout | undefined
  readonly #language: string | null

  /** The language is that of the space: pages that do not tell their encoding are in one for it. */
  constructor(language: string | null) {
    this.#language = language
  }

  /** Fails with an ImportFailure, as all reading does. */
  async read(page: Omit<PageToRead, 'language'>): Promise<ReadPage> {
    const answer = await this.#ask({ ...page, language: this.#language })
    if (answer.kind !== 'read') throw noAnswer()
    return answer.page
  }

  /** What somebody copied from another program, as Markdown. */
  async readPasted(html: string): Promise<string> {
    const answer = await this.#ask({ kind: 'pasted', html })
    if (answer.kind !== 'pasted') throw noAnswer()
    return answer.markdown
  }

  #ask(asked: ToReader): Promise<FromReader> {
    const reading = this.#last.then(
      () => this.#readNow(asked),
      () => this.#readNow(asked),
    )
    this.#last = reading.catch(() => {})
    return reading
  }

  /** Pages that are still on their way come too late: nobody would end the process that is begun for them. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#process?.kill('SIGKILL')
    this.#process = undefined
  }

  #start(): ChildProcess {
    const reader = start()
    // One that ends while nobody asks it is not asked again.
    reader.once('exit', () => {
      if (this.#process === reader) this.#process = undefined
    })
    return reader
  }

  async #readNow(asked: ToReader): Promise<FromReader> {
    const kept = this.#process
    try {
      return await this.#readOnce(asked)
    } catch (error) {
      // One that was kept may have ended before it heard the question, which is learnt a while after it happened.
      if (kept && error instanceof ImportFailure && error.rule === 'too-large') return this.#readOnce(asked)
      throw error
    }
  }

  async #readOnce(asked: ToReader): Promise<FromReader> {
    if (this.#isClosed) throw new ImportFailure('stopped', 'was not read: the import has ended')
    clearTimeout(this.#idle)
    const reader = (this.#process ??= this.#start())
    const { promise, resolve, reject } = Promise.withResolvers<FromReader>()
    const late = setTimeout(() => reject(new ImportFailure('too-slow', 'takes too long to read')), limits.readMs)
    const ended = () => reject(new ImportFailure('too-large', 'takes too much memory to read'))
    reader.once('message', resolve).once('exit', ended).once('error', reject)
    reader.send(asked, (error) => error && ended())
    try {
      const answer = await promise
      if (answer.kind !== 'refused') return answer
      throw new ImportFailure('unreadable', answer.message)
    } catch (error) {
      if (!(error instanceof ImportFailure) || error.rule !== 'unreadable') this.#end()
      throw error instanceof ImportFailure ? error : new ImportFailure('unreadable', 'cannot be read', { cause: error })
    } finally {
      clearTimeout(late)
      reader.off('message', resolve).off('exit', ended).off('error', reject)
      if (this.#process) this.#idle = setTimeout(() => this.#end(), idleMs).unref()
    }
  }
}

const noAnswer = () => new ImportFailure('unreadable', 'cannot be read')

function start(): ChildProcess {
  const reader = startApart(program, {
    execArgv: [`--max-old-space-size=${limits.readerMemoryMb}`, '--max-semi-space-size=4'],
  })
  // Later than anybody listens: an error without a listener would end this process.
  reader.on('error', () => {})
  return reader
}
