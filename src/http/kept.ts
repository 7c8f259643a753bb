import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, chooseForm, compress } from './compress.ts'
import { etagOf } from './conditional.ts'

/** An answer that many callers request: its bytes, its tag and its compressed forms are made once. */
export class KeptAnswer {
  readonly bytes: Buffer
  readonly tag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()
  readonly #onGrowth: (bytes: number) => void

  /** `answer`: the value that is sent as JSON, or its bytes. */
  constructor(answer: unknown, onGrowth: (bytes: number) => void = () => {}) {
    this.bytes = Buffer.isBuffer(answer) ? answer : Buffer.from(JSON.stringify(answer))
    this.tag = etagOf(this.bytes)
    this.#onGrowth = onGrowth
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    let made = this.#compressed.get(encoding)
    if (!made) {
      made = compress(this.bytes, encoding)
      this.#compressed.set(encoding, made)
      made.then(
        ({ length }) => this.#onGrowth(length),
        () => this.#compressed.delete(encoding),
      )
    }
    return made
  }
}

/**
 * Sends a kept answer in a form that the client accepts. The return type is that of the schema, which these bytes
 * represent.
 */
export async function answerKept<Answer>(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptAnswer,
): Promise<Answer> {
  reply.type('application/json; charset=utf-8')
  reply.header('etag', kept.tag)
  const encoding = chooseForm(request, reply, kept.bytes.length)
  return (encoding ? await kept.compressed(encoding) : kept.bytes) as Answer
}
