import type { Caller } from '../../access/caller.ts'
import { findSpaceFor } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { forbidden, invalid } from '../../http/errors.ts'
import { isId } from '../../ids.ts'
import { keepSpace } from '../../spaces/queries.ts'

/**
 * Returns a space that the caller may put into a site of the same organization; `field` is where the request names it.
 * A change of a space touches the sites that show it. The lock prevents such changes until the space is in this site,
 * and earlier ones are visible here.
 */
export async function accessSpaceToShow(
  tx: Transaction,
  caller: Caller,
  organizationId: string,
  spaceId: string,
  field: string,
): Promise<SpaceRow> {
  const [, found] = isId(spaceId)
    ? await Promise.all([keepSpace(tx, organizationId, spaceId), findSpaceFor(tx, caller, spaceId)])
    : []
  if (found?.space.organization_id !== organizationId) {
    throw invalid(field, 'exists', 'there is no such space here, or you may not see it')
  }
  if (!spaceRights(found.role).admin) throw forbidden('put this space into a site: that needs the role create on it')
  return found.space
}
