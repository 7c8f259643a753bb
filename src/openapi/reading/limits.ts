/** Limits for a specification besides its size in bytes, because it has to be drawn. */
export const readingLimits = {
  /** Counts everything in it and in the documents that it refers to: objects, lists, texts, numbers. */
  values: 1_000_000,
  characters: 32 * 1024 * 1024,
  depth: 200,
  schemas: 20_000,
  /** Counts an operation each time a path refers to it. */
  operations: 50_000,
  /** Paths are written once for each of their operations. */
  pathCharacters: 2_000,
  /** How many other documents it may refer to, and how many references away these may be. */
  documents: 50,
  referenceDepth: 16,
  memoryMb: 256,
  /** How long the reading itself may take, not counting the time spent waiting for other servers. */
  workMs: 120_000,
  totalMs: 240_000,
}

export type ReadingLimits = typeof readingLimits
