import { sql } from '../../db/sql.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { dropSpace } from './building.ts'
import type { SiteKey } from '../queries.ts'
import { findSkeleton } from './queries.ts'
import { touchSite } from '../touch.ts'

/**
 * Removes a permanently deleted space from every site, published or not. Where it was the default, another one becomes
 * the default.
 */
export async function forgetSpace(tx: Transaction, space: Pick<SpaceRow, 'organization_id' | 'id'>): Promise<void> {
  for (const site of await lockSitesWith(tx, space)) {
    for (;;) {
      // Read again each time, so that removed rows no longer count.
      const skeleton = await findSkeleton(tx, site)
      const row = skeleton.siteSpaces.find(({ space_id }) => space_id === space.id)
      if (!row) break
      await dropSpace(tx, site, skeleton, row)
    }
    touchSite(tx, site)
  }
}

/** Always locks in the same order, so that concurrent transactions do not deadlock. */
async function lockSitesWith(
  tx: Transaction,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): Promise<SiteKey[]> {
  return tx.all(sql<SiteKey>`
    select organization_id, id from sites where organization_id = ${organization_id} and id in (
      select site_id from site_spaces where organization_id = ${organization_id} and space_id = ${id})
    order by id for no key update`)
}
