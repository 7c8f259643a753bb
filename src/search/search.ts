import type { Db } from '../db/connect.ts'
import type { Page, Position } from '../http/paging.ts'
import { lexiconNamed } from './lexicon.ts'
import { nameLexeme } from './name.ts'
import { type Node, type Sought, any, queryText } from './nodes.ts'
import { Asked, type Term, lastWord, readQuestion, wordsIn } from './question.ts'
import { Stems } from './stems.ts'
import { listCompletions, listMeant } from './vocabulary.ts'

/** What was asked, and what was looked for in the end. */
export interface Found<Result> {
  result: Result
  terms: readonly Term[]
  node: Node
  /** Which way of asking it was: the next page goes on with it. */
  way: number
}

/**
 * Asks until something is found, each way more generous than the one before: the whole words, the last of them as a
 * beginning, words that may have been meant, all words but one. The generous ones cost more and find more that is not
 * meant, so that they are for those who would go away with nothing.
 */
export async function findFirst<Result extends { count: number }>(
  db: Db,
  question: { text: string; organizationId: string; lexicons: readonly string[] },
  page: Page,
  find: (sought: Sought, after: Position | undefined) => Promise<Result>,
): Promise<Found<Result> | undefined> {
  const terms = readQuestion(question.text)
  const name = nameLexeme(question.text)
  const asked = await Promise.all(
    [...new Set(question.lexicons)].map(lexiconNamed).map(async (lexicon) => {
      const stems = await Stems.of(db, lexicon, wordsIn(terms, lexicon))
      return new Asked(terms, lexicon, stems)
    }),
  )
  const [known, ...position] = page.after ?? []
  const tried = new Set<string>()
  for (const [way, nodeOf] of ways.entries()) {
    if (page.after && way !== known) continue
    const node = await nodeOf(db, question.organizationId, terms, asked)
    if (!node || tried.has(queryText(node))) continue
    tried.add(queryText(node))
    const result = await find({ node, name }, page.after && position)
    if (result.count > 0) return { result, terms, node, way }
  }
  return undefined
}

type Way = (
  db: Db,
  organizationId: string,
  terms: readonly Term[],
  asked: readonly Asked[],
) => Promise<Node | undefined>

const ways: Way[] = [
  async (_db, _organizationId, _terms, asked) => any(asked.map((each) => each.words())),

  async (db, organizationId, terms, asked) => {
    const last = lastWord(terms)
    const completions = last === undefined ? [] : await listCompletions(db, organizationId, last)
    return any(asked.map((each) => each.beginning(completions)))
  },

  async (db, organizationId, _terms, asked) => {
    const words = new Map<string, string[]>()
    for (const [word, stems] of asked.flatMap((each) => [...each.loose()])) {
      words.set(word, [...(words.get(word) ?? []), ...stems])
    }
    const meant = await listMeant(db, organizationId, words)
    return any(asked.map((each) => each.corrected(meant)))
  },

  async (_db, _organizationId, _terms, asked) => any(asked.map((each) => each.most())),
]
