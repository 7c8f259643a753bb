import { isDeepStrictEqual } from 'node:util'
import { recordChange } from '../../changes/record.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { updateAdaptiveSchema } from './queries.ts'
import type { ClaimsSchema } from './claims.ts'
import { touchSite } from '../touch.ts'

/**
 * Declares the available claims. A condition that uses a removed claim is kept: the claim has no value, so what the
 * condition guards is hidden until the claim returns or the condition is rewritten.
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
