import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import type { App } from '../http/routes.ts'
import { BlobMissing } from '../storage/store.ts'
import type { Book } from './book.ts'
import { Press, PressFailure } from './press.ts'
import { printBook } from './print/print.ts'
import type { PrintOptions } from './print/print.ts'
import { Shelf } from './shelf.ts'

/** Counts up when books get another look: what was made before is then made anew. */
const edition = 1

export const pdfFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'pdf')

/** A book that can be made, named by all that it is made from. */
export interface BookOrder {
  /** Two with the same parts are the same file, byte for byte. */
  madeFrom: readonly unknown[]
  load: () => Promise<Book>
}

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

  constructor(app: Pick<App, 'config' | 'store' | 'log'>) {
    this.#app = app
    this.#press = new Press(app.config.fontFolder)
    this.#shelf = new Shelf(pdfFolder(app.config))
  }

  /** `beforeMaking` is called where there is work to do: it may refuse. */
  async get({ madeFrom, load }: BookOrder, beforeMaking: () => void): Promise<PdfFile> {
    const tag = createHash('sha256')
      .update(JSON.stringify([edition, ...madeFrom]))
      .digest('hex')
    const known = await this.#shelf.find(tag)
    if (known !== undefined) return { path: known, tag }
    beforeMaking()
    return { path: await this.#shelf.make(tag, async () => this.#print(await load())), tag }
  }

  close(): void {
    this.#press.close()
  }

  async #print(book: Book): Promise<Uint8Array> {
    try {
      return await this.#printWith(book, { depth: 10, pictures: true })
    } catch (error) {
      if (!(error instanceof PressFailure)) throw error
      this.#app.log.warn({ reason: error.message }, 'a PDF failed: it is made without pictures and nesting')
      return this.#printWith(book, { depth: 2, pictures: false })
    }
  }

  async #printWith(book: Book, options: PrintOptions): Promise<Uint8Array> {
    const { book: printed, pictures } = printBook(book, options)
    const loaded = []
    for (const { blob, name } of pictures.all) {
      loaded.push({ name, bytes: await this.#read({ organizationId: book.organizationId, hash: blob }) })
    }
    return this.#press.print({ data: JSON.stringify(printed), pictures: loaded })
  }

  /** Bytes that are gone leave an empty picture. */
  async #read(name: { organizationId: string; hash: string }): Promise<Uint8Array> {
    try {
      return await buffer(await this.#app.store.get(name))
    } catch (error) {
      if (error instanceof BlobMissing) return new Uint8Array()
      throw error
    }
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    pdfs: Pdfs
  }
}
