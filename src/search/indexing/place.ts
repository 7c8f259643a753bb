import type { Lexicon } from '../words/lexicon.ts'

/** Where pages are indexed. */
export interface Where {
  organizationId: string
  spaceId: string
}

/** And by which dictionaries. */
export interface Place extends Where {
  lexicon: Lexicon
}
