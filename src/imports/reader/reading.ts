import type { ChildProcess } from 'node:child_process'
import { startApart } from '../../apart.ts'
import { ImportFailure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { FromReader, PageToRead, ReadPage, ToReader } from './messages.ts'

const program = new URL('./reader.ts', import.meta.url)

/** People who are writing paste more often than this, and an idle process takes up memory. */
const idleMs = 60_000

/**
 * Reads the pages of one import, one after the other, in a separate process. A process that hangs or dies is replaced,
 * and one that is idle for a while is ended.
 */
export class PageReader {
  #process: ChildProcess | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #idle: NodeJS.Timeout | undefined
  readonly #language: string | null

  /** The language is that of the space. It determines how pages that do not declare an encoding are decoded. */
  constructor(language: string | null) {
    this.#language = language
  }

  /** Throws an ImportFailure, as does all reading. */
  async read(page: Omit<PageToRead, 'language'>): Promise<ReadPage> {
    const answer = await this.#ask({ ...page, language: this.#language })
    if (answer.kind !== 'read') throw noAnswer()
    return answer.page
  }

  /** Converts content that was copied from another program to Markdown. */
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

  /** Pages that are still queued fail: a process started for them would never be ended. */
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
    // A process that exits while idle is not used again.
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
      // A kept process may have exited before it received the message, which is noticed only some time later.
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
  // For errors after all other listeners are removed: an error without a listener would end this process.
  reader.on('error', () => {})
  return reader
}
