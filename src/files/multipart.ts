import { ApiError } from '../http/errors.ts'

/** One field of a form that may contain files. */
export interface FormPart {
  name: string
  /** Only for a file; empty if none was chosen. */
  filename: string | undefined
  contentType: string | undefined
  /** Streamed as they arrive. Bytes that the caller does not read are skipped. */
  bytes: AsyncIterable<Buffer>
}

const mostHeaderBytes = 16 * 1024
const headersEnd = Buffer.from('\r\n\r\n')

/** Returns the separator between the parts of a form, or undefined if the content type is not `multipart/form-data`. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:[^]*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain
}

/**
 * Yields the fields of a form as a browser sends it with files (RFC 7578), one by one and in order. Only the latest
 * piece is held in memory, so a file of any size takes no more than that.
 */
export async function* readFormParts(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const form = new Reading(source)
  const mark = Buffer.from(`\r\n--${boundary}`)
  try {
    for await (const _ of form.upTo(mark)) continue
    while (!(await form.isLast())) {
      const headers = await form.text(headersEnd)
      const bytes = form.upTo(mark)
      yield { ...describedBy(headers), bytes }
      for await (const _ of bytes) continue
    }
  } finally {
    await form.leave()
  }
}

/** Browsers percent-encode quotes and line breaks in names, and send all other characters as they are. */
function describedBy(headers: string): Omit<FormPart, 'bytes'> {
  const disposition = /^content-disposition:[ \t]*form-data;([^\r\n]*)/im.exec(headers)?.[1]
  const valueOf = (key: string) => new RegExp(`(?:^|;)\\s*${key}="([^"]*)"`, 'i').exec(disposition ?? '')?.[1]
  const name = valueOf('name')
  if (name === undefined) throw cutShort()
  return {
    name: unescaped(name),
    filename: unescaped(valueOf('filename')),
    contentType: /^content-type:[ \t]*(\S[^\r]*)/im.exec(headers)?.[1],
  }
}

function unescaped<Text extends string | undefined>(text: Text) {
  const plain: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' }
  return text?.replace(/%(?:22|0D|0A)/gi, (code) => plain[code.toUpperCase()]!) as Text
}

class Reading {
  readonly #source: AsyncIterator<Buffer>
  /** Starts with a line break, because the first separator has no line before it that would provide one. */
  #rest: Buffer = Buffer.from('\r\n')

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Yields all bytes up to a mark, and consumes the mark. */
  async *upTo(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(mark)
      // The last bytes of the buffer may be the beginning of the mark.
      const ready = at === -1 ? Math.max(0, this.#rest.length - mark.length + 1) : at
      const piece = this.#rest.subarray(0, ready)
      this.#rest = this.#rest.subarray(at === -1 ? ready : at + mark.length)
      if (piece.length > 0) yield piece
      if (at !== -1) return
      await this.#more()
    }
  }

  async text(mark: Buffer): Promise<string> {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of this.upTo(mark)) {
      size += piece.length
      if (size > mostHeaderBytes) throw cutShort()
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString()
  }

  /**
   * Reads what follows a separator. Anything but the end or another part is refused rather than guessed at, because
   * data would be lost.
   */
  async isLast(): Promise<boolean> {
    while (this.#rest.length < 2) await this.#more()
    const behind = this.#rest.toString('latin1', 0, 2)
    this.#rest = this.#rest.subarray(2)
    if (behind !== '--' && behind !== '\r\n') throw cutShort()
    return behind === '--'
  }

  /** Closes the iterator: nobody else can read on from a source that is still being iterated. */
  async leave(): Promise<void> {
    await this.#source.return?.()
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw cutShort()
    this.#rest = Buffer.concat([this.#rest, value])
  }
}

const cutShort = () => new ApiError('invalid_request', 'The form did not arrive completely. Send it again.')
