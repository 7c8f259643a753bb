/** The one way to put signs together of all that look alike. Unicode leaves the vowel am of Thai and Lao in two. */
export const composed = (text: string): string =>
  text.normalize('NFC').replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')

/** There is one way only to put it together. */
export const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
