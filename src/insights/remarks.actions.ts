import { recordChange } from '../changes/record.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import type { SiteAccess } from '../sites/access.ts'
import { type RemarkRow, deleteRemark, findRemark } from './queries.ts'
import { daysKept, lastDays } from './span.ts'

/** Finds a remark of a reader, for callers who may read the space of the page. */
export async function accessRemark(
  db: Db,
  { site, membership }: Pick<SiteAccess, 'site' | 'membership'>,
  id: string,
): Promise<RemarkRow> {
  const row = isId(id) ? await findRemark(db, membership, site, lastDays(daysKept), id) : undefined
  if (!row) throw notFound('remark')
  return row
}

/**
 * Deletes a remark, for example because it contains personal or confidential text. The audit log records the deletion,
 * but not the text.
 */
export async function removeRemark(tx: Transaction, { site }: Pick<SiteAccess, 'site'>, row: RemarkRow): Promise<void> {
  await deleteRemark(tx, site, row)
  recordChange(tx, {
    organizationId: site.organization_id,
    details: { site: site.id },
    target: { type: 'site-remark', id: row.id },
    action: 'site-remark.removed',
  })
}
