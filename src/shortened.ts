/** The beginning of a text. It never ends with half a character: the database keeps none. */
export const shortened = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
