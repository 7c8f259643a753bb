import type { Static } from 'typebox'
import { recordChange } from '../../changes/record.ts'
import { placeAt } from '../../content/positions.ts'
import { constraintBroken } from '../../db/constraints.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { invalid, taken } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { about, dropSection, given, putSpace, requireRest } from './building.ts'
import { checkCondition } from '../adaptive/conditions.ts'
import { setDefaultSpace } from './defaults.ts'
import { checkPath, freePath } from '../paths.ts'
import type { HeldSite } from '../see.ts'
import { type SectionRow, type ShownSection, type Skeleton, placed, spacesOf, topOf } from './structure.ts'
import { insertSection, putRootInto, updateSection } from './queries.ts'
import type { SectionChanges } from './schema.ts'
import { touchSite } from '../touch.ts'

/** In the last place. What stood at the root of the site becomes a section of its own, in front. */
export async function addSection(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  draft: { space: SpaceRow; title?: string | null | undefined; icon?: string | null | undefined },
): Promise<string> {
  const { space, icon = null } = draft
  const before = await withoutRoot(tx, site, skeleton)
  const title = draft.title ?? longEnough(space.title, site.title)
  const section = await putSection(tx, site, before, { title, icon, at: topOf(before).length })
  await putSpace(tx, site, before, space, section.id)
  touchSite(tx, site)
  return section.id
}

/** Readers find what stood at the root where it was: its section is the default, and needs no path. */
async function withoutRoot(tx: Transaction, site: HeldSite['site'], skeleton: Skeleton): Promise<Skeleton> {
  const root = spacesOf(skeleton, null)
  if (root.length === 0) return skeleton
  const only = root.length === 1 ? (root[0]!.title ?? root[0]!.space_title) : site.title
  const title = longEnough(only, site.title)
  const section = await putSection(tx, site, skeleton, { title, icon: null, at: 0 })
  await putRootInto(tx, site, section.id)
  return {
    ...skeleton,
    sections: [...skeleton.sections, section],
    siteSpaces: skeleton.siteSpaces.map((row) => ({ ...row, section_id: section.id })),
  }
}

/** A space may have a shorter title than a section. */
const longEnough = (title: string, otherwise: string) => ([...title].length < 2 ? otherwise : title)

async function putSection(
  tx: Transaction,
  site: HeldSite['site'],
  skeleton: Skeleton,
  draft: { title: string; icon: string | null; at: number },
): Promise<SectionRow> {
  const id = newId()
  const row: SectionRow = {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    group_id: null,
    title: draft.title,
    description: null,
    icon: draft.icon,
    path: freePath(draft.title, skeleton.sections),
    condition: null,
    position: placeAt(placed(topOf(skeleton)), draft.at, id).position,
    is_default: skeleton.sections.length === 0,
  }
  await insertSection(tx, row)
  recordChange(tx, { ...about(site, 'site-section', id), action: 'site-section.added' })
  return row
}

export async function changeSection(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  row: ShownSection,
  changes: Static<typeof SectionChanges>,
): Promise<void> {
  const { title, path, condition, icon, description, defaultSiteSpace } = changes
  if (path !== undefined && path !== row.path) checkPath(path, 'body.path')
  if (condition) checkCondition(site, condition, 'body.condition')
  if (defaultSiteSpace !== undefined) {
    const chosen = row.siteSpaces.find(({ id }) => id === defaultSiteSpace)
    if (!chosen) throw invalid('body.defaultSiteSpace', 'exists', 'must be a site space of this section')
    await setDefaultSpace(tx, skeleton, chosen)
  }
  const changed: SectionRow = {
    ...row,
    title: title ?? row.title,
    path: path ?? row.path,
    condition: condition === undefined ? row.condition : condition,
    icon: icon === undefined ? row.icon : icon || null,
    description: description === undefined ? row.description : description || null,
  }
  await constraintBroken(updateSection(tx, changed), 'site_sections_organization_id_site_id_path_key', () =>
    taken('body.path', 'Another section of this site has this path.'),
  )
  const fields = given({ title, path, condition, icon, description, defaultSiteSpace })
  recordChange(tx, { ...about(site, 'site-section', row.id), action: 'site-section.updated', fields })
  touchSite(tx, site)
}

export async function removeSection(tx: Transaction, held: HeldSite, row: SectionRow): Promise<void> {
  const { site, skeleton } = held
  requireRest(held, ({ section_id }) => section_id === row.id)
  await dropSection(tx, site, skeleton, row)
  touchSite(tx, site)
}
