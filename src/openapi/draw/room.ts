import type { Words } from '../../published/words/words.ts'

/** How much of its schemas one block may show. */
export interface Room {
  fields: number
  /** How many values a generated example may have. */
  values: number
  /** How many callbacks of an operation are shown in full. The others are shown with method and address only. */
  callbacks: number
  /** How many servers of an operation are shown. */
  servers: number
}

/** The words to draw with, and the room available. */
export interface Manner {
  words?: Words
  room?: Room
}

/** The room of a block that is nearly alone on its page. */
export const enough: Room = { fields: 1_500, values: 300, callbacks: 20, servers: 20 }

/** Only a few steps, so that drawings can be reused when a page gets one block more. */
const steps: readonly Room[] = [
  enough,
  { fields: 700, values: 300, callbacks: 10, servers: 10 },
  { fields: 300, values: 150, callbacks: 4, servers: 6 },
  { fields: 150, values: 75, callbacks: 2, servers: 4 },
  { fields: 80, values: 40, callbacks: 1, servers: 3 },
  { fields: 40, values: 20, callbacks: 1, servers: 2 },
  { fields: 20, values: 15, callbacks: 0, servers: 0 },
]

/**
 * All blocks of a page share the fields that a page may have: with hundreds of operations, each of them unfolds less.
 */
const fieldsOfPage = 10_000

export function roomFor(blocks: number): Room {
  return steps.find(({ fields }) => fields * blocks <= fieldsOfPage || blocks <= 3) ?? steps.at(-1)!
}
