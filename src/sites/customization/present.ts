import type { Static } from 'typebox'
import type { SiteRow } from '../../db/tables.ts'
import type { Customization, CustomizationAnswer } from './schema.ts'
import { type Kept, lookOf } from './customization.ts'

/** The whole look, with all that was never set. */
export function presentCustomization(site: SiteRow): Static<typeof CustomizationAnswer> {
  const updatedAt = site.customization_updated_at
  return { ...lookOf(site.customization), ...(updatedAt && { updatedAt: updatedAt.toISOString() }) }
}

/** How a space of a site looks. */
export function presentSiteSpaceCustomization(site: SiteRow, customization: Kept): Customization {
  return lookOf(site.customization, customization)
}
