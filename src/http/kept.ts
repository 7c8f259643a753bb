import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, chooseForm, compress } from './compress.ts'
import { etagOf } from './conditional.ts'

/** An answer that many will ask for: its bytes, its tag and its compressed forms are made once. */
export class KeptAnswer {
  readonly bytes: Buffer
  readonly tag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()
  readonly #onGrowth: (bytes: number) => void

  /** `answer`: what is to be sent as JSON, or the bytes of that. */
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

/** Sends what is kept, in a form that the client takes. The type is that of the schema, whose bytes these are. */
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
