import type { SpecFormat } from '../schema.ts'
import type { ReadingLimits } from './limits.ts'

/** The input of the reading process. */
export interface Work {
  bytes: Uint8Array
  /** The address it came from, which its references are relative to. */
  url: string | undefined
  limits: ReadingLimits
}

/** The result of reading. */
export interface ReadSpec {
  /** The whole specification as one JSON document. */
  document: Uint8Array
  /** The documents it refers to: a JSON object of files by address. */
  externals: { names: string[]; json: Uint8Array } | undefined
  format: SpecFormat
}

export type FromReader =
  | { kind: 'fetch'; url: string }
  | { kind: 'done'; result: ReadSpec }
  | { kind: 'refused'; message: string }
  /** A bug in this code or in a library. */
  | { kind: 'failed'; reason: string }

/** Sent for successful fetches only: if one fails, the whole reading does. */
export interface ToReader {
  bytes: Uint8Array
}
