/** Replaces what the database refuses in a text: lone surrogates and the character 0. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
