/** The beginning of a text. It never ends with half a character: the database keeps none, and no address has one. */
export const shortened = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

/** The same, counted as the database and the limits of the API count: an emoji is one. */
export const firstCharacters = (text: string, most: number): string => [...text].slice(0, most).join('')
