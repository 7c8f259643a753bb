import { sql } from '../../db/sql.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { dropSpace } from './building.ts'
import type { SiteKey } from '../queries.ts'
import { findSkeleton } from './queries.ts'
import { touchSite } from '../touch.ts'

/** Takes a space that is gone for good out of every site, published or not: another one becomes the default there. */
export async function forgetSpace(tx: Transaction, space: Pick<SpaceRow, 'organization_id' | 'id'>): Promise<void> {
  for (const site of await lockSitesWith(tx, space)) {
    for (;;) {
      // Anew each time: what was removed before counts no more.
      const skeleton = await findSkeleton(tx, site)
      const row = skeleton.siteSpaces.find(({ space_id }) => space_id === space.id)
      if (!row) break
      await dropSpace(tx, site, skeleton, row)
    }
    touchSite(tx, site)
  }
}

/** In one order, so that two who do this do not wait for each other. */
async function lockSitesWith(
  tx: Transaction,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): Promise<SiteKey[]> {
  return tx.all(sql<SiteKey>`
    select organization_id, id from sites where organization_id = ${organization_id} and id in (
      select site_id from site_spaces where organization_id = ${organization_id} and space_id = ${id})
    order by id for no key update`)
}
