import { hash, hashWord } from '../../content/hash.ts'
import { simplify } from './chinese.ts'
import { fold } from './fold.ts'
import { apostrophes } from './words.ts'

/**
 * Returns the title of a page as one lexeme, stored beside those of its words: a reader who types exactly the title
 * wants that page, no matter where else its words and stems occur. It is a hash with a prefix that no word contains.
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
