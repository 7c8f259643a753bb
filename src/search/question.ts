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

/** What stands between spaces, or between quotes. */
export interface Term {
  readonly quoted: boolean
  readonly tokens: readonly Token[]
  /** Its words written as one. */
  readonly joined: readonly string[]
  /** It is nothing but an option of a command line (`--resolve`). */
  readonly option?: string
  /** The first of its words is what is left of one before a vowel (`l'installation`): it may be missing. */
  readonly elided: boolean
  /** It is one word with an apostrophe in it (`don't`). */
  readonly contracted: boolean
  /** The tokens that belong together: one word each, also of a script without spaces. */
  readonly groups: readonly (readonly Token[])[]
}

/** `single`: one character of a script without spaces, which begins a pair. */
export interface Token {
  readonly text: string
  readonly at: number
  readonly kind: 'word' | 'pair' | 'single'
  readonly written?: string
}

/** Any text is a question: what is no word says nothing. */
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
    // The last one of a row stands in the pair before it.
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

/** Pairs that follow each other, and every other word by itself. */
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

/** Made when first needed: it reads large tables. */
let segmenter: Intl.Segmenter | undefined

/** The words of a row of pairs. Single characters are particles, for the most part: they count where there is no more. */
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
  // What is written in these letters alone are endings and the like, for the most part.
  const telling = groups.filter((group) => !/^\p{Script=Hiragana}+$/u.test(textOf(group)))
  if (telling.length > 0) return telling
  return groups.length > 0 ? groups : [row.length === 1 ? [{ ...row[0]!, kind: 'single' }] : row.slice(0, -1)]
}

/** What pairs that follow each other are of. */
const textOf = (pairs: readonly Token[]) => pairs.map(({ text }, i) => (i === 0 ? text : [...text][1])).join('')

/** The words whose stems are needed to ask it. */
export function wordsIn(terms: readonly Term[], lexicon: Lexicon): string[] {
  return [
    ...terms.flatMap(({ tokens, joined }) => [
      ...joined,
      ...tokens.flatMap(({ kind, text }) => (kind === 'word' ? spellings(text, lexicon) : [])),
    ]),
    ...neighbours(terms).map(({ text }) => text),
  ]
}

/** Every two words that follow each other, written as one. Of a sentence that would be too many ways to ask it. */
function neighbours(terms: readonly Term[]): { at: number; text: string }[] {
  if (terms.length > mostJoined) return []
  const wordOf = (term?: Term) =>
    term && !term.quoted && term.tokens.length === 1 && term.tokens[0]!.kind === 'word' ? term.tokens[0]!.text : ''
  return terms
    .map((term, at) => ({ at, first: wordOf(term), second: wordOf(terms[at + 1]) }))
    .filter(({ first, second }) => first !== '' && second !== '')
    .map(({ at, first, second }) => ({ at, text: first + second }))
}

/** A letter with its signs (`C++`): it is another word than the letter, and whoever typed them is done with it. */
const isSigned = ({ tokens, joined }: Term) => tokens.length === 1 && joined.length > 0

/**
 * The last word of a question, which may be unfinished; and, of a name of several words, these written as one. Each in all
 * its spellings.
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

/** What the last words go on as. */
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

  /** The words that may be misspelt, and their stems. What is quoted is meant. */
  loose(): Map<string, readonly string[]> {
    const loose = this.#terms.filter(({ quoted }) => !quoted).flatMap(({ tokens }) => tokens)
    const words = loose.filter(({ kind }) => kind === 'word').map(({ text }) => text)
    return new Map(words.map((word) => [fold(word), this.#stems.lexemes(word)]))
  }

  /** All its words, whole, and those of a term in their order. */
  words(): Node | undefined {
    const words = all(this.#terms.map((term) => this.#exact(term)))
    const verbatim = words && this.#verbatim()
    if (verbatim) return { any: [words], verbatim }
    return words ?? this.#contractions() ?? this.#stopWords()
  }

  /** All of a sentence as it was typed, which is what an error message is. Two words are near each other anyway. */
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

  /** Nothing but the last word, whole. */
  lastWord(): Node | undefined {
    const token = this.#terms.at(-1)?.tokens.at(-1)
    return token && this.#word(token)
  }

  /** All its words, the last one as the beginning of one of these. */
  unfinished({ word, joined }: Completions): Node | undefined {
    if (word.length + joined.length === 0) return undefined
    const last = this.#terms.at(-1)!
    const goesOn = (token: Token) => any([this.#word(token), ...(token === last.tokens.at(-1) ? word : [])])
    const elided = last.elided ? this.#inOrder(last.tokens.slice(1), goesOn) : undefined
    const ending = any([this.#exact(last), this.#inOrder(last.tokens, goesOn), elided, ...joined])
    return all([...this.#terms.slice(0, -1).map((term) => this.#exact(term)), ending])
  }

  /** The last word as the beginning of one of these, and those of a term in any order. */
  beginning({ word }: Completions): Node | undefined {
    if (word.length === 0) return undefined
    const isLast = (term: Term, token: Token) => term === this.#terms.at(-1) && token === term.groups.at(-1)![0]
    return all(
      this.#terms.map((term) =>
        this.#loose(term, (token) => (isLast(term, token) ? any([this.#word(token), ...word]) : this.#word(token))),
      ),
    )
  }

  /** What every two words that follow each other would be found by, written as one. */
  joined(): string[] {
    return neighbours(this.#terms).flatMap(({ text }) => this.#stems.lexemes(text))
  }

  /** Each word, or one of those that it may have been meant for; or two of them as one, where that is `there`. */
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

  /** Whether something is quoted, which nobody wants to miss. */
  get isQuoted(): boolean {
    return this.#terms.some(({ quoted }) => quoted)
  }

  /** All but one: a sentence that somebody asks has a word too many. */
  most(): Node | undefined {
    const nodes = this.#terms.flatMap((term) => {
      // Where there are no spaces, a sentence is one term.
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
    // Of stop words alone, it says nothing beside others; `to-do` is a name.
    if (!inOrder && term.contracted) return undefined
    const elided = term.elided ? this.#inOrder(tokens.slice(1)) : undefined
    const wide = any([inOrder, elided, this.#otherVersion(tokens), ...this.#asOne(joined)])
    const exact = term.contracted || term.elided ? undefined : this.#asWritten(term)
    // What has a title of one letter is about the letter.
    if (term.option?.length === 2) return exact
    return exact && wide ? exactly(exact, any([exact, wide])!) : (exact ?? wide)
  }

  /** An option with its dashes; and a name with words that say nothing by themselves (`NO_PROXY`). */
  #asWritten({ option, joined, tokens }: Term): Node | undefined {
    if (option !== undefined) return whole(option)
    const isWanting = tokens.some(({ kind, text }) => kind === 'word' && this.#stems.lexemes(text).length === 0)
    return isWanting ? any(this.#asOne(joined)) : undefined
  }

  #asOne(joined: readonly string[]): Node[] {
    return joined.flatMap((word) => this.#stems.lexemes(word).map(whole))
  }

  /** `don't` is nothing but stop words, and yet a word that somebody may look for. */
  #contractions(): Node | undefined {
    return all(this.#terms.map(({ joined }) => any(this.#asOne(joined))))
  }

  /** `v1.2.3` is written `1.2.3` as well. */
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

  /** Its words in any order, each as `nodeOf` says. What is quoted stays as it is. */
  #loose(term: Term, nodeOf: (token: Token) => Node | undefined): Node | undefined {
    if (term.quoted) return this.#exact(term)
    return all(term.groups.map((group) => (group[0]!.kind === 'word' ? nodeOf(group[0]!) : this.#unspaced(group))))
  }

  /** A word of a script without spaces; in Korean also without what says which part it plays. */
  #unspaced(group: readonly Token[]): Node | undefined {
    const [particle = ''] = koreanParticle.exec(textOf(group)) ?? []
    return any([this.#inOrder(group), particle === '' ? undefined : this.#inOrder(group.slice(0, -particle.length))])
  }

  #word({ kind, text, written }: Token): Node | undefined {
    // Rows from before there was one way to index both are found as they were written, until they are indexed anew.
    const forms = written === undefined ? [text] : [text, written]
    if (kind === 'single') return any(forms.map(beginning))
    if (kind === 'pair') return any(forms.map(whole))
    if (this.#stems.lexemes(text).length === 0) return undefined
    return any(spellings(text, this.#lexicon).flatMap((word) => this.#stems.lexemes(word).map(whole)))
  }

  /** Titles and headings have them, so that a question of nothing else still finds something. */
  #stopWords(): Node | undefined {
    const words = this.#terms.flatMap(({ tokens }) => tokens.map(({ text }) => fold(text)))
    return all(words.filter(Boolean).map(whole))
  }
}

/** Behind a word of two characters or more. */
const koreanParticle =
  /(?<=\p{Script=Hangul}{2})(?:에서는|으로는|에서|에게|으로|까지|부터|에는|처럼|보다|은|는|이|가|을|를|에|의|도|와|과|로|만)$/u

/** In German ä is also written ae, by whoever has no key for it. */
function spellings(word: string, { dictionaries }: Lexicon): string[] {
  if (dictionaries.latin !== 'german_stem') return [word]
  const long = word.replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter]!)
  const short = word.replace(/(?<![aeq])[aou]e/g, (pair) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[pair]!)
  return [...new Set([word, long, short])]
}
