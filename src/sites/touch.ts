import { type Statement, sql } from '../db/sql.ts'
import type { SiteRow, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'

/**
 * Marks a site as changed for readers. Every change to one of its rows must end with this, because caches of a site are
 * keyed by its version.
 */
export function touchSite(tx: Transaction, { organization_id, id }: Pick<SiteRow, 'organization_id' | 'id'>): void {
  touchSites(tx, organization_id, [id])
}

/** Touches every site that shows this space. */
export function touchSitesWith(
  tx: Transaction,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): void {
  touchSitesWithAny(tx, organization_id, [id])
}

/**
 * Touches every site that shows one of these spaces. A concurrent transaction may be adding one of them to another
 * site, based on its old state. This waits for such a transaction, and later ones wait for this.
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

/** Touches every site of an organization, because its hostname is part of their addresses. */
export function touchSitesOf(tx: Transaction, organizationId: string): void {
  touch(tx, sql`organization_id = ${organizationId}`)
}

/** Touches these sites. */
export function touchSites(tx: Transaction, organizationId: string, ids: string[]): void {
  if (ids.length === 0) return
  // These ids are known in advance, so they are announced even if the connection breaks before the answer and the
  // outcome of the commit is unknown.
  for (const id of ids) tx.tell({ kind: 'site', id })
  touch(tx, sql`organization_id = ${organizationId} and id = any (${ids}::uuid[])`)
}

/** Locks several sites in a fixed order, so that two transactions that touch the same ones do not deadlock. */
function touch(tx: Transaction, which: Statement): void {
  const touched = tx.all(sql<{ id: string }>`
    with held as (select organization_id, id from sites where ${which} order by id for no key update)
    update sites s set version = version + 1, updated_at = now() from held
    where s.organization_id = held.organization_id and s.id = held.id returning s.id`)
  tx.later(touched.then((sites) => sites.forEach(({ id }) => tx.tell({ kind: 'site', id }))))
}
