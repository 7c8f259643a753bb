import { writeDay } from '../../days.ts'
import { arabic } from './arabic.ts'
import { chinese } from './chinese.ts'
import { dutch } from './dutch.ts'
import { type Words, english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { hebrew } from './hebrew.ts'
import { italian } from './italian.ts'
import { japanese } from './japanese.ts'
import { korean } from './korean.ts'
import { polish } from './polish.ts'
import { portuguese } from './portuguese.ts'
import { russian } from './russian.ts'
import { spanish } from './spanish.ts'
import { traditionalChinese } from './traditional-chinese.ts'

export type { Words }

const languages: Record<string, Words> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  he: hebrew,
  it: italian,
  ja: japanese,
  ko: korean,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  ru: russian,
  zh: chinese,
  'zh-tw': traditionalChinese,
}

/** Returns the words for a page in this language (`pt-BR` is `pt` here). Falls back to English. */
export const wordsFor = (language: string): Words => languages[knownLanguage(language)]!

/** Returns the name under which a language is listed here. */
export const knownLanguage = (language: string): string => (hasWords(language) ? nameOf(language) : 'en')

export const hasWords = (language: string): boolean => Object.hasOwn(languages, nameOf(language))

/** Chinese in traditional characters is treated as a language of its own. */
const nameOf = (language: string) => (/^zh-(?:hant|tw|hk|mo)\b/i.test(language) ? 'zh-tw' : primaryOf(language))

const primaryOf = (language: string) => language.toLowerCase().split('-')[0]!

/** Fills a value into a text that has a place for it. */
export const fill = (word: string, value: string | number): string => word.replace('{}', () => String(value))

/** Returns the parts of a text before and after its placeholder, for values that are not plain text. */
export function around(word: string): [before: string, behind: string] {
  const [before = '', behind = ''] = word.split('{}')
  return [before, behind]
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'sd', 'ug', 'ckb', 'dv'])

export const directionOf = (language: string): 'rtl' | 'ltr' => (rightToLeft.has(primaryOf(language)) ? 'rtl' : 'ltr')

/** Writes a date the way readers of this language do. */
export function dayIn(language: string, date: Date, month: 'long' | 'short'): string {
  return writeDay(date, languageOf(language), { day: 'numeric', month, year: 'numeric' })
}

function languageOf(language: string): string {
  try {
    const [known = 'en-GB'] = Intl.DateTimeFormat.supportedLocalesOf(language)
    return known === 'en' ? 'en-GB' : known
  } catch {
    return 'en-GB'
  }
}
