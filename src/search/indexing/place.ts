import type { Lexicon } from '../words/lexicon.ts'

/** Where pages are indexed. */
export interface Where {
  organizationId: string
  spaceId: string
}

/** The same, with the dictionaries to use. */
export interface Place extends Where {
  lexicon: Lexicon
}
