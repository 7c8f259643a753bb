import type { Database } from '../db/connect.ts'
import type { Page, Position } from '../http/paging.ts'
import { listApart } from './words/apart.ts'
import { type Lexicon, lexiconNamed } from './words/lexicon.ts'
import { nameLexeme } from './words/name.ts'
import { type Node, type Sought, any, queryText, rankedBy, rather, whole } from './nodes.ts'
import type { Scope } from './scope.ts'
import { isCommon, listThere } from './there.queries.ts'
import { Asked, type Completions, type Term, lastWords, readQuestion, wordsIn } from './question.ts'
import { Stems } from './words/stems.ts'
import { listCompletions, listMeant } from './words/vocabulary.ts'

/** The query as typed, and the query that was finally run. */
export interface Found<Result> {
  result: Result
  terms: readonly Term[]
  node: Node
  /** The lexicons of the query. */
  lexicons: readonly Lexicon[]
  /** Index of the way that found this. The next page continues with it. */
  way: number
}

/**
 * With fewer pages than this, or fewer per space than are shown, pages are added that contain longer words beginning
 * with the last word, unless this many sections contain that word itself.
 */
const enough = 20

/**
 * A sentence contains words that the page it asks for does not. With fewer pages than this, pages that match all words
 * but one are added.
 */
const veryFew = 10

/**
 * Tries one way after the other until something is found, each more generous than the one before: the whole words, the
 * last word as a beginning, corrected words, all words but one. The generous ways cost more and find more that was not
 * meant, so they are only for queries without any match. There are two exceptions. A last word that few pages contain
 * is also searched as a beginning: a reader who types "auth" may be on the way to "authentication", even if some page
 * contains "auth". And if few pages match all words of a sentence, the pages that match all but one follow them.
 */
export async function findFirst<Result extends { count: number; isMuch?: boolean }>(
  db: Database,
  question: { text: string; scope: Scope; lexicons: readonly string[] },
  page: Page,
  find: (sought: Sought, after: Position | undefined) => Promise<Result>,
): Promise<Found<Result> | undefined> {
  const terms = readQuestion(question.text)
  const name = nameLexeme(question.text)
  const lexicons = [...new Set(question.lexicons)].map(lexiconNamed)
  const asked = await Promise.all(
    lexicons.map(async (lexicon) => {
      const stems = await Stems.of(db, lexicon, wordsIn(terms, lexicon))
      return new Asked(terms, lexicon, stems)
    }),
  )
  let listed: Promise<Completions> | undefined
  const completions = () => (listed ??= completionsOf(db, question.scope, terms, lexicons))
  const asking = { db, scope: question.scope, lexicons, asked, completions }
  const [known, ...position] = page.after ?? []
  const tried = new Set<string>()
  let few: Found<Result> | undefined
  for (const [way, nodeOf] of ways.entries()) {
    if (page.after && way !== known) continue
    // The last way is for queries that found few pages, the ways before it for queries that found none.
    if (!page.after && way > unfinishedWay && (few !== undefined) !== (way === besideWay)) continue
    if (few && way === unfinishedWay && (await isWordOfItsOwn(asking))) continue
    if (few && way === besideWay && few.result.count >= veryFew) continue
    const wide = await nodeOf(asking)
    if (!wide || tried.has(queryText(wide))) continue
    tried.add(queryText(wide))
    const words = way === unfinishedWay ? wholeWords(asking) : undefined
    const node = words ? rather(words, wide) : wide
    const result = await find({ node, name }, page.after && position)
    if (result.count === 0) continue
    const found = { result, terms, node, lexicons, way }
    if ((way > unfinishedWay && way !== besideWay) || (result.isMuch ?? result.count >= enough)) return found
    few = found
  }
  return few
}

interface Asking {
  db: Database
  scope: Scope
  lexicons: readonly Lexicon[]
  asked: readonly Asked[]
  completions: () => Promise<Completions>
}

type Way = (asking: Asking) => Promise<Node | undefined>

async function unfinished({ asked, completions }: Asking): Promise<Node | undefined> {
  const all = await completions()
  return any(asked.map((each) => each.unfinished(all)))
}

const wholeWords = ({ asked }: Asking) => any(asked.map((each) => each.words()))

const unfinishedWay = 1
const besideWay = 5

/**
 * A word that many sections contain is the word that was meant, even if few of them contain it together with the other
 * words.
 */
async function isWordOfItsOwn({ db, scope, asked }: Asking): Promise<boolean> {
  const node = any(asked.map((each) => each.lastWord()))
  return node !== undefined && isCommon(db, scope, node, enough)
}

const ways: Way[] = [
  async (asking) => wholeWords(asking),

  async (asking) => unfinished(asking),

  async ({ asked, completions }) => {
    const all = await completions()
    return any(asked.map((each) => each.beginning(all)))
  },

  async ({ db, scope, lexicons, asked }) => {
    const words = new Map<string, string[]>()
    for (const [word, stems] of asked.flatMap((each) => [...each.loose()])) {
      words.set(word, [...(words.get(word) ?? []), ...stems])
    }
    const joined = new Set(asked.flatMap((each) => each.joined()))
    const [meant, there] = await Promise.all([listMeant(db, scope, words), listThere(db, scope, joined)])
    // Splitting words adds lookups, so it is only done for words that are neither known nor misspelt.
    const others = new Map([...words].filter(([word]) => meant.get(word)?.length === 0))
    const apart = await listApart(db, scope, lexicons, others)
    const nodes = new Map(
      Array.from(words.keys(), (word) => [word, [...(meant.get(word) ?? []).map(whole), ...(apart.get(word) ?? [])]]),
    )
    return any(asked.map((each) => each.corrected(nodes, there)))
  },

  async ({ asked }) => any(asked.map((each) => each.most())),

  async (asking) => {
    const [words, most] = [wholeWords(asking), any(asking.asked.map((each) => each.most()))]
    if (!words || !most || asking.asked.some(({ isQuoted }) => isQuoted)) return undefined
    const begun = await unfinished(asking)
    return rankedBy(begun ? rather(words, begun) : words, most)
  },
]

async function completionsOf(
  db: Database,
  { organizationId }: Scope,
  terms: readonly Term[],
  lexicons: readonly Lexicon[],
): Promise<Completions> {
  const { word, joined } = lastWords(terms, lexicons)
  const list = async (starts: string[]) =>
    (await Promise.all(starts.map((start) => listCompletions(db, organizationId, start)))).flat()
  const [words, names] = await Promise.all([list(word), list(joined)])
  return { word: words, joined: names }
}
