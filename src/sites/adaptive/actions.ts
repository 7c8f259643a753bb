import { isDeepStrictEqual } from 'node:util'
import { recordChange } from '../../changes/record.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { updateAdaptiveSchema } from './queries.ts'
import type { ClaimsSchema } from './claims.ts'
import { touchSite } from '../touch.ts'

/**
 * Declares which claims there are. A condition that names one that is gone stays as it is: the claim has no value for
 * it, so what it guards is hidden, until the claim returns or somebody rewrites the condition.
 */
export async function changeAdaptiveSchema(tx: Transaction, site: SiteRow, schema: ClaimsSchema): Promise<SiteRow> {
  if (isDeepStrictEqual(site.adaptive_schema, schema)) return site
  const changed = await updateAdaptiveSchema(tx, site, schema)
  recordChange(tx, {
    organizationId: site.organization_id,
    target: { type: 'site', id: site.id },
    action: 'adaptive-schema.updated',
    fields: ['jsonSchema'],
  })
  touchSite(tx, site)
  return { ...site, ...changed }
}
