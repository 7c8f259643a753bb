import { isDeepStrictEqual } from 'node:util'
import { recordChange } from '../../changes/record.ts'
import type { SiteRow } from '../../db/tables.ts'
import { checkCondition } from '../adaptive/conditions.ts'
import { bindFonts } from './fonts.ts'
import { type SiteSpaceLook, updateCustomization, updateSiteSpaceCustomization } from './queries.ts'
import { type Writing, bindReferences } from './references.ts'
import type { CustomizationPatch, SomeCustomization } from './schema.ts'
import { keptOf, lookOf, patched } from './customization.ts'
import { touchSite } from '../touch.ts'

/** Replaces the whole look of a site. Omitted fields get their defaults. */
export async function changeCustomization(writing: Writing, given: SomeCustomization): Promise<SiteRow> {
  const { tx, site } = writing
  const kept = keptOf(given)
  await check(writing, kept, site.customization)
  if (isDeepStrictEqual(kept, site.customization)) return site
  const changed = await updateCustomization(tx, site, kept)
  recordChange(tx, {
    organizationId: site.organization_id,
    target: { type: 'site', id: site.id },
    action: 'customization.updated',
    fields: fieldsOf(kept, site.customization),
  })
  touchSite(tx, site)
  return { ...site, ...changed }
}

/** Changes the look that a site space has of its own. */
export async function changeSiteSpaceCustomization(
  writing: Writing,
  row: SiteSpaceLook,
  patch: CustomizationPatch,
): Promise<SiteSpaceLook> {
  const kept = patched(row.customization, patch, lookOf(writing.site.customization, row.customization))
  await check({ ...writing, spaceId: row.space_id }, kept ?? {}, row.customization ?? {})
  return keep(writing, row, kept)
}

/** Removes the look of a site space, so that it looks like the site. */
export async function removeSiteSpaceCustomization(writing: Writing, row: SiteSpaceLook): Promise<void> {
  await keep(writing, row, null)
}

async function keep({ tx, site }: Writing, row: SiteSpaceLook, kept: object | null): Promise<SiteSpaceLook> {
  if (isDeepStrictEqual(kept, row.customization)) return row
  const customization = await updateSiteSpaceCustomization(tx, row, kept)
  recordChange(tx, {
    organizationId: site.organization_id,
    target: { type: 'site-space', id: row.id },
    details: { site: site.id },
    action: 'customization.updated',
    fields: fieldsOf(kept ?? {}, row.customization ?? {}),
  })
  touchSite(tx, site)
  return { ...row, customization }
}

/** Values that were already set are not checked again: a missing claim or page must not prevent other changes. */
async function check(writing: Writing, kept: SomeCustomization, before: SomeCustomization): Promise<void> {
  const known = new Set(before.header?.links?.map(({ condition }) => condition))
  kept.header?.links?.forEach(({ condition }, i) => {
    if (condition === undefined || known.has(condition)) return
    checkCondition(writing.site, condition, `body.header.links.${i}.condition`)
  })
  await bindFonts(writing, kept, before)
  await bindReferences(writing, kept, before)
}

function fieldsOf(now: object, before: object): string[] {
  const [a, b] = [now, before] as Record<string, unknown>[]
  const names = new Set([...Object.keys(a!), ...Object.keys(b!)])
  return [...names].filter((name) => !isDeepStrictEqual(a![name], b![name]))
}
