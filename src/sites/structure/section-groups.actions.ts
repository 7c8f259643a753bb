import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { changedFields } from '../../changes/changed-fields.ts'
import { recordChange } from '../../changes/record.ts'
import { keyBetween } from '../../content/positions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { about, lastPlace, placeBehind } from './building.ts'
import type { HeldSite } from '../see.ts'
import { type GroupRow, type LinkRow, type SectionRow, isLink, membersOf, topOf } from './structure.ts'
import { deleteGroup, insertGroup, updateGroup, updateLink, updateSection } from './queries.ts'
import type { GroupChanges } from './schema.ts'
import { touchSite } from '../touch.ts'

/** Adds a group in the last place, with these sections and links in the given order. */
export async function addGroup(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  draft: { title: string; icon: string | null; children: (SectionRow | LinkRow)[] },
): Promise<string> {
  const id = newId()
  await insertGroup(tx, {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    title: draft.title,
    icon: draft.icon,
    position: lastPlace(skeleton, null, id),
  })
  let left: string | null = null
  for (const each of draft.children) {
    left = keyBetween(each.id, left, null)
    const inside = { group_id: id, position: left }
    await (isLink(each) ? updateLink(tx, { ...each, ...inside }) : updateSection(tx, { ...each, ...inside }))
  }
  recordChange(tx, { ...about(site, 'site-section-group', id), action: 'site-section-group.added' })
  touchSite(tx, site)
  return id
}

export async function changeGroup(
  tx: Transaction,
  { site }: HeldSite,
  row: GroupRow,
  { title, icon }: Static<typeof GroupChanges>,
): Promise<void> {
  const changed = { ...row, title: title ?? row.title, icon: icon === undefined ? row.icon : icon || null }
  if (isDeepStrictEqual(changed, row)) return
  await updateGroup(tx, changed)
  const fields = changedFields<GroupRow>(changed, row, { title: ['title'], icon: ['icon'] })
  recordChange(tx, { ...about(site, 'site-section-group', row.id), action: 'site-section-group.updated', fields })
  touchSite(tx, site)
}

/** Removes a group. Its sections and links stay in its place. */
export async function removeGroup(tx: Transaction, { site, skeleton }: HeldSite, row: GroupRow): Promise<void> {
  const top = topOf(skeleton)
  const right = top[top.findIndex(({ id }) => id === row.id) + 1]?.position ?? null
  let left = row.position
  for (const each of membersOf(skeleton, row.id)) {
    left = keyBetween(each.id, left, right)
    const outside = { group_id: null, position: left }
    await (isLink(each) ? updateLink(tx, { ...each, ...outside }) : updateSection(tx, { ...each, ...outside }))
  }
  await deleteGroup(tx, row)
  recordChange(tx, { ...about(site, 'site-section-group', row.id), action: 'site-section-group.removed' })
  touchSite(tx, site)
}

/** Moves a section to the last place of a group. A section that is already in the group stays where it is. */
export async function putIntoGroup(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  group: GroupRow,
  section: SectionRow,
): Promise<void> {
  if (section.group_id === group.id) return
  const position = lastPlace(skeleton, group.id, section.id)
  await updateSection(tx, { ...section, group_id: group.id, position })
  recordMove(tx, { site, section })
}

/** Moves a section out of a group, to right after it. */
export async function takeOutOfGroup(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  group: GroupRow,
  section: SectionRow,
): Promise<void> {
  const position = placeBehind(skeleton, group.id, section.id)
  await updateSection(tx, { ...section, group_id: null, position })
  recordMove(tx, { site, section })
}

function recordMove(tx: Transaction, { site, section }: Pick<HeldSite, 'site'> & { section: SectionRow }): void {
  recordChange(tx, { ...about(site, 'site-section', section.id), action: 'site-section.moved' })
  touchSite(tx, site)
}
