import { asText } from './words.ts'

/** How wide the text of a sheet is, in points, with something to spare: widths of letters are only estimated here. */
const room = 440

/** As in the template: the sizes of titles by their depth. */
const sizes = [22, 19, 17, 16, 15, 15] as const
const coverSize = 34

export interface FittedTitle {
  title: string
  /** What its size is multiplied with. */
  scale: number
}

export const fitCover = (title: string) => fit(title, coverSize)

export const fitTitle = (title: string, depth: number) => fit(title, sizes[depth - 1] ?? sizes[0])

/** Words that are too long for any line are broken; those that are only too wide at this size are set smaller. */
function fit(given: string, size: number): FittedTitle {
  const title = asText(given)
  const widest = title.split(/[\s\u200b-]+/u).reduce((most, word) => Math.max(most, widthOf(word)), 0)
  return { title, scale: Math.min(1, room / (widest * size || 1)) }
}

/** In ems, as bold letters are; signs that may stand at the end of any line count as none. */
function widthOf(word: string): number {
  let width = 0
  for (const letter of word) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter)) return 0
    width += /[WMmw@%\u2014]/u.test(letter) ? 0.95 : /\p{Lu}/u.test(letter) ? 0.76 : 0.56
  }
  return width
}
