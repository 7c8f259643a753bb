/**
 * Returns the text with all characters that look alike composed in the same way. Unicode normalization leaves two forms
 * of the vowel am in Thai and Lao.
 */
export const composed = (text: string): string =>
  text.normalize('NFC').replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')

/** Whether there is only one way to compose it. */
export const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
