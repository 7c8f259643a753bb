import { shortened } from '../shortened.ts'

/** What somebody looks for, as an address says it: no more than the API takes, and empty where they look for nothing. */
export const searchText = (typed: unknown, longest: number): string =>
  typeof typed === 'string' ? shortened(typed.trim(), longest) : ''
