import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import { fold, isAscii } from './fold.ts'
import { type Dictionary, type Lexicon, dictionaryFor } from './lexicon.ts'

/** The lexemes of a word: one, two if its accents make a difference, or none for a stop word. */
export type Lexemes = readonly string[]

/** Words that were looked up recently, by lexicon. */
const known = new Map<string, Map<string, Lexemes>>()
const mostKnown = 50_000

/**
 * The stems of words according to the database's own dictionaries. Each word is looked up once: a language has few
 * words, so nearly all texts are read without a query.
 */
export class Stems {
  readonly #lexemes: ReadonlyMap<string, Lexemes>

  private constructor(lexemes: ReadonlyMap<string, Lexemes>) {
    this.#lexemes = lexemes
  }

  /** Loads the stems of at least these words. */
  static async of(db: Db, lexicon: Lexicon, words: Iterable<string>): Promise<Stems> {
    const lexemes = keptFor(lexicon)
    const unknown = new Set<string>()
    for (const word of words) if (!lexemes.has(word)) unknown.add(word)
    if (unknown.size > 0) await learn(db, lexicon, [...unknown], lexemes)
    return new Stems(lexemes)
  }

  lexemes(word: string): Lexemes {
    return this.#lexemes.get(word) ?? []
  }
}

/** If the map gets too large, a new one replaces it. Callers that hold the old one keep it. */
function keptFor({ name }: Lexicon): Map<string, Lexemes> {
  const kept = known.get(name)
  if (kept && kept.size < mostKnown) return kept
  const fresh = new Map<string, Lexemes>()
  known.set(name, fresh)
  return fresh
}

/**
 * Stores the stem of the word as written and of its form without accents: stemmers recognize endings by their accents,
 * and people leave them out. A search with or without accents matches one of the two.
 */
async function learn(db: Db, lexicon: Lexicon, words: string[], lexemes: Map<string, Lexemes>): Promise<void> {
  const forms = words.flatMap((word) => (isAscii(word) ? [word] : [word, fold(word)]))
  const stems = await askStems(db, lexicon, new Set(forms))
  for (const word of words) {
    const stem = stems.get(word)
    if (stem === undefined) lexemes.set(word, [])
    else if (isAscii(word)) lexemes.set(word, [stem])
    else {
      const both = new Set([fold(stem), fold(stems.get(fold(word)) ?? fold(word))])
      // A word that consists of nothing but marks leaves an empty lexeme.
      lexemes.set(word, [...both].filter(Boolean))
    }
  }
}

/** Stop words have no stem. */
async function askStems(db: Db, lexicon: Lexicon, words: Iterable<string>): Promise<Map<string, string>> {
  const stems = new Map<string, string>()
  const byDictionary = Map.groupBy(words, (word) => dictionaryFor(lexicon, word))
  await Promise.all(
    [...byDictionary].map(async ([dictionary, words]) => {
      if (dictionary === 'simple') for (const word of words) stems.set(word, word)
      else for (const { word, stem } of await lexize(db, dictionary, words)) if (stem !== null) stems.set(word, stem)
    }),
  )
  return stems
}

function lexize(db: Db, dictionary: Dictionary, words: string[]): Promise<{ word: string; stem: string | null }[]> {
  return db.all(sql<{ word: string; stem: string | null }>`
    select word, (ts_lexize(${dictionary}::regdictionary, word))[1] as stem from unnest(${words}::text[]) word`)
}
