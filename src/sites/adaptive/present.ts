import type { Static } from 'typebox'
import type { SiteRow } from '../../db/tables.ts'
import type { AdaptiveSchema } from './schema.ts'
import { schemaOf } from './claims.ts'

/** A schema that was never set declares nothing, and dates from when the site was created. */
export function presentAdaptiveSchema(site: SiteRow): Static<typeof AdaptiveSchema> {
  return {
    object: 'site-adaptive-schema',
    jsonSchema: schemaOf(site),
    updatedAt: (site.adaptive_updated_at ?? site.created_at).toISOString(),
  }
}
