/**
 * Returns a word without what people leave out when they type: accents, vowel points, letters that only look different.
 * Done here and not by a database extension, which not every server has.
 */
export function fold(word: string): string {
  if (isAscii(word)) return word
  return word
    .normalize('NFD')
    .replace(markedLetter, '$1')
    .replace(/[\u0300\u0301]|[\u0591-\u05c7]|[\u064b-\u065f]|\u0640|\u0670/g, '')
    .normalize('NFC')
    .replace(special, (letter) => plain[letter]!)
}

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Marks belong to the letter in other scripts: in Russian й is not и, in Japanese が is not か. */
const markedLetter = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu

const plain: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
  ё: 'е',
}

const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')
