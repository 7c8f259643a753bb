import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { changedFields } from '../../changes/changed-fields.ts'
import { recordChange } from '../../changes/record.ts'
import { constraintBroken } from '../../db/constraints.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { invalid, taken } from '../../http/errors.ts'
import { about, dropSection, given, longEnough, putSection, putSpace, requireRest, withoutRoot } from './building.ts'
import { checkCondition } from '../adaptive/conditions.ts'
import { setDefaultSpace } from './defaults.ts'
import { rememberPlaces } from '../former-places.ts'
import { checkPath } from '../paths.ts'
import type { HeldSite } from '../see.ts'
import { type SectionRow, type ShownSection, spacesOf, topOf } from './structure.ts'
import { updateSection } from './queries.ts'
import type { SectionChanges } from './schema.ts'
import { touchSite } from '../touch.ts'

/**
 * Adds a section as the last one. Spaces that are at the root of the site move into a section of their own, in front.
 */
export async function addSection(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  { space, title, ...more }: SectionDraft & { space: SpaceRow },
): Promise<string> {
  const before = await withoutRoot(tx, site, skeleton)
  const named = { ...more, title: title ?? longEnough(space.title, site.title) }
  const section = await putSection(tx, site, before, { icon: null, ...named, at: topOf(before).length })
  await putSpace(tx, site, before, space, section.id)
  touchSite(tx, site)
  return section.id
}

export interface SectionDraft {
  title?: string | null | undefined
  icon?: string | null
  draft?: boolean
}

/** Setting a value to what it already is counts as no change. */
export async function changeSection(
  tx: Transaction,
  held: HeldSite,
  row: ShownSection,
  changes: Static<typeof SectionChanges>,
): Promise<void> {
  const { site, skeleton } = held
  const { title, path, condition, icon, description, defaultSiteSpace, draft } = changes
  if (path !== undefined && path !== row.path) {
    checkPath(path, 'body.path')
    await rememberPlaces(tx, site, skeleton, spacesOf(skeleton, row.id))
  }
  if (condition) checkCondition(site, condition, 'body.condition')
  if (draft && !row.draft) requireRest(held, ({ section_id }) => section_id === row.id)
  let hasNewDefault = false
  if (defaultSiteSpace !== undefined) {
    const chosen = row.siteSpaces.find(({ id }) => id === defaultSiteSpace)
    if (!chosen) throw invalid('body.defaultSiteSpace', 'exists', 'must be a site space of this section')
    hasNewDefault = await setDefaultSpace(tx, skeleton, chosen)
  }
  const changed: SectionRow = {
    ...row,
    title: title ?? row.title,
    path: path ?? row.path,
    condition: condition === undefined ? row.condition : condition,
    icon: icon === undefined ? row.icon : icon || null,
    description: description === undefined ? row.description : description || null,
    draft: draft ?? row.draft,
  }
  if (!hasNewDefault && isDeepStrictEqual(changed, row)) return
  await constraintBroken(updateSection(tx, changed), 'site_sections_organization_id_site_id_path_key', () =>
    taken('body.path', 'Another section of this site already has this path.'),
  )
  const fields = [
    ...changedFields<SectionRow>(changed, row, columns),
    ...(hasNewDefault ? given({ defaultSiteSpace }) : []),
  ]
  recordChange(tx, { ...about(site, 'site-section', row.id), action: 'site-section.updated', fields })
  touchSite(tx, site)
}

const columns = {
  title: ['title'],
  path: ['path'],
  condition: ['condition'],
  icon: ['icon'],
  description: ['description'],
  draft: ['draft'],
} as const satisfies Record<string, readonly (keyof SectionRow)[]>

export async function removeSection(tx: Transaction, held: HeldSite, row: SectionRow): Promise<void> {
  const { site, skeleton } = held
  requireRest(held, ({ section_id }) => section_id === row.id)
  await dropSection(tx, site, skeleton, row)
  touchSite(tx, site)
}
