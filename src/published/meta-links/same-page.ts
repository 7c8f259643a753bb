import { firstDocument, pageAt, pageWithId, slugsOf } from '../../audience/pages.ts'
import { pathOfPage } from '../../audience/resolve.ts'
import { visibleVariants } from '../../audience/snapshots/structure.ts'
import type { App } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import { type Found, pathTo } from '../links.ts'

/** With more variants, looking for the page in each would cost more than the page itself. */
const mostVariants = 12

/**
 * Finds a page in the other variants of its level, by the start address of each: the page it was copied from or to, or
 * the one at the same path. So readers who change the version continue with what they were reading.
 */
export async function samePages(app: App, found: Found, base: string): Promise<Map<string, string>> {
  const { snapshot, visitor, place, pages, page } = found
  const level = place.section?.variants ?? snapshot.root
  const others = visibleVariants(level, visitor).filter((variant) => variant !== place.variant)
  if (others.length > mostVariants || firstDocument(pages, visitor) === page) return new Map()

  const slugs = slugsOf(pages.tree, page)
  const places = await Promise.all(
    others.map(async (variant): Promise<[string, string][]> => {
      const theirs = await app.audience.pages(variant.head)
      const same = pageWithId(theirs, visitor, page.entry) ?? pageAt(theirs, visitor, slugs)
      if (!same || pageData(same).type !== 'document') return []
      const there = { section: place.section, variant }
      const path = pathOfPage(snapshot, visitor, { place: there, pages: theirs, page: same })
      return [[base + pathTo(snapshot, visitor, there), base + path]]
    }),
  )
  return new Map(places.flat())
}
