import type { SiteRedirectRow } from '../../db/tables.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { type Destinations, pathTo } from './destinations.ts'
import { capturedBy, readPath } from './match.ts'
import { findMatching } from './queries.ts'

/** No chain of this length is intended. */
const maxSteps = 20

/**
 * Refuses a redirect that leads back to itself, directly or through others. It must already be in the database, so that
 * this follows the same redirects as readers would.
 */
export async function refuseLoop(seen: Destinations, redirect: SiteRedirectRow, at: string): Promise<void> {
  let next = redirect
  let rest: string[] = []
  for (let step = 0; step < maxSteps; step++) {
    const path = await pathTo(seen, next.destination, rest)
    const asked = path === undefined ? undefined : readPath(path)
    const found = asked && (await findMatching(seen.db, seen.site, redirect.draft, asked))
    if (!asked || !found) return
    if (found.id === redirect.id) {
      if (step === 0) throw invalid(at, 'loop', 'its source matches its destination, so it would redirect in a circle')
      throw conflict(`Together with the redirect of ${next.source}, this would be a loop.`)
    }
    rest = capturedBy({ match: found.match, captureWildcard: found.capture_wildcard }, asked)
    next = found
  }
  throw conflict('Together with existing redirects, this would be an endless chain.')
}
