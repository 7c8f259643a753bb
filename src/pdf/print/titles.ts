import { asText } from './words.ts'

/** The width of the text on a sheet in points, with some margin: widths of letters are only estimated here. */
const room = 440

/** The sizes of titles by their depth, the same as in the template. */
const sizes = [22, 19, 17, 16, 15, 15] as const
const coverSize = 34

export interface FittedTitle {
  title: string
  /** The factor to multiply the size by. */
  scale: number
}

export const fitCover = (title: string) => fit(title, coverSize)

export const fitTitle = (title: string, depth: number) => fit(title, sizes[depth - 1] ?? sizes[0])

/** Breaks words that are too long for any line. Words that are only too wide at this size make the title smaller. */
function fit(given: string, size: number): FittedTitle {
  const title = asText(given)
  const widest = title.split(/[\s\u200b-]+/u).reduce((most, word) => Math.max(most, widthOf(word)), 0)
  return { title, scale: Math.min(1, room / (widest * size || 1)) }
}

/** The width in ems, for bold letters. A word in a script where a line may end after any character counts as 0. */
function widthOf(word: string): number {
  let width = 0
  for (const letter of word) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter)) return 0
    width += /[WMmw@%\u2014]/u.test(letter) ? 0.95 : /\p{Lu}/u.test(letter) ? 0.76 : 0.56
  }
  return width
}
