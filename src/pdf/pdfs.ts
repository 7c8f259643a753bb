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

/** Counts up when books get another look: what was made before is then made anew. */
const edition = 8

export const pdfFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'pdf')

/** A book that can be made, named by all that it is made from. */
export interface BookOrder {
  /** Two with the same parts are the same file, byte for byte. */
  madeFrom: readonly unknown[]
  load: (read: ReadSoFar) => Promise<Book>
}

/** Somebody who wants a file. */
export interface Asker {
  /** Others with the same are the same: files are made in turn for each of these. */
  who: string
  /** Called where there is work to do: it may refuse. */
  beforeMaking: () => void
}

/** After each page: how many of how many are read. */
export type ReadSoFar = (pages: number, totalPages: number) => void

/** How far a file is. `waiting`: others are printed first. */
export interface Making {
  stage: 'reading' | 'waiting' | 'typesetting'
  pages: number
  totalPages: number | undefined
  begunAt: Date
}

/** No way of printing it was left. */
export class CannotBePrinted extends ApiError {
  constructor(cause: PressFailure) {
    super('internal_error', `This PDF could not be created: ${remedy}`)
    this.cause = cause
  }
}

/** What somebody can do who wants it. */
const remedy =
  'it is too large, or something in it cannot be printed. Try fewer pages, or print the page from your browser.'

/** A finished file. */
export interface PdfFile {
  path: string
  /** Other bytes have another one. */
  tag: string
}

/** The PDF files of an installation: each made when it is first asked for, and once. */
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
        // It was made for somebody else, who has made room: from now on it is made for this one.
        if (!(error instanceof GivenUp) || error.who === asker.who) throw error
      }
    }
  }

  /** The same for somebody who does not wait: the file, or how far it is. What failed is told to who asks next. */
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
    // There was no place for it.
    if (!begun) return { path: await made, tag }
    made.catch((error: unknown) => {
      // Nothing is wrong with the file: who asks next has it begun once more, if there is a place for them.
      if (error instanceof GivenUp) return
      this.#failures.owe(tag, error instanceof Error ? error : new Error(String(error)))
    })
    return begun
  }

  /** The same for somebody who waits for a moment. */
  async soon(order: BookOrder, asker: Asker): Promise<PdfFile | Making> {
    const begun = await this.begin(order, asker)
    if (!('stage' in begun)) return begun
    for (const from = performance.now(); performance.now() - from < momentMs; await sleep(lookMs))
      if (!this.#making.has(tagOf(order))) break
    return this.begin(order, asker)
  }

  /** The same for somebody who looks later how far it is. What failed before is tried once more. */
  async start(order: BookOrder, asker: Asker): Promise<void> {
    this.#failures.forget(tagOf(order))
    await this.begin(order, asker)
  }

  /** How far a file is that nobody asks for now: looking begins nothing. */
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

  /** Two who ask at once have it made once, in the place of the first. */
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
    // Loaded here: most processes print nothing.
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

  /** Bytes that are gone leave an empty picture. */
  async #read(name: { organizationId: string; hash: string }): Promise<Uint8Array> {
    const bytes = await getIfThere(this.#app.store, name)
    return bytes ? buffer(bytes) : new Uint8Array()
  }
}

/** What is too much for the typesetter is printed plainer, rather than not at all. */
const ways: readonly PrintOptions[] = [
  { depth: 10, pictures: true, formulas: true, colours: true },
  { depth: 6, pictures: true, formulas: false, colours: false },
  { depth: 2, pictures: false, formulas: false, colours: false },
]

/** Most books are there by then; of others people want to know how far they are. */
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
