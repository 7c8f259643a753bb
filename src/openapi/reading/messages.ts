import type { SpecFormat } from '../schema.ts'
import type { ReadingLimits } from './limits.ts'

/** What the process that reads is given. */
export interface Work {
  bytes: Uint8Array
  /** Where it came from: what it refers to is found from there. */
  url: string | undefined
  limits: ReadingLimits
}

/** What comes out. */
export interface ReadSpec {
  /** The whole specification as one JSON document. */
  document: Uint8Array
  /** The others it was made of: a JSON object of files by their address. */
  externals: { names: string[]; json: Uint8Array } | undefined
  format: SpecFormat
}

export type FromReader =
  | { kind: 'fetch'; url: string }
  | { kind: 'done'; result: ReadSpec }
  | { kind: 'refused'; message: string }
  /** A mistake of ours, or of a library. */
  | { kind: 'failed'; reason: string }

/** Only what could be fetched: where one fails, all of it does. */
export interface ToReader {
  bytes: Uint8Array
}
