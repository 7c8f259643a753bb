import type { Caller } from '../../access/caller.ts'
import { findSpaceFor } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import type { Db } from '../../db/connect.ts'
import type { SpaceRow } from '../../db/tables.ts'
import { forbidden, invalid } from '../../http/errors.ts'
import { isId } from '../../ids.ts'

/** A space that the caller may put into a site of the same organization; `field` is where the request names it. */
export async function accessSpaceToShow(
  db: Db,
  caller: Caller,
  organizationId: string,
  spaceId: string,
  field: string,
): Promise<SpaceRow> {
  const found = isId(spaceId) ? await findSpaceFor(db, caller, spaceId) : undefined
  if (found?.space.organization_id !== organizationId) {
    throw invalid(field, 'exists', 'there is no such space here, or you may not see it')
  }
  if (!spaceRights(found.role).admin) throw forbidden('put this space into a site: that needs the role create on it')
  return found.space
}
