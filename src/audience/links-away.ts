import type { App } from '../http/routes.ts'
import { pageData } from '../pages/entry-data.ts'
import type { PageTree } from '../pages/tree.ts'
import { type LinkTarget, type SpacePages, pageWithId } from './pages.ts'
import type { SiteSnapshot } from './snapshots/snapshot.ts'
import { visiblePlaces } from './snapshots/structure.ts'
import type { Visitor } from './visitors/visitor.ts'

/**
 * Returns a function that tells whether the target of a page of the type `link` in a space is hidden from a visitor:
 * the site does not show them the space, or not the page. Only linked spaces are loaded.
 */
export async function lostLinks(
  { audience }: App,
  { snapshot, visitor }: { snapshot: SiteSnapshot; visitor: Visitor },
  { tree }: SpacePages,
): Promise<((target: LinkTarget) => boolean) | undefined> {
  const linked = new Set(spacesLinkedIn(tree))
  if (linked.size === 0) return undefined
  const places = visiblePlaces(snapshot, visitor).filter(({ variant }) => linked.has(variant.space.id))
  const shown = new Map(
    await Promise.all(
      places.map(async ({ variant }) => [variant.space.id, await audience.pages(variant.head)] as const),
    ),
  )
  return ({ space, page }) => {
    if (typeof space !== 'string') return false
    const pages = shown.get(space)
    return !pages || (typeof page === 'string' && !pageWithId(pages, visitor, page))
  }
}

/** Trees are immutable, so each is searched once. Every page of a space is rendered with the same tree. */
const linkedSpaces = new WeakMap<PageTree, readonly string[]>()

/** Returns the other spaces that pages of the type `link` lead to. */
export function spacesLinkedIn(tree: PageTree): readonly string[] {
  let linked = linkedSpaces.get(tree)
  if (!linked) {
    const spaces = [...tree.byId.values()].map((entry) => pageData(entry).target?.['space'])
    linked = [...new Set(spaces.filter((space) => typeof space === 'string'))]
    linkedSpaces.set(tree, linked)
  }
  return linked
}
