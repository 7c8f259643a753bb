import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ApiError } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { getIfThere } from '../storage/store.ts'
import type { Book } from './book.ts'
import { besideOthers } from './breathe.ts'
import { Failures } from './failures.ts'
import { GivenUp, type Place, Places } from './places.ts'
import { Press, PressFailure } from './press.ts'
import type { PrintOptions } from './print/print.ts'
import { Shelf } from './shelf.ts'

/** Incremented when the design of books changes: all files are then made again. */
const edition = 8

export const pdfFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'pdf')

/** A book that can be made, identified by everything that it is made from. */
export interface BookOrder {
  /** Two orders with the same parts are the same file, byte for byte. */
  madeFrom: readonly unknown[]
  load: (read: ReadSoFar) => Promise<Book>
}

/** The client that requests a file. */
export interface Asker {
  /** Requests with the same value count as one client. Clients take turns. */
  who: string
  /** Called if the file has to be made. It may refuse. */
  beforeMaking: () => void
}

/** Called after each page with the number of pages read and their total. */
export type ReadSoFar = (pages: number, totalPages: number) => void

/** The progress of a file. `waiting`: others are printed first. */
export interface Making {
  stage: 'reading' | 'waiting' | 'typesetting'
  pages: number
  totalPages: number | undefined
  begunAt: Date
}

/** Thrown when every way of printing it has failed. */
export class CannotBePrinted extends ApiError {
  constructor(cause: PressFailure) {
    super('internal_error', `This PDF could not be created: ${remedy}`)
    this.cause = cause
  }
}

/** Advice for the person who requested it. */
const remedy =
  'it is too large, or something in it cannot be printed. Try fewer pages, or print the page from your browser.'

/** A finished file. */
export interface PdfFile {
  path: string
  /** Files with different bytes have different tags. */
  tag: string
}

/** The PDF files of an installation. Each is made once, when it is first requested. */
export class Pdfs {
  readonly #app: Pick<App, 'config' | 'store' | 'log'>
  readonly #press: Press
  readonly #shelf: Shelf
  readonly #places = new Places()
  readonly #making = new Map<string, Making>()
  readonly #failures = new Failures()

  constructor(app: Pick<App, 'config' | 'store' | 'log'>) {
    this.#app = app
    this.#press = new Press(app.config.fontFolder)
    this.#shelf = new Shelf(pdfFolder(app.config))
  }

  async get(order: BookOrder, asker: Asker): Promise<PdfFile> {
    const tag = tagOf(order)
    const known = await this.#shelf.find(tag)
    if (known !== undefined) return { path: known, tag }
    const failure = this.#failures.find(tag)
    if (failure) throw failure
    asker.beforeMaking()
    for (;;) {
      try {
        return { path: await this.#make(tag, order, asker), tag }
      } catch (error) {
        // It was being made for another client, whose place was given to others. The next attempt makes it for this
        // one.
        if (!(error instanceof GivenUp) || error.who === asker.who) throw error
      }
    }
  }

  /**
   * The same for a client that does not wait: returns the file, or its progress. A failure is reported with the next
   * request.
   */
  async begin(order: BookOrder, asker: Asker): Promise<PdfFile | Making> {
    const tag = tagOf(order)
    const known = await this.#shelf.find(tag)
    if (known !== undefined) return { path: known, tag }
    const failure = this.#failures.tell(tag)
    if (failure) throw failure
    const making = this.#making.get(tag)
    if (making) return making
    asker.beforeMaking()
    const made = this.#make(tag, order, asker)
    const begun = this.#making.get(tag)
    // There was no free place for it.
    if (!begun) return { path: await made, tag }
    made.catch((error: unknown) => {
      // Nothing is wrong with the file: the next request starts it again, if there is a free place.
      if (error instanceof GivenUp) return
      this.#failures.owe(tag, error instanceof Error ? error : new Error(String(error)))
    })
    return begun
  }

  /** The same for a client that waits for a moment. */
  async soon(order: BookOrder, asker: Asker): Promise<PdfFile | Making> {
    const begun = await this.begin(order, asker)
    if (!('stage' in begun)) return begun
    for (const from = performance.now(); performance.now() - from < momentMs; await sleep(lookMs))
      if (!this.#making.has(tagOf(order))) break
    return this.begin(order, asker)
  }

  /** The same for a client that checks the progress later. A file that failed before is tried once more. */
  async start(order: BookOrder, asker: Asker): Promise<void> {
    this.#failures.forget(tagOf(order))
    await this.begin(order, asker)
  }

  /** Returns the progress of a file without starting it. */
  async look(order: BookOrder): Promise<'ready' | 'absent' | 'failed' | Making> {
    const tag = tagOf(order)
    const making = this.#making.get(tag)
    if (making) return making
    if (await this.#shelf.has(tag)) return 'ready'
    return this.#failures.has(tag) ? 'failed' : 'absent'
  }

  close(): void {
    this.#press.close()
  }

  /** Two simultaneous requests make it only once, in the place of the first. */
  #make(tag: string, { load }: BookOrder, { who }: Asker): Promise<string> {
    return this.#shelf.make(tag, async () => {
      const place = this.#places.enter(who)
      const so: Making = { stage: 'reading', pages: 0, totalPages: undefined, begunAt: new Date() }
      this.#making.set(tag, so)
      try {
        const read: ReadSoFar = (pages, totalPages) => {
          place.signal.throwIfAborted()
          Object.assign(so, { pages, totalPages })
        }
        return await this.#print(await load(read), so, place)
      } catch (error) {
        if (error instanceof CannotBePrinted) this.#failures.note(tag, error, Date.now() - so.begunAt.getTime())
        throw error
      } finally {
        this.#making.delete(tag)
        place.leave()
      }
    })
  }

  async #print(book: Book, so: Making, place: Place): Promise<Uint8Array> {
    for (const options of ways) {
      try {
        return await this.#printWith(book, options, so, place)
      } catch (error) {
        if (!(error instanceof PressFailure)) throw error
        if (options === ways.at(-1)) throw new CannotBePrinted(error)
        this.#app.log.warn({ reason: error.message, ...options }, 'a PDF failed: it is made in a plainer way')
      }
    }
    throw new CannotBePrinted(new PressFailure('There is no way left'))
  }

  async #printWith(book: Book, options: PrintOptions, so: Making, place: Place): Promise<Uint8Array> {
    so.stage = 'reading'
    // Loaded on demand, because most processes print nothing.
    const { printBook } = await import('./print/print.ts')
    const { data, pictures } = await besideOthers(() => printBook(book, options))
    const loaded = []
    for (const { blob, name } of pictures.all) {
      loaded.push({ name, bytes: await this.#read({ organizationId: book.organizationId, hash: blob }) })
    }
    so.stage = 'waiting'
    const begin = () => {
      so.stage = 'typesetting'
      place.begin()
    }
    return this.#press.print({ data, pictures: loaded }, { ...place, begin })
  }

  /** A picture whose bytes are missing is left empty. */
  async #read(name: { organizationId: string; hash: string }): Promise<Uint8Array> {
    const bytes = await getIfThere(this.#app.store, name)
    return bytes ? buffer(bytes) : new Uint8Array()
  }
}

/** A book that is too much for the typesetter is printed in a plainer way. */
const ways: readonly PrintOptions[] = [
  { depth: 10, pictures: true, formulas: true, colours: true },
  { depth: 6, pictures: true, formulas: false, colours: false },
  { depth: 2, pictures: false, formulas: false, colours: false },
]

/** Most books are finished by then. For the others, people want to see the progress. */
const momentMs = 4000
const lookMs = 50

const tagOf = ({ madeFrom }: BookOrder) =>
  createHash('sha256')
    .update(JSON.stringify([edition, ...madeFrom]))
    .digest('hex')

declare module 'fastify' {
  interface FastifyInstance {
    pdfs: Pdfs
  }
}
