import type { languages } from '../../spaces/languages.ts'

/** A PostgreSQL dictionary with the stems and stop words of a language. `simple` has neither. */
export type Dictionary =
  | 'simple'
  | `${'arabic' | 'danish' | 'dutch' | 'english' | 'finnish' | 'french' | 'german' | 'greek' | 'hindi' | 'hungarian'}_stem`
  | `${'indonesian' | 'italian' | 'lithuanian' | 'norwegian' | 'portuguese' | 'romanian' | 'russian' | 'spanish'}_stem`
  | `${'swedish' | 'turkish'}_stem`

type Script = 'latin' | 'cyrillic' | 'greek' | 'arabic' | 'devanagari' | 'other'

/** The dictionary for the words of each script. */
export interface Lexicon {
  /** Two lexicons with the same name are the same. */
  readonly name: string
  readonly dictionaries: Readonly<Record<Script, Dictionary>>
}

/** Pages are rarely in a single language: English in a Russian page has English stems, and the other way round. */
const usual: Record<Script, Dictionary> = {
  latin: 'english_stem',
  cyrillic: 'russian_stem',
  greek: 'greek_stem',
  arabic: 'arabic_stem',
  devanagari: 'hindi_stem',
  other: 'simple',
}

type Language = (typeof languages)[number]

/**
 * The dictionaries that differ from the usual ones, by language. Languages that are missing here, and spaces without a
 * language, use the usual ones.
 */
const own: { [Each in Language]?: Partial<Record<Script, Dictionary>> } = {
  fr: { latin: 'french_stem' },
  de: { latin: 'german_stem' },
  es: { latin: 'spanish_stem' },
  it: { latin: 'italian_stem' },
  pt: { latin: 'portuguese_stem' },
  'pt-br': { latin: 'portuguese_stem' },
  nl: { latin: 'dutch_stem' },
  pl: { latin: 'simple' },
  tr: { latin: 'turkish_stem' },
  sv: { latin: 'swedish_stem' },
  no: { latin: 'norwegian_stem' },
  da: { latin: 'danish_stem' },
  fi: { latin: 'finnish_stem' },
  cs: { latin: 'simple' },
  hu: { latin: 'hungarian_stem' },
  ro: { latin: 'romanian_stem' },
  vi: { latin: 'simple' },
  id: { latin: 'indonesian_stem' },
  ms: { latin: 'simple' },
  uk: { cyrillic: 'simple' },
  sk: { latin: 'simple' },
  bg: { cyrillic: 'simple' },
  hr: { latin: 'simple' },
  lt: { latin: 'lithuanian_stem' },
  lv: { latin: 'simple' },
  et: { latin: 'simple' },
  sl: { latin: 'simple' },
}

export function lexiconOf(language: string | null): Lexicon {
  const dictionaries = { ...usual, ...own[(language ?? 'en') as Language] }
  const name = `${dictionaries.latin} ${dictionaries.cyrillic}`
  return { name, dictionaries }
}

/** Returns the lexicon with this name. */
export function lexiconNamed(name: string): Lexicon {
  const [latin, cyrillic] = name.split(' ') as [Dictionary, Dictionary]
  return { name, dictionaries: { ...usual, latin, cyrillic } }
}

export function dictionaryFor({ dictionaries }: Lexicon, word: string): Dictionary {
  // A word that contains digits is a name or a number and has no stem.
  if (/\d/.test(word)) return 'simple'
  return dictionaries[scriptOf(word)]
}

function scriptOf(word: string): Script {
  if (word.charCodeAt(0) < 0x80) return 'latin'
  return patterns.find(([, pattern]) => pattern.test(word))?.[0] ?? 'other'
}

const patterns: [Script, RegExp][] = [
  ['latin', /^\p{Script=Latin}/u],
  ['cyrillic', /^\p{Script=Cyrillic}/u],
  ['greek', /^\p{Script=Greek}/u],
  ['arabic', /^\p{Script=Arabic}/u],
  ['devanagari', /^\p{Script=Devanagari}/u],
]
