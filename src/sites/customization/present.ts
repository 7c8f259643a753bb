import type { Static } from 'typebox'
import type { SiteRow } from '../../db/tables.ts'
import type { CustomizationAnswer } from './schema.ts'
import { type Kept, lookOf } from './customization.ts'
import { type FontsFrom, type ShownLook, withFonts } from './fonts.ts'

/** Returns the whole look, including values that were never set. */
export async function presentCustomization(
  from: FontsFrom,
  site: SiteRow,
): Promise<Static<typeof CustomizationAnswer>> {
  const updatedAt = site.customization_updated_at
  const [look] = await withFonts(from, site, [lookOf(site.customization)])
  return { ...look!, ...(updatedAt && { updatedAt: updatedAt.toISOString() }) }
}

/** Returns the looks of several site spaces. */
export function presentSiteSpaceCustomizations(
  from: FontsFrom,
  site: SiteRow,
  customizations: readonly Kept[],
): Promise<ShownLook[]> {
  return withFonts(
    from,
    site,
    customizations.map((each) => lookOf(site.customization, each)),
  )
}

/** Returns the look of one site space. */
export async function presentSiteSpaceCustomization(from: FontsFrom, site: SiteRow, customization: Kept) {
  const [look] = await presentSiteSpaceCustomizations(from, site, [customization])
  return look!
}
