import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { changedFields } from '../../changes/changed-fields.ts'
import { recordChange } from '../../changes/record.ts'
import { constraintBroken } from '../../db/constraints.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { invalid, taken } from '../../http/errors.ts'
import { copySpace } from '../../spaces/duplicate.ts'
import { about, dropSpace, longEnough, putSection, putSpace, requireRest } from './building.ts'
import { checkCondition } from '../adaptive/conditions.ts'
import { rememberPlaces } from '../former-places.ts'
import { checkPath } from '../paths.ts'
import type { HeldSite } from '../see.ts'
import { lastIn, leave } from './moving.ts'
import { type PlacedSpace, isHidden, shownSections, topOf } from './structure.ts'
import { copyLook, updateSiteSpace } from './queries.ts'
import type { SiteSpaceChanges } from './schema.ts'
import { touchSite } from '../touch.ts'

/**
 * Returns the section that a new space goes into: the one named in the request, else the default section, else null for
 * the root.
 */
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

/**
 * Adds a space to this section, or to the root. If the site has links, a space at the root gets a section of its own,
 * because links can only be among sections.
 */
export async function addSiteSpace(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  space: SpaceRow,
  sectionId: string | null,
  { draft = false }: { draft?: boolean } = {},
): Promise<string> {
  const title = longEnough(space.title, site.title)
  const isAmongLinks = sectionId === null && skeleton.links.length > 0
  const section = isAmongLinks
    ? await putSection(tx, site, skeleton, { title, icon: null, at: topOf(skeleton).length })
    : undefined
  const { id } = await putSpace(tx, site, skeleton, space, section?.id ?? sectionId, { draft })
  touchSite(tx, site)
  return id
}

/**
 * Copies the space that is in this place and adds the copy right behind it, as another variant. The copy has the same
 * look and the same condition, so what only some readers can see is not exposed to others.
 */
export async function duplicateSiteSpace(
  tx: Transaction,
  caller: Caller,
  { site, skeleton }: HeldSite,
  row: PlacedSpace,
  { title, draft }: { title?: string; draft: boolean },
): Promise<string> {
  const space = await copySpace(tx, caller, row.space_id, title)
  const showing = { condition: row.condition, draft, behind: row, ...(title !== undefined && { title }) }
  const copy = await putSpace(tx, site, skeleton, space, row.section_id, showing)
  await copyLook(tx, row, copy)
  touchSite(tx, site)
  return copy.id
}

/**
 * Changes a site space. `space` is the space to show there instead, `sectionId` the section to move it to. The title,
 * look, condition and reader statistics of the site space are kept.
 */
export async function changeSiteSpace(
  tx: Transaction,
  held: HeldSite,
  row: PlacedSpace,
  changes: Omit<Static<typeof SiteSpaceChanges>, 'spaceId' | 'sectionId'> & {
    space?: SpaceRow | undefined
    sectionId?: string | undefined
  },
): Promise<void> {
  const { site, skeleton } = held
  const { path, title, condition, draft, space, sectionId } = changes
  if (path !== undefined && path !== row.path) checkPath(path, 'body.path')
  if (condition) checkCondition(site, condition, 'body.condition')
  const isMoved = sectionId !== undefined && sectionId !== row.section_id
  const standing = isMoved ? lastIn(skeleton, row, sectionId) : row
  const changed: PlacedSpace = {
    ...standing,
    path: path ?? row.path,
    title: title === undefined ? row.title : title,
    condition: condition === undefined ? row.condition : condition,
    draft: draft ?? row.draft,
    space_id: space?.id ?? row.space_id,
  }
  if (isDeepStrictEqual(changed, row)) return
  if (isHidden(skeleton, changed) && !isHidden(skeleton, row)) requireRest(held, ({ id }) => id === row.id)
  if (isMoved || changed.path !== row.path) await rememberPlaces(tx, site, skeleton, [row])
  await constraintBroken(updateSiteSpace(tx, changed), 'site_space_path', () =>
    taken('body.path', `Another space ${isMoved ? 'of that section' : 'beside it'} already has this path.`),
  )
  if (isMoved) await leave(tx, site, skeleton, row)
  const fields = changedFields<PlacedSpace>(changed, row, columns)
  recordChange(tx, { ...about(site, 'site-space', row.id), action: 'site-space.updated', fields })
  touchSite(tx, site)
}

const columns = {
  path: ['path'],
  title: ['title'],
  condition: ['condition'],
  draft: ['draft'],
  spaceId: ['space_id'],
  sectionId: ['section_id'],
} as const satisfies Record<string, readonly (keyof PlacedSpace)[]>

export async function removeSiteSpace(tx: Transaction, held: HeldSite, row: PlacedSpace): Promise<void> {
  requireRest(held, ({ id }) => id === row.id)
  await dropSpace(tx, held.site, held.skeleton, row)
  touchSite(tx, held.site)
}
