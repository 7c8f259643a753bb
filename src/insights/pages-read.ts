import type { Caller } from '../access/caller.ts'
import { findSpaceFor } from '../access/content.ts'
import { pathOfPage } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import { type Place, sectionOf } from '../audience/snapshots/structure.ts'
import type { App } from '../http/routes.ts'
import { pageData } from '../pages/entry-data.ts'
import type { SiteKey } from '../sites/queries.ts'

/** A counted row, with the current data of its page. */
export type OfPage<Row> = Row & NamedPage

interface NamedPage {
  /** Undefined if the page is gone. */
  title: string | undefined
  /** The current place of the space in the site, and the current path of the page. Undefined if there is none. */
  siteSpaceId: string | undefined
  path: string | undefined
}

/** An anonymous reader, as whom the paths are resolved. */
const anybody = { scope: undefined, isKnown: false }

/** `rows` must belong to spaces that the caller may see. */
export async function describePages<Row extends { space_id: string; page_id: string }>(
  app: App,
  caller: Caller,
  site: SiteKey,
  rows: readonly Row[],
): Promise<OfPage<Row>[]> {
  const snapshot = await app.audience.snapshots.get(site.id)
  const spaceIds = [...new Set(rows.map(({ space_id }) => space_id))]
  const spaces = new Map(
    await Promise.all(spaceIds.map(async (id) => [id, await openSpace(app, caller, snapshot, id)] as const)),
  )
  return rows.map((row) => {
    const { pages, place } = spaces.get(row.space_id)!
    const page = pages?.tree.byId.get(row.page_id)
    const isShown = snapshot && place && !place.variant.isDraft
    return {
      ...row,
      title: page && pageData(page).title,
      siteSpaceId: place?.variant.row.id,
      path: isShown && pages && page ? pathOfPage(snapshot, anybody, { place, pages, page }) : undefined,
    }
  })
}

/** Opens the space as the site shows it, or its main line if the site does not contain it any more. */
async function openSpace(app: App, caller: Caller, snapshot: SiteSnapshot | undefined, spaceId: string) {
  const place = snapshot && placeOf(snapshot, spaceId)
  const at = place?.variant.head ?? (await findSpaceFor(app.db, caller, spaceId))?.main
  return { place, pages: at && (await app.audience.pages(at)) }
}

/** If the site contains the space twice, returns the first place that readers come across. */
function placeOf(snapshot: SiteSnapshot, spaceId: string): Place | undefined {
  const variants = [...snapshot.variants.values()].filter(({ space }) => space.id === spaceId)
  const variant = variants.find(({ isDraft }) => !isDraft) ?? variants[0]
  return variant && { section: sectionOf(snapshot, variant), variant }
}
