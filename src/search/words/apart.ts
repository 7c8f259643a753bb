import type { Database } from '../../db/connect.ts'
import type { Lexicon } from './lexicon.ts'
import { type Node, all, any, whole } from '../nodes.ts'
import type { Scope } from '../scope.ts'
import { listThere } from '../there.queries.ts'
import { Stems } from './stems.ts'

const shortestPiece = 3
const mostWords = 3

/**
 * Finds words that the query writes as one ("ratelimit", "Dateigröße") and the page does not ("rate limit", "Größe der
 * Dateien"), by word. Only for words that are not found themselves, and only if both parts are.
 */
export async function listApart(
  db: Database,
  scope: Scope,
  lexicons: readonly Lexicon[],
  words: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, Node[]>> {
  const few = [...words].filter(([word]) => /^\p{L}{6,24}$/u.test(word)).slice(0, mostWords)
  const pieces = new Set(few.flatMap(([word]) => splitsOf(word).flat()))
  const stems = await Promise.all(lexicons.map((lexicon) => Stems.of(db, lexicon, pieces)))
  const lexemesOf = (piece: string) => stems.flatMap((each) => each.lexemes(piece))
  const own = few.flatMap(([, lexemes]) => lexemes)
  const there = await listThere(db, scope, new Set([...own, ...[...pieces].flatMap(lexemesOf)]))
  const nodeOf = (piece: string) =>
    any(
      lexemesOf(piece)
        .filter((each) => there.has(each))
        .map(whole),
    )

  const unknown = few.filter(([, lexemes]) => !lexemes.some((each) => there.has(each)))
  return new Map(
    unknown.map(([word]) => [
      word,
      splitsOf(word).flatMap(([first, second]) => {
        const nodes = [nodeOf(first), nodeOf(second)]
        return nodes.every((node) => node !== undefined) ? (all(nodes) ?? []) : []
      }),
    ]),
  )
}

function splitsOf(word: string): [string, string][] {
  const count = Math.max(0, word.length - 2 * shortestPiece + 1)
  return Array.from({ length: count }, (_, i) => [word.slice(0, i + shortestPiece), word.slice(i + shortestPiece)])
}
