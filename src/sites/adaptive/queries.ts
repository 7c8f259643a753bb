import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { ClaimsSchema } from './claims.ts'

/**
 * Returns the schema as the database stores it, with its names in another order, so that every response has the same
 * bytes.
 */
export async function updateAdaptiveSchema(
  db: Db,
  site: SiteRow,
  schema: ClaimsSchema,
): Promise<Pick<SiteRow, 'adaptive_schema' | 'adaptive_updated_at'>> {
  return db.one(sql<Pick<SiteRow, 'adaptive_schema' | 'adaptive_updated_at'>>`
    update sites set adaptive_schema = ${JSON.stringify(schema)}::jsonb, adaptive_updated_at = now()
    where organization_id = ${site.organization_id} and id = ${site.id} returning adaptive_schema, adaptive_updated_at`)
}
