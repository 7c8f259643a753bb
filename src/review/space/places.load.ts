import { asNone } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { accessSite } from '../../sites/access.ts'
import { listSites } from '../../sites/queries.ts'
import { seePart } from '../../sites/see.ts'
import { presentSiteSpace } from '../../sites/structure/present.ts'
import { type Opener } from '../../workspace/open.ts'

/** A published site that shows a space. */
export interface PublishedIn {
  site: string
  title: string
  /** Where readers find the space there; undefined if that takes a secret. */
  address: string | undefined
}

/** Few spaces are on more sites. The page of sites lists the others. */
const firstOnes = { limit: 10, after: undefined }

/** Lists where readers find a space, on the sites that the caller may see. */
export async function findPlacesOf(app: App, caller: Opener, spaceId: string): Promise<PublishedIn[]> {
  const filter = { space: spaceId, published: true }
  const { rows } = await listSites(app.db, caller.membership, filter, firstOnes)
  const found = await Promise.all(rows.slice(0, firstOnes.limit).map(({ id }) => placeIn(app, caller, id, spaceId)))
  return found.filter((each) => each !== undefined)
}

async function placeIn(app: App, caller: Opener, siteId: string, spaceId: string): Promise<PublishedIn | undefined> {
  const access = await accessSite(app.db, caller, siteId, 'view').catch(asNone)
  if (!access) return undefined
  const seen = await seePart(app.db, access, ({ siteSpaces }) => siteSpaces.filter((row) => row.space_id === spaceId))
  const row = seen.structure.siteSpaces.find((each) => seen.spaces.has(each.space_id) && !each.isHidden)
  return (
    row && { site: siteId, title: access.site.title, address: presentSiteSpace(row, seen, app.hosts).urls.published }
  )
}
