/** What a specification may be, beyond the number of its bytes: someone has to draw it. */
export const readingLimits = {
  /** Everything in it counts, and in what it refers to: objects, lists, texts, numbers. */
  values: 1_000_000,
  characters: 32 * 1024 * 1024,
  depth: 200,
  schemas: 20_000,
  /** Others that it refers to, and how many steps away they may be. */
  documents: 50,
  referenceDepth: 16,
  memoryMb: 256,
  /** How long the reading itself may take, not counting the time spent waiting for other servers. */
  workMs: 120_000,
  totalMs: 240_000,
}

export type ReadingLimits = typeof readingLimits
