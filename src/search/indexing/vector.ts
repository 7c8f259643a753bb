import { fold } from '../words/fold.ts'
import type { Stems } from '../words/stems.ts'
import type { Word } from '../words/words.ts'

/** The words by which a row of the index is found, the most significant first. */
export interface Parts {
  /** Title of the page. */
  title: readonly Word[]
  heading: readonly Word[]
  body: readonly Word[]
}

/** Gap between two parts, so that no phrase reaches from one into the next. */
const gap = 10

/**
 * Returns a `tsvector` as text. It is built here, not by the database, because it contains two lexemes at one position,
 * pairs of characters, and stop words that count in titles and headings only ("About us" is found, and a body is not
 * full of "the"). `name` is the lexeme of the whole title. It has no position, so that it affects no place and no
 * weight.
 */
export function vectorOf({ title, heading, body }: Parts, stems: Stems, name: string): string {
  const places = new Map<string, string>()
  const add = (lexeme: string, place: string) => {
    if (lexeme === '') return
    const before = places.get(lexeme)
    places.set(lexeme, before === undefined ? place : `${before},${place}`)
  }
  let offset = 0
  for (const [words, weight] of [
    [title, 'A'],
    [heading, 'B'],
    [body, ''],
  ] as const) {
    for (const { text, at, kind } of words) {
      const place = `${offset + at}${weight}`
      if (kind === 'pair' || kind === 'option') add(text, place)
      else {
        const lexemes = stems.lexemes(text)
        for (const lexeme of lexemes.length > 0 || weight === '' ? lexemes : [fold(text)]) add(lexeme, place)
      }
    }
    offset += (words.at(-1)?.at ?? 0) + gap
  }
  // Words consist of letters, digits and dashes, so nothing in them has to be escaped.
  let vector = `'${name}' `
  for (const [lexeme, at] of places) vector += `'${lexeme}':${at} `
  return vector
}
