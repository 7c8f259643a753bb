import { fold } from './fold.ts'
import type { Lexicon } from './lexicon.ts'
import { type Node, type Step, all, any, beginning, phrase, whole } from './nodes.ts'
import type { Stems } from './stems.ts'
import { type Word, wordsOf } from './words.ts'

const mostTerms = 32
const mostTokens = 64
const shortestBeginning = 3

/** What stands between spaces, or between quotes. */
export interface Term {
  readonly quoted: boolean
  readonly tokens: readonly Token[]
  /** Its words written as one. */
  readonly joined: readonly string[]
  /** The tokens that belong together: one word each, also of a script without spaces. */
  readonly groups: readonly (readonly Token[])[]
}

/** `single`: one character of a script without spaces, which begins a pair. */
export interface Token {
  readonly text: string
  readonly at: number
  readonly kind: 'word' | 'pair' | 'single'
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
    if (row[0]!.kind === 'pair') groups.push(...groupsOf(row.map(({ text, at }) => ({ text, at, kind: 'pair' }))))
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
  const isOne = tokens.every(({ kind }) => kind === 'word') && !quoted
  const joined = isOne ? words.filter(({ kind, at }) => kind === 'joined' && at === 1).map((word) => word.text) : []
  return { quoted, tokens, joined, groups }
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
  return groups.length > 0 ? groups : [row.length === 1 ? [{ ...row[0]!, kind: 'single' }] : row.slice(0, -1)]
}

/** The words whose stems are needed to ask it. */
export function wordsIn(terms: readonly Term[], lexicon: Lexicon): string[] {
  return terms.flatMap(({ tokens, joined }) => [
    ...joined,
    ...tokens.flatMap(({ kind, text }) => (kind === 'word' ? spellings(text, lexicon) : [])),
  ])
}

/** The last word of a question, which may be unfinished. */
export function lastWord(terms: readonly Term[]): string | undefined {
  const last = terms.at(-1)
  const token = last?.tokens.at(-1)
  if (!token || last!.quoted || token.kind !== 'word') return undefined
  const word = fold(token.text)
  return word.length >= shortestBeginning ? word : undefined
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
    return all(this.#terms.map((term) => this.#exact(term))) ?? this.#stopWords()
  }

  /** The last word as the beginning of one of these. */
  beginning(completions: readonly Node[]): Node | undefined {
    if (completions.length === 0) return undefined
    const isLast = (term: Term, token: Token) => term === this.#terms.at(-1) && token === term.groups.at(-1)![0]
    return all(
      this.#terms.map((term) =>
        this.#loose(term, (token) =>
          isLast(term, token) ? any([this.#word(token), ...completions]) : this.#word(token),
        ),
      ),
    )
  }

  /** Each word, or one of those that it may have been meant for. */
  corrected(meant: ReadonlyMap<string, readonly string[]>): Node | undefined {
    return all(
      this.#terms.map((term) =>
        this.#loose(term, (token) => {
          const own = this.#word(token)
          return own && any([own, ...(meant.get(fold(token.text)) ?? []).map(whole)])
        }),
      ),
    )
  }

  /** All but one: a sentence that somebody asks has a word too many. */
  most(): Node | undefined {
    const nodes = this.#terms.flatMap((term) => this.#loose(term, (token) => this.#word(token)) ?? [])
    if (nodes.length < 3 || nodes.length > 8) return undefined
    return any(nodes.map((left) => all(nodes.filter((node) => node !== left))))
  }

  #exact({ tokens, joined }: Term): Node | undefined {
    return any([this.#inOrder(tokens), ...joined.flatMap((word) => this.#stems.lexemes(word).map(whole))])
  }

  #inOrder(tokens: readonly Token[]): Node | undefined {
    let before: number | undefined
    const steps = tokens.flatMap((token): Step[] => {
      const node = this.#word(token)
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
    return all(term.groups.map((group) => (group[0]!.kind === 'word' ? nodeOf(group[0]!) : this.#inOrder(group))))
  }

  #word({ kind, text }: Token): Node | undefined {
    if (kind === 'single') return beginning(text)
    if (kind === 'pair') return whole(text)
    if (this.#stems.lexemes(text).length === 0) return undefined
    return any(spellings(text, this.#lexicon).flatMap((word) => this.#stems.lexemes(word).map(whole)))
  }

  /** Titles and headings have them, so that a question of nothing else still finds something. */
  #stopWords(): Node | undefined {
    const words = this.#terms.flatMap(({ tokens }) => tokens.map(({ text }) => fold(text)))
    return all(words.filter(Boolean).map(whole))
  }
}

/** In German ä is also written ae, by whoever has no key for it. */
function spellings(word: string, { dictionaries }: Lexicon): string[] {
  if (dictionaries.latin !== 'german_stem') return [word]
  const long = word.replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter]!)
  const short = word.replace(/(?<![aeq])[aou]e/g, (pair) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[pair]!)
  return [...new Set([word, long, short])]
}
