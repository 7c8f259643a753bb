import type { Static } from 'typebox'
import { recordChange } from '../../changes/record.ts'
import { keyBetween, placeAt } from '../../content/positions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { about, given } from './building.ts'
import type { HeldSite } from '../see.ts'
import { type GroupRow, type SectionRow, placed, sectionsOf, topOf } from './structure.ts'
import { deleteGroup, insertGroup, updateGroup, updateSection } from './queries.ts'
import type { GroupChanges } from './schema.ts'
import { touchSite } from '../touch.ts'

/** In the last place, with these sections in it, in the order they are given. */
export async function addGroup(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  draft: { title: string; icon: string | null; sections: SectionRow[] },
): Promise<string> {
  const id = newId()
  const top = topOf(skeleton)
  await insertGroup(tx, {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    title: draft.title,
    icon: draft.icon,
    position: placeAt(placed(top), top.length, id).position,
  })
  let left: string | null = null
  for (const section of draft.sections) {
    left = keyBetween(section.id, left, null)
    await updateSection(tx, { ...section, group_id: id, position: left })
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
  await updateGroup(tx, { ...row, title: title ?? row.title, icon: icon === undefined ? row.icon : icon || null })
  const fields = given({ title, icon })
  recordChange(tx, { ...about(site, 'site-section-group', row.id), action: 'site-section-group.updated', fields })
  touchSite(tx, site)
}

/** Its sections stay, where the group stood. */
export async function removeGroup(tx: Transaction, { site, skeleton }: HeldSite, row: GroupRow): Promise<void> {
  const top = topOf(skeleton)
  const right = top[top.findIndex(({ id }) => id === row.id) + 1]?.position ?? null
  let left = row.position
  for (const section of sectionsOf(skeleton, row.id)) {
    left = keyBetween(section.id, left, right)
    await updateSection(tx, { ...section, group_id: null, position: left })
  }
  await deleteGroup(tx, row)
  recordChange(tx, { ...about(site, 'site-section-group', row.id), action: 'site-section-group.removed' })
  touchSite(tx, site)
}

/** To its last place. One that is in it stays where it is. */
export async function putIntoGroup(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  group: GroupRow,
  section: SectionRow,
): Promise<void> {
  if (section.group_id === group.id) return
  const within = sectionsOf(skeleton, group.id)
  const { position } = placeAt(placed(within), within.length, section.id)
  await updateSection(tx, { ...section, group_id: group.id, position })
  recordMove(tx, { site, section })
}

/** Right behind the group. */
export async function takeOutOfGroup(
  tx: Transaction,
  { site, skeleton }: HeldSite,
  group: GroupRow,
  section: SectionRow,
): Promise<void> {
  const top = topOf(skeleton)
  const index = top.findIndex(({ id }) => id === group.id) + 1
  const { position } = placeAt(placed(top), index, section.id)
  await updateSection(tx, { ...section, group_id: null, position })
  recordMove(tx, { site, section })
}

function recordMove(tx: Transaction, { site, section }: Pick<HeldSite, 'site'> & { section: SectionRow }): void {
  recordChange(tx, { ...about(site, 'site-section', section.id), action: 'site-section.moved' })
  touchSite(tx, site)
}
