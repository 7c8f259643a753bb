import { hash, hashWord } from '../../content/hash.ts'
import { simplify } from './chinese.ts'
import { fold } from './fold.ts'
import { apostrophes } from './words.ts'

/**
 * What a page is called, as one lexeme beside those of its words: who types just that wants that page, whatever else
 * its words and their stems are found in. A number with a mark that is in no word.
 */
export function nameLexeme(text: string): string {
  const name = simplify(fold(text.normalize('NFKC').toLowerCase()))
    .replace(/["“”„‟«»]/g, '')
    .replace(apostrophes, "'")
    .replaceAll("'", '')
    .replace(/\s+/g, ' ')
    .trim()
  return `=${hashWord(hash(name))}`
}
