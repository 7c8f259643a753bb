import type { Caller } from '../../access/caller.ts'
import { findSpaceFor } from '../../access/content.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../http/errors.ts'
import { type SiteSpaceLook, findSiteSpaceLook } from './queries.ts'
import type { SiteKey } from '../queries.ts'

/** Returns a site space with the look of its own. Not found if the caller may not see the space. */
export async function accessSiteSpaceLook(
  db: Db,
  caller: Caller,
  site: SiteKey,
  siteSpaceId: string,
): Promise<SiteSpaceLook> {
  const row = await findSiteSpaceLook(db, site, siteSpaceId)
  if (!row || !(await findSpaceFor(db, caller, row.space_id))) throw notFound('site space')
  return row
}
