import type { Db } from '../db/connect.ts'
import { serviceOf } from './addresses.ts'
import { listReadyProviders } from './queries.ts'

/** Lists the providers through which people sign in to an organization. */
export async function providersOf(
  db: Db,
  organizationId: string,
  url: string,
): Promise<{ id: string; label: string; startUrl: string }[]> {
  const rows = await listReadyProviders(db, organizationId)
  return rows.map((row) => ({ id: row.id, label: row.label, startUrl: serviceOf(url, row).startURL }))
}
