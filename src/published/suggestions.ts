import { visibleTree } from '../audience/pages.ts'
import { pathOfPage } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshot.ts'
import { type Place, visiblePlaces } from '../audience/structure.ts'
import type { Visitor } from '../audience/visitor.ts'
import type { App } from '../http/routes.ts'
import { pageData } from '../pages/entry-data.ts'
import type { Suggestion } from './frame/notices.ts'
import { namesOf } from './search.ts'

const mostSuggested = 3
/** Beyond this, looking at every page would cost more than a wrong address is worth. */
const mostLookedAt = 5_000

/** Pages that share words with an address at which there is none; of those that are as close, the ones beside it. */
export async function suggestionsFor(
  app: App,
  where: { snapshot: SiteSnapshot; visitor: Visitor; base: string; place: Place | undefined },
  path: string,
): Promise<Suggestion[]> {
  const { snapshot, visitor, base } = where
  const asked = wordsOf(path)
  if (asked.size === 0) return []
  const found: (Suggestion & { score: number })[] = []
  let left = mostLookedAt
  const isElsewhere = ({ variant }: Place) => Number(variant !== where.place?.variant)
  for (const place of visiblePlaces(snapshot, visitor).toSorted((a, b) => isElsewhere(a) - isElsewhere(b))) {
    const pages = await app.audience.pages(place.variant.head)
    const tree = visibleTree(pages, visitor)
    for (const page of tree.byId.values()) {
      if (left-- <= 0) break
      const { type, title, hidden } = pageData(page)
      if (type !== 'document' || hidden) continue
      const own = wordsOf(`${tree.pathOf(page)} ${title}`)
      const score = [...asked].filter((word) => own.has(word)).length / Math.sqrt(own.size)
      if (score === 0) continue
      const href = base + pathOfPage(snapshot, visitor, { place, pages, page })
      found.push({ href, title, place: namesOf(snapshot, place).join(' › ') || snapshot.site.title, score })
    }
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, mostSuggested)
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  )
}
