import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { changedFields } from '../../changes/changed-fields.ts'
import { recordChange } from '../../changes/record.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { checkCondition } from '../adaptive/conditions.ts'
import { checkedAddress } from '../outward.ts'
import type { HeldSite } from '../see.ts'
import { touchSite } from '../touch.ts'
import { about, lastPlace, placeBehind, withoutRoot } from './building.ts'
import { deleteLink, insertLink, updateLink } from './queries.ts'
import type { ExternalLinkChanges, NewExternalLink } from './schema.ts'
import type { LinkRow, Skeleton } from './structure.ts'

/** More than fit into a bar of sections. Limited because all of them are in memory while the site is served. */
const mostLinks = 200

/**
 * Adds a link in the last place. Spaces at the root of the site become a section, and the link is placed next to it.
 */
export async function addLink(tx: Transaction, held: HeldSite, draft: Static<typeof NewExternalLink>): Promise<string> {
  const { site, skeleton } = held
  const { title, url, description, icon, parent, condition } = draft
  if (skeleton.links.length >= mostLinks) {
    throw conflict(`There are already ${mostLinks} links among the sections. Delete one first.`)
  }
  if (condition) checkCondition(site, condition, 'body.condition')
  const id = newId()
  const group_id = groupNamed(held, parent) ?? null
  const address = checkedAddress(url, 'body.url')
  const before = await withoutRoot(tx, site, skeleton)
  await insertLink(tx, {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    group_id,
    title,
    url: address,
    description: description || null,
    icon: icon || null,
    condition: condition ?? null,
    draft: draft.draft ?? false,
    position: lastPlace(before, group_id, id),
  })
  recordChange(tx, { ...about(site, 'site-external-link', id), action: 'site-external-link.added' })
  touchSite(tx, site)
  return id
}

export async function changeLink(
  tx: Transaction,
  held: HeldSite,
  row: LinkRow,
  changes: Static<typeof ExternalLinkChanges>,
): Promise<void> {
  const { site, skeleton } = held
  const { title, url, description, icon, parent, draft, condition } = changes
  if (condition) checkCondition(site, condition, 'body.condition')
  const changed: LinkRow = {
    ...row,
    ...placeIn(skeleton, row, groupNamed(held, parent)),
    title: title ?? row.title,
    url: url === undefined ? row.url : checkedAddress(url, 'body.url'),
    description: description === undefined ? row.description : description || null,
    icon: icon === undefined ? row.icon : icon || null,
    draft: draft ?? row.draft,
    condition: condition === undefined ? row.condition : condition,
  }
  if (isDeepStrictEqual(changed, row)) return
  await updateLink(tx, changed)
  const fields = changedFields<LinkRow>(changed, row, columns)
  recordChange(tx, { ...about(site, 'site-external-link', row.id), action: 'site-external-link.updated', fields })
  touchSite(tx, site)
}

const columns = {
  title: ['title'],
  url: ['url'],
  description: ['description'],
  icon: ['icon'],
  parent: ['group_id'],
  draft: ['draft'],
  condition: ['condition'],
} as const satisfies Record<string, readonly (keyof LinkRow)[]>

export async function removeLink(tx: Transaction, { site }: HeldSite, row: LinkRow): Promise<void> {
  await deleteLink(tx, row)
  recordChange(tx, { ...about(site, 'site-external-link', row.id), action: 'site-external-link.removed' })
  touchSite(tx, site)
}

/** Returns undefined if no group was given. */
function groupNamed({ structure }: HeldSite, parent: string | null | undefined): string | null | undefined {
  if (parent === undefined || parent === null) return parent
  const group = structure.groups.find(({ id }) => id === parent)
  if (!group) throw invalid('body.parent', 'exists', 'there is no such section group in this site')
  return group.id
}

/** Moves a link to the last place of a group, or out of its group to right after it. */
function placeIn(skeleton: Skeleton, row: LinkRow, groupId: string | null | undefined): Partial<LinkRow> {
  if (groupId === undefined || groupId === row.group_id) return {}
  const position =
    groupId === null ? placeBehind(skeleton, row.group_id!, row.id) : lastPlace(skeleton, groupId, row.id)
  return { group_id: groupId, position }
}
