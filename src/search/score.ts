import { type Statement, nothing, sql } from '../db/sql.ts'
import { type Node, any, lexemesIn, queryText, writtenIn } from './nodes.ts'

export const isFound = (node: Node) => sql`s.words @@ ${queryText(node)}::tsquery`

/** Whether the title of the page and the heading together match the whole query. */
export const isTitled = (node: Node) => sql`ts_filter(s.words, '{a,b}') @@ ${queryText(node)}::tsquery`

/**
 * Ranks by how often the words occur and how close together. A title counts far more than a heading, and a heading far
 * more than a body: the steps are so steep that no number of occurrences makes up for them. Of two titles, the shorter
 * one is better. With cover density, a row costs twenty times as much if a word can be one of twenty, because the
 * server clears 32 KB for each of them and for each row.
 */
export function scoreOf(node: Node): Statement {
  return sql`${rankOf(node)}
    * (0.5::float8 + 0.5::float8 / greatest(1, s.title_length)) + ${leastScore} ${written(node)}`
}

/** The extra score for text that occurs exactly as it was written. */
export const written = (node: Node) => sql`
  ${extra(any(writtenIn(node, 'exactly')), exactScore)} ${extra(any(writtenIn(node, 'verbatim')), verbatimScore)}`

const extra = (node: Node | undefined, score: Statement) =>
  node ? sql`+ case when ${isFound(node)} then ${score} else 0 end` : nothing

function rankOf(node: Node): Statement {
  if ('any' in node && node.by) {
    return sql`(${rankOf(node.by)} ${extra(node.by, allScore)})`
  }
  if ('any' in node && node.rather) return best([rankOf(node.rather), rankOf({ any: node.any })])
  const rank = lexemesIn(node).length > 1 ? sql`ts_rank` : sql`ts_rank_cd`
  const each = alternatives(node)
  const together = best(each.map((one) => sql`${rank}(${weights}, s.words, ${queryText(one)}::tsquery, 1)`))
  const apart = any(
    each.flatMap((one) =>
      ('all' in one ? one.all : 'phrase' in one ? one.phrase.map((step) => step.node) : []).filter(isWord),
    ),
  )
  if (!apart) return together
  return sql`(${together} + ${aboutOne} * ts_rank(${weights}, s.words, ${queryText(apart)}::tsquery, 1))`
}

/** Whether the node is a single word, possibly with alternatives. */
const isWord = (node: Node): boolean => 'lexeme' in node || ('any' in node && node.any.every(isWord))

const best = ([first, ...others]: readonly Statement[]) =>
  others.reduce((best, each) => sql`greatest(${best}, ${each})`, first!)

const weights = sql`'{0.0001, 0.0001, 0.05, 1}'`

/**
 * Words that are searched together are ranked by how close together they occur, and a title is far from a body. So each
 * word also adds a score of its own: less than all words in a heading, and more than all in a body. This also applies
 * to the words of a name: of all pages that mention it, the one with one of its words in the title is about it.
 */
const aboutOne = sql`0.01::float8`

/**
 * With more alternatives, as in very many languages at once, ranking would be most of the work, especially for several
 * words.
 */
const mostAlternatives = 8
const mostOfWords = 4

/**
 * Returns the alternatives that are ranked separately. `CURLOPT_URL` is searched as two consecutive words or as one.
 * Ranked together, each word would count alone, and all pages with CURLOPT in their titles would appear to be about it.
 */
function alternatives(node: Node): readonly Node[] {
  if (!('any' in node) || node.isAlike) return [node]
  if (node.any.length === 1) return alternatives(node.any[0]!)
  const flat = node.any.flatMap((each) => ('any' in each ? each.any : [each]))
  const some = [...new Map(flat.map((each) => [queryText(each), each])).values()]
  const isName = some.length <= mostAlternatives && some.some((each) => 'phrase' in each)
  const isOfWords = some.length <= mostOfWords && some.some((each) => 'all' in each)
  return isName || isOfWords ? some : [node]
}

/** More than zero, which is the score of spaces that were not ranked. */
export const leastScore = sql`1e-12::float8`

/** Matching all words counts more than having one of them in the title, and less than having two of them there. */
const allScore = sql`0.02::float8`

/** Worth as much as any number of words: `resolving` in a title is not `--resolve`. */
const exactScore = sql`1::float8`

/**
 * Ranks after all words in a title and before all words in a heading: a reader with an error message searches for its
 * exact text.
 */
const verbatimScore = sql`0.05::float8`
