import { fold } from './words/fold.ts'
import type { Lexicon } from './words/lexicon.ts'
import { type Node, type Step, all, any, beginning, exactly, phrase, whole } from './nodes.ts'
import type { Stems } from './words/stems.ts'
import { type Word, apostrophes, elision, wordsOf } from './words/words.ts'

const mostTerms = 32
const mostTokens = 64
const shortestBeginning = 3
const mostJoined = 4
const fewestVerbatim = 3

/** The text between spaces or between quotes. */
export interface Term {
  readonly quoted: boolean
  readonly tokens: readonly Token[]
  /** Its words written as one. */
  readonly joined: readonly string[]
  /** Set if the term is nothing but a command-line option (`--resolve`). */
  readonly option?: string
  /** The first word is an elided one before a vowel (`l'installation`): pages may lack it. */
  readonly elided: boolean
  /** It is one word with an apostrophe in it (`don't`). */
  readonly contracted: boolean
  /** The tokens grouped by word, also in a script without spaces. */
  readonly groups: readonly (readonly Token[])[]
}

/** `single`: one character of a script without spaces, which is matched as the beginning of a pair. */
export interface Token {
  readonly text: string
  readonly at: number
  readonly kind: 'word' | 'pair' | 'single'
  readonly written?: string
}

/** Any text is a valid query. Anything that is not a word is ignored. */
export function readQuestion(question: string): Term[] {
  const chunks = question.replace(/[“”„‟«»＂]/g, '"').matchAll(/"([^"]*)"|[^\s"]+/g)
  return [...chunks]
    .map(([chunk, quoted]) => readTerm(quoted ?? chunk, quoted !== undefined))
    .filter(({ tokens }) => tokens.length > 0)
    .slice(0, mostTerms)
}

function readTerm(text: string, quoted: boolean): Term {
  const words = wordsOf(text).slice(0, mostTokens)
  const groups: Token[][] = []
  for (const row of rowsIn(words)) {
    if (row[0]!.kind === 'pair') groups.push(...groupsOf(row.map((word) => ({ ...word, kind: 'pair' }))))
    else if (row[0]!.kind === 'word') groups.push([{ ...row[0]!, kind: 'word' }])
  }
  const tokens = words.flatMap((word, i): Token[] => {
    if (word.kind === 'word') return [{ ...word, kind: 'word' }]
    if (word.kind !== 'pair') return []
    if ([...word.text].length > 1) return [{ ...word, kind: 'pair' }]
    // The last character of a row is already part of the pair before it.
    const isLast = words[i - 1]?.kind === 'pair' && words[i - 1]!.text.endsWith(word.text)
    return isLast ? [] : [{ ...word, kind: 'single' }]
  })
  const isOne = tokens.every(({ kind }) => kind === 'word') && (!quoted || tokens.length === 1)
  const joined = isOne ? words.filter(({ kind, at }) => kind === 'joined' && at === 1).map((word) => word.text) : []
  const option = isOne ? words.find(({ kind, at }) => kind === 'option' && at === 1)?.text : undefined
  const plainly = text.replace(apostrophes, "'")
  const elided = !quoted && tokens.length > 1 && elision.test(plainly)
  return { quoted, tokens, joined, option, elided, contracted: isOne && plainly.includes("'"), groups }
}

/** Groups consecutive pairs. Every other word forms a row of its own. */
function rowsIn(words: readonly Word[]): Word[][] {
  const rows: Word[][] = []
  for (const word of words) {
    const last = rows.at(-1)?.at(-1)
    const goesOn = word.kind === 'pair' && last?.kind === 'pair' && [...last.text].length > 1
    if (goesOn) rows.at(-1)!.push(word)
    else rows.push([word])
  }
  return rows
}

/** Created on first use, because it loads large tables. */
let segmenter: Intl.Segmenter | undefined

/** Splits a row of pairs into words. Single characters are mostly particles and count only if there is nothing else. */
function groupsOf(row: Token[]): Token[][] {
  const characters = row.map(({ text }) => [...text][0]!)
  const groups: Token[][] = []
  let from = 0
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  for (const { segment } of segmenter.segment(characters.join(''))) {
    const to = from + [...segment].length
    if (to - from > 1) groups.push(row.slice(from, to - 1))
    from = to
  }
  // Groups written in Hiragana alone are mostly endings and the like.
  const telling = groups.filter((group) => !/^\p{Script=Hiragana}+$/u.test(textOf(group)))
  if (telling.length > 0) return telling
  return groups.length > 0 ? groups : [row.length === 1 ? [{ ...row[0]!, kind: 'single' }] : row.slice(0, -1)]
}

/** Restores the text from consecutive pairs. */
const textOf = (pairs: readonly Token[]) => pairs.map(({ text }, i) => (i === 0 ? text : [...text][1])).join('')

/** Lists the words whose stems the query needs. */
export function wordsIn(terms: readonly Term[], lexicon: Lexicon): string[] {
  return [
    ...terms.flatMap(({ tokens, joined }) => [
      ...joined,
      ...tokens.flatMap(({ kind, text }) => (kind === 'word' ? spellings(text, lexicon) : [])),
    ]),
    ...neighbours(terms).map(({ text }) => text),
  ]
}

/** Every two consecutive words, written as one. Empty for long queries, which would have too many alternatives. */
function neighbours(terms: readonly Term[]): { at: number; text: string }[] {
  if (terms.length > mostJoined) return []
  const wordOf = (term?: Term) =>
    term && !term.quoted && term.tokens.length === 1 && term.tokens[0]!.kind === 'word' ? term.tokens[0]!.text : ''
  return terms
    .map((term, at) => ({ at, first: wordOf(term), second: wordOf(terms[at + 1]) }))
    .filter(({ first, second }) => first !== '' && second !== '')
    .map(({ at, first, second }) => ({ at, text: first + second }))
}

/** A letter with its signs (`C++`). It is a different word than the letter, and it is complete. */
const isSigned = ({ tokens, joined }: Term) => tokens.length === 1 && joined.length > 0

/**
 * Returns the last word of a query, which may be unfinished, and, for a name of several words, these written as one.
 * Each in all its spellings.
 */
export function lastWords(terms: readonly Term[], lexicons: readonly Lexicon[]): Record<keyof Completions, string[]> {
  const last = terms.at(-1)
  const token = last?.tokens.at(-1)
  if (!token || last!.quoted || token.kind !== 'word' || isSigned(last!)) return { word: [], joined: [] }
  const beginnings = (word = '') => {
    const folded = lexicons.flatMap((lexicon) => spellings(word, lexicon).map(fold))
    return [...new Set(folded)].filter(({ length }) => length >= shortestBeginning)
  }
  return { word: beginnings(token.text), joined: beginnings(last!.joined[0]) }
}

/** The completions of the last words. */
export interface Completions {
  word: readonly Node[]
  joined: readonly Node[]
}

/** A question in the words of one lexicon. */
export class Asked {
  readonly #terms: readonly Term[]
  readonly #stems: Stems
  readonly #lexicon: Lexicon

  constructor(terms: readonly Term[], lexicon: Lexicon, stems: Stems) {
    this.#terms = terms
    this.#lexicon = lexicon
    this.#stems = stems
  }

  /** The words that may be misspelt, with their stems. Quoted words are taken as written. */
  loose(): Map<string, readonly string[]> {
    const loose = this.#terms.filter(({ quoted }) => !quoted).flatMap(({ tokens }) => tokens)
    const words = loose.filter(({ kind }) => kind === 'word').map(({ text }) => text)
    return new Map(words.map((word) => [fold(word), this.#stems.lexemes(word)]))
  }

  /** All words of the query, complete, with the words of each term in their order. */
  words(): Node | undefined {
    const words = all(this.#terms.map((term) => this.#exact(term)))
    const verbatim = words && this.#verbatim()
    if (verbatim) return { any: [words], verbatim }
    return words ?? this.#contractions() ?? this.#stopWords()
  }

  /**
   * All words of a sentence in the order they were typed, as needed for error messages. Not for two words, whose
   * distance is ranked anyway.
   */
  #verbatim(): Node | undefined {
    if (this.#terms.some(({ quoted, tokens }) => quoted || tokens.some(({ kind }) => kind !== 'word'))) return undefined
    let before = 0
    const tokens = this.#terms.flatMap((term) => {
      const own = term.tokens.map((token) => ({ ...token, at: before + token.at }))
      before = own.at(-1)!.at
      return own
    })
    const node = this.#inOrder(tokens)
    return node && 'phrase' in node && node.phrase.length >= fewestVerbatim ? node : undefined
  }

  /** Only the last word, complete. */
  lastWord(): Node | undefined {
    const token = this.#terms.at(-1)?.tokens.at(-1)
    return token && this.#word(token)
  }

  /** All words of the query, the last one as the beginning of one of the completions. */
  unfinished({ word, joined }: Completions): Node | undefined {
    if (word.length + joined.length === 0) return undefined
    const last = this.#terms.at(-1)!
    const goesOn = (token: Token) => any([this.#word(token), ...(token === last.tokens.at(-1) ? word : [])])
    const elided = last.elided ? this.#inOrder(last.tokens.slice(1), goesOn) : undefined
    const ending = any([this.#exact(last), this.#inOrder(last.tokens, goesOn), elided, ...joined])
    return all([...this.#terms.slice(0, -1).map((term) => this.#exact(term)), ending])
  }

  /**
   * All words of the query in any order within their terms, the last one as the beginning of one of the completions.
   */
  beginning({ word }: Completions): Node | undefined {
    if (word.length === 0) return undefined
    const isLast = (term: Term, token: Token) => term === this.#terms.at(-1) && token === term.groups.at(-1)![0]
    return all(
      this.#terms.map((term) =>
        this.#loose(term, (token) => (isLast(term, token) ? any([this.#word(token), ...word]) : this.#word(token))),
      ),
    )
  }

  /** The lexemes of every two consecutive words, written as one. */
  joined(): string[] {
    return neighbours(this.#terms).flatMap(({ text }) => this.#stems.lexemes(text))
  }

  /** Each word or one of its corrections. Also two words as one, if that is in `there`. */
  corrected(meant: ReadonlyMap<string, readonly Node[]>, there: ReadonlySet<string>): Node | undefined {
    const nodes = this.#terms.map((term) =>
      this.#loose(term, (token) => {
        const own = this.#word(token)
        return own && any([own, ...(meant.get(fold(token.text)) ?? [])])
      }),
    )
    const asOne = neighbours(this.#terms).map(({ at, text }) => {
      const lexemes = this.#stems.lexemes(text).filter((lexeme) => there.has(lexeme))
      const node = any(lexemes.map(whole))
      return node && all([...nodes.slice(0, at), node, ...nodes.slice(at + 2)])
    })
    return any([all(nodes), ...asOne])
  }

  /** Whether any term is quoted. Quoted terms must not be left out. */
  get isQuoted(): boolean {
    return this.#terms.some(({ quoted }) => quoted)
  }

  /** All words but one, since a question in a whole sentence often has one word too many. */
  most(): Node | undefined {
    const nodes = this.#terms.flatMap((term) => {
      // In a script without spaces, a whole sentence is one term.
      const isSentence = !term.quoted && term.groups.every(([first]) => first!.kind !== 'word')
      if (isSentence) return term.groups.map((group) => this.#unspaced(group)).filter((node) => node !== undefined)
      return this.#loose(term, (token) => this.#word(token)) ?? []
    })
    if (nodes.length < 3 || nodes.length > 8) return undefined
    const some = nodes.flatMap((left) => all(nodes.filter((node) => node !== left)) ?? [])
    return { any: some, isAlike: true }
  }

  #exact(term: Term): Node | undefined {
    const { tokens, joined } = term
    if (isSigned(term)) return any(this.#asOne(joined))
    const inOrder = this.#inOrder(tokens)
    // A contraction of stop words alone adds nothing beside other words. `to-do` is a name.
    if (!inOrder && term.contracted) return undefined
    const elided = term.elided ? this.#inOrder(tokens.slice(1)) : undefined
    const wide = any([inOrder, elided, this.#otherVersion(tokens), ...this.#asOne(joined)])
    const exact = term.contracted || term.elided ? undefined : this.#asWritten(term)
    // A page whose title is one letter is about that letter, so an option such as `-k` is only searched as written.
    if (term.option?.length === 2) return exact
    return exact && wide ? exactly(exact, any([exact, wide])!) : (exact ?? wide)
  }

  /** The term as one lexeme: an option with its dashes, or a name that contains stop words (`NO_PROXY`). */
  #asWritten({ option, joined, tokens }: Term): Node | undefined {
    if (option !== undefined) return whole(option)
    const isWanting = tokens.some(({ kind, text }) => kind === 'word' && this.#stems.lexemes(text).length === 0)
    return isWanting ? any(this.#asOne(joined)) : undefined
  }

  #asOne(joined: readonly string[]): Node[] {
    return joined.flatMap((word) => this.#stems.lexemes(word).map(whole))
  }

  /** `don't` consists of stop words only, but people may still search for it. */
  #contractions(): Node | undefined {
    return all(this.#terms.map(({ joined }) => any(this.#asOne(joined))))
  }

  /** `v1.2.3` is also written `1.2.3`. */
  #otherVersion(tokens: readonly Token[]): Node | undefined {
    const isVersion = tokens.length > 1 && tokens.every(({ text }, i) => (i === 0 ? /^v?\d+$/ : /^\d/).test(text))
    if (!isVersion) return undefined
    const [{ text: first }] = tokens as [Token]
    const other = whole(first.startsWith('v') ? first.slice(1) : `v${first}`)
    return this.#inOrder(tokens, (token) => (token === tokens[0] ? other : this.#word(token)))
  }

  #inOrder(tokens: readonly Token[], nodeOf = (token: Token) => this.#word(token)): Node | undefined {
    let before: number | undefined
    const steps = tokens.flatMap((token): Step[] => {
      const node = nodeOf(token)
      if (!node) return []
      const step = { node, behind: token.at - (before ?? token.at) }
      before = token.at
      return [step]
    })
    return phrase(steps)
  }

  /** The words of the term in any order, each as returned by `nodeOf`. Quoted terms stay as they are. */
  #loose(term: Term, nodeOf: (token: Token) => Node | undefined): Node | undefined {
    if (term.quoted) return this.#exact(term)
    return all(term.groups.map((group) => (group[0]!.kind === 'word' ? nodeOf(group[0]!) : this.#unspaced(group))))
  }

  /** A word of a script without spaces. In Korean, also without its particle. */
  #unspaced(group: readonly Token[]): Node | undefined {
    const [particle = ''] = koreanParticle.exec(textOf(group)) ?? []
    return any([this.#inOrder(group), particle === '' ? undefined : this.#inOrder(group.slice(0, -particle.length))])
  }

  #word({ kind, text, written }: Token): Node | undefined {
    // Rows that were indexed before both ways of writing were unified are found as written, until they are reindexed.
    const forms = written === undefined ? [text] : [text, written]
    if (kind === 'single') return any(forms.map(beginning))
    if (kind === 'pair') return any(forms.map(whole))
    if (this.#stems.lexemes(text).length === 0) return undefined
    return any(spellings(text, this.#lexicon).flatMap((word) => this.#stems.lexemes(word).map(whole)))
  }

  /**
   * Titles and headings are indexed with their stop words, so that a query of stop words alone still finds something.
   */
  #stopWords(): Node | undefined {
    const words = this.#terms.flatMap(({ tokens }) => tokens.map(({ text }) => fold(text)))
    return all(words.filter(Boolean).map(whole))
  }
}

/** A particle at the end of a word, which must have at least two characters before it. */
const koreanParticle =
  /(?<=\p{Script=Hangul}{2})(?:에서는|으로는|에서|에게|으로|까지|부터|에는|처럼|보다|은|는|이|가|을|를|에|의|도|와|과|로|만)$/u

/** In German, people without a key for ä type ae. */
function spellings(word: string, { dictionaries }: Lexicon): string[] {
  if (dictionaries.latin !== 'german_stem') return [word]
  const long = word.replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter]!)
  const short = word.replace(/(?<![aeq])[aou]e/g, (pair) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[pair]!)
  return [...new Set([word, long, short])]
}
