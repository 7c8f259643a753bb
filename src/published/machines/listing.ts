import { type SpacePages, visibleTree } from '../../audience/pages.ts'
import { pathOfPage } from '../../audience/resolve.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { type Place, visiblePlaces } from '../../audience/snapshots/structure.ts'
import type { Visitor } from '../../audience/visitors/visitor.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { App } from '../../http/routes.ts'
import { type PageData, pageData } from '../../pages/entry-data.ts'

/** A page that is listed for machines. */
export interface Listed {
  place: Place
  pages: SpacePages
  page: Entry
  data: PageData
  url: string
}

/**
 * Lists every document of a site that a visitor may read and that is not hidden, variant by variant, in the order of
 * its menu.
 */
export async function listPages(
  app: App,
  snapshot: SiteSnapshot,
  visitor: Visitor,
  isListed: (data: PageData) => boolean,
  base = app.audience.canonicalAddress(snapshot),
): Promise<Listed[]> {
  const listed: Listed[] = []
  for (const place of visiblePlaces(snapshot, visitor)) {
    const pages = await app.audience.pages(place.variant.head)
    const tree = visibleTree(pages, visitor)
    const walk = (siblings: readonly Entry[]): void => {
      for (const page of siblings) {
        const data = pageData(page)
        if (data.hidden) continue
        if (data.type === 'document' && isListed(data)) {
          const url = base + pathOfPage(snapshot, visitor, { place, pages, page })
          listed.push({ place, pages, page, data, url })
        }
        walk(tree.childrenOf(page.entry))
      }
    }
    walk(tree.roots)
  }
  return listed
}
