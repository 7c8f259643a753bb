/** A text without what the database refuses: half characters, and the character 0. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
