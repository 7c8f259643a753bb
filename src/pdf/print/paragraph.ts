import type { Node, Words } from './nodes.ts'
import type { Printing } from './print.ts'

export const paragraph = (c: Words, printing: Pick<Printing, 'isRightToLeft'>, align = 'start'): Node => ({
  t: 'par',
  align,
  turned: isTurned(c, printing),
  c,
})

/**
 * Whether words run against the direction of the book. A paragraph in Arabic in an English book does; an English word
 * at the start of a paragraph in an Arabic book proves nothing.
 */
export function isTurned(words: Words, { isRightToLeft }: Pick<Printing, 'isRightToLeft'>): boolean {
  return !isRightToLeft && rightToLeft.test(firstLetter(words))
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function firstLetter(words: Words): string {
  for (const word of words) {
    const text =
      typeof word === 'string'
        ? word
        : 'c' in word && Array.isArray(word.c) && word.t !== 'ltr'
          ? firstLetter(word.c)
          : ''
    const letter = /\p{L}/u.exec(text)?.[0]
    if (letter !== undefined) return letter
  }
  return ''
}
