import type { Static } from 'typebox'
import { recordChange } from '../../changes/record.ts'
import { constraintBroken } from '../../db/constraints.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { invalid, taken } from '../../http/errors.ts'
import { about, dropSpace, given, putSpace, requireRest } from './building.ts'
import { checkCondition } from '../adaptive/conditions.ts'
import { checkPath } from '../paths.ts'
import type { HeldSite } from '../see.ts'
import { type PlacedSpace, shownSections } from './structure.ts'
import { updateSiteSpace } from './queries.ts'
import type { SiteSpaceChanges } from './schema.ts'
import { touchSite } from '../touch.ts'

/** Where a space goes: the section that was named, else the default one, else the root. */
export function sectionFor({ structure, skeleton }: HeldSite, named?: string): string | null {
  if (named !== undefined) {
    const section = structure.sections.find(({ id }) => id === named)
    if (!section)
      throw invalid('body.sectionId', 'exists', 'there is no such section in this site, or you may not see it')
    return section.id
  }
  const chosen =
    shownSections(skeleton).find(({ isDefault }) => isDefault) ?? skeleton.sections.find((row) => row.is_default)
  return chosen?.id ?? null
}

/** Into this section, or to the root. */
export async function addSiteSpace(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  space: SpaceRow,
  sectionId: string | null,
): Promise<string> {
  const { id } = await putSpace(tx, site, skeleton, space, sectionId)
  touchSite(tx, site)
  return id
}

/** `space` is the one to show there instead. */
export async function changeSiteSpace(
  tx: Transaction,
  { site }: HeldSite,
  row: PlacedSpace,
  changes: Omit<Static<typeof SiteSpaceChanges>, 'spaceId'> & { space?: SpaceRow | undefined },
): Promise<void> {
  const { path, title, condition, space } = changes
  if (path !== undefined && path !== row.path) checkPath(path, 'body.path')
  if (condition) checkCondition(site, condition, 'body.condition')
  const changed = {
    ...row,
    path: path ?? row.path,
    title: title === undefined ? row.title : title,
    condition: condition === undefined ? row.condition : condition,
    space_id: space?.id ?? row.space_id,
  }
  await constraintBroken(updateSiteSpace(tx, changed), 'site_space_path', () =>
    taken('body.path', 'Another space beside it has this path.'),
  )
  const fields = given({ path, title, condition, spaceId: space })
  recordChange(tx, { ...about(site, 'site-space', row.id), action: 'site-space.updated', fields })
  touchSite(tx, site)
}

export async function removeSiteSpace(tx: Transaction, held: HeldSite, row: PlacedSpace): Promise<void> {
  requireRest(held, ({ id }) => id === row.id)
  await dropSpace(tx, held.site, held.skeleton, row)
  touchSite(tx, held.site)
}
