/**
 * Returns the beginning of a text. It never ends with half a character, which the database does not store and no
 * address contains.
 */
export const shortened = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

/** The same, counted like the database and the limits of the API do: an emoji is one character. */
export const firstCharacters = (text: string, most: number): string => [...text].slice(0, most).join('')
