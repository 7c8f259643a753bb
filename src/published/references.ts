import { type SpacePages, pageWithId } from '../audience/pages.ts'
import { pathOfPage } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import { type Place, visiblePlaces } from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import type { App } from '../http/routes.ts'
import { entryWith } from '../pages/content-cache.ts'
import { fileData } from '../pages/entry-data.ts'
import { file } from '../revisions/entries.ts'
import type { ContentReference } from '../sites/customization/schema.ts'
import { fileAddress, pathTo } from './links.ts'

/** Returns where a link of a look leads, for one visitor. Undefined if they may not read the target. */
export type References = (to: ContentReference | null | undefined) => string | undefined

/**
 * Loads what the links of a site's look lead to: pages and files of its spaces. All of these are in memory while the
 * site is being read.
 */
export async function loadReferences(
  app: App,
  { snapshot, visitor }: { snapshot: SiteSnapshot; visitor: Visitor },
  base: string,
  wanted: readonly (ContentReference | null | undefined)[],
): Promise<References> {
  const spaces = new Set(wanted.flatMap((to) => (to && to.kind !== 'url' && to.space !== undefined ? [to.space] : [])))
  const places = visiblePlaces(snapshot, visitor).filter(({ variant }) => spaces.has(variant.space.id))
  const loaded = await Promise.all(
    places.map(async (place) => [place.variant.space.id, await loadPlace(app, place)] as const),
  )
  // If a site contains a space twice, the first place is meant.
  const known = new Map(loaded.toReversed())

  return (to) => {
    if (!to) return undefined
    if (to.kind === 'url') return to.url
    const at = known.get(to.space ?? '')
    if (!at) return undefined
    if (to.kind === 'space') return base + pathTo(snapshot, visitor, at.place)
    if (to.kind === 'file') {
      const found = entryWith(at.files, to.file ?? '')
      return found && fileAddress(snapshot, visitor, at.place, base, found.entry, fileData(found))
    }
    const page = pageWithId(at.pages, visitor, to.page ?? '')
    const address = page && base + pathOfPage(snapshot, visitor, { ...at, page })
    return address !== undefined && to.kind === 'anchor' && to.anchor !== undefined
      ? `${address}#${to.anchor}`
      : address
  }
}

async function loadPlace(
  app: App,
  place: Place,
): Promise<{ place: Place; pages: SpacePages; files: readonly FileEntry[] }> {
  const { head } = place.variant
  const [pages, files] = await Promise.all([app.audience.pages(head), app.content.entries(head, file)])
  return { place, pages, files }
}

type FileEntry = Awaited<ReturnType<App['content']['entries']>>[number]
