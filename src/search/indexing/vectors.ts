import type { Db } from '../../db/connect.ts'
import { Recent } from '../../recent.ts'
import type { NewRow } from './changes.ts'
import { fold } from '../words/fold.ts'
import { nameLexeme } from '../words/name.ts'
import type { Place } from './place.ts'
import { Stems } from '../words/stems.ts'
import { vectorOf } from './vector.ts'
import { addWords } from '../words/vocabulary.ts'
import { wordsOf } from '../words/words.ts'

/** The lexemes by which a row is found. */
export interface Vector {
  words: string
  title_length: number
}

/** The vectors that were made last. They are made before a line is locked, and written once it is. */
const kept = new Recent<Vector>(6 * 1024 * 1024)

/**
 * Returns the vectors of these rows, in the same order. Adds words that the organization has not used before to its
 * vocabulary.
 */
export async function vectorsOf(db: Db, place: Place, rows: readonly NewRow[]): Promise<Vector[]> {
  const nameOf = ({ hash }: NewRow) => `${place.organizationId} ${place.lexicon.name} ${hash}`
  const made = new Map<string, Vector>()
  for (const row of rows) {
    const before = kept.get(nameOf(row))
    if (before) made.set(nameOf(row), before)
  }
  const missing = rows.filter((row) => !made.has(nameOf(row)))
  const fresh = missing.length > 0 ? await makeVectors(db, place, missing) : []
  missing.forEach((row, i) => {
    made.set(nameOf(row), fresh[i]!)
    kept.set(nameOf(row), fresh[i]!, fresh[i]!.words.length)
  })
  return rows.map((row) => made.get(nameOf(row))!)
}

async function makeVectors(db: Db, place: Place, rows: readonly NewRow[]): Promise<Vector[]> {
  const read = rows.map(({ title, heading, body }) => ({
    title: wordsOf(title),
    heading: wordsOf(heading),
    body: wordsOf(body),
  }))
  const words = new Set<string>()
  for (const parts of read) {
    for (const { text, kind } of [...parts.title, ...parts.heading, ...parts.body]) {
      if (kind !== 'pair' && kind !== 'option') words.add(text)
    }
  }
  const stems = await Stems.of(db, place.lexicon, words)
  await addWords(
    db,
    place.organizationId,
    Array.from(words, (word) => [fold(word), stems.lexemes(word)[0]] as const),
  )
  return read.map((parts, i) => ({
    words: vectorOf(parts, stems, nameLexeme(rows[i]!.title)),
    title_length: parts.title.at(-1)?.at ?? 0,
  }))
}
