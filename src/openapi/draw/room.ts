import type { Words } from '../../published/words/words.ts'

/** How much one block may say of schemas. */
export interface Room {
  fields: number
  /** Of an example that is made up. */
  values: number
  /** Of how many callbacks of an operation it says more than where they go. */
  callbacks: number
  /** Of the servers of an operation. */
  servers: number
}

/** In which words, and in how much room. */
export interface Manner {
  words?: Words
  room?: Room
}

/** Of a block that is nearly alone on its page. */
export const enough: Room = { fields: 1_500, values: 300, callbacks: 20, servers: 20 }

/** Few, so that what was drawn is of use again when a page gets one block more. */
const steps: readonly Room[] = [
  enough,
  { fields: 700, values: 300, callbacks: 10, servers: 10 },
  { fields: 300, values: 150, callbacks: 4, servers: 6 },
  { fields: 150, values: 75, callbacks: 2, servers: 4 },
  { fields: 80, values: 40, callbacks: 1, servers: 3 },
  { fields: 40, values: 20, callbacks: 1, servers: 2 },
  { fields: 20, values: 15, callbacks: 0, servers: 0 },
]

/** All blocks of a page share what a page may hold: with hundreds of operations, each one unfolds less. */
const fieldsOfPage = 10_000

export function roomFor(blocks: number): Room {
  return steps.find(({ fields }) => fields * blocks <= fieldsOfPage || blocks <= 3) ?? steps.at(-1)!
}
