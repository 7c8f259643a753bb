import { type Statement, sql } from '../db/sql.ts'
import type { SiteRow, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'

/**
 * Says that readers may see something else of this site from now on. Whoever changes a row of it ends with this: what
 * is kept of a site is kept by its version.
 */
export function touchSite(tx: Transaction, { organization_id, id }: Pick<SiteRow, 'organization_id' | 'id'>): void {
  touchSites(tx, organization_id, [id])
}

/** The same for every site that shows this space. */
export function touchSitesWith(
  tx: Transaction,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): void {
  touchSitesWithAny(tx, organization_id, [id])
}

/**
 * The same for every site that shows one of these. Somebody may be putting one into a site that does not show it yet, and
 * have seen it as it was before: they are waited for, and who comes later waits until this is done.
 */
export function touchSitesWithAny(tx: Transaction, organizationId: string, spaceIds: string[]): void {
  tx.runLater(sql`
    select from spaces where organization_id = ${organizationId} and id = any (${spaceIds}::uuid[])
    order by id for no key update`)
  touch(
    tx,
    sql`organization_id = ${organizationId} and id in (
      select site_id from site_spaces where organization_id = ${organizationId} and space_id = any (${spaceIds}::uuid[]))`,
  )
}

/** The same for every site of an organization: its hostname is in their addresses. */
export function touchSitesOf(tx: Transaction, organizationId: string): void {
  touch(tx, sql`organization_id = ${organizationId}`)
}

/** The same for these sites. */
export function touchSites(tx: Transaction, organizationId: string, ids: string[]): void {
  if (ids.length === 0) return
  // Which ones is known: also where the connection breaks before anything is answered, and nobody hears of the commit.
  for (const id of ids) tx.tell({ kind: 'site', id })
  touch(tx, sql`organization_id = ${organizationId} and id = any (${ids}::uuid[])`)
}

/** Several are taken in one order, so that two who touch the same ones do not wait for each other. */
function touch(tx: Transaction, which: Statement): void {
  const touched = tx.all(sql<{ id: string }>`
    with held as (select organization_id, id from sites where ${which} order by id for no key update)
    update sites s set version = version + 1, updated_at = now() from held
    where s.organization_id = held.organization_id and s.id = held.id returning s.id`)
  tx.later(touched.then((sites) => sites.forEach(({ id }) => tx.tell({ kind: 'site', id }))))
}
