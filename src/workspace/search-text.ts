import { shortened } from '../shortened.ts'

/**
 * Returns the search text from a URL, cut to the length that the API accepts. It is empty if nothing is searched for.
 */
export const searchText = (typed: unknown, longest: number): string =>
  typeof typed === 'string' ? shortened(typed.trim(), longest) : ''
