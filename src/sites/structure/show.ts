import type { Db } from '../../db/connect.ts'
import { notFound } from '../../http/errors.ts'
import type { SiteAccess } from '../access.ts'
import type { Hosts } from '../addresses.ts'
import { seePart } from '../see.ts'
import type { Item } from './sort.ts'
import type { LinkRow, ShownGroup, ShownSection, ShownSpace, Structure } from './structure.ts'
import type { ItemType } from './queries.ts'
import { presentGroup, presentLink, presentSection, presentSiteSpace } from './present.ts'

/** Loads and presents one part of a site's structure, as the caller sees it. */

export async function showSection(db: Db, access: SiteAccess, hosts: Hosts, id: string) {
  const seen = await seePart(db, access, (structure) => sectionIn(structure, id).siteSpaces)
  return presentSection(sectionIn(seen.structure, id), seen, hosts)
}

export async function showGroup(db: Db, access: SiteAccess, hosts: Hosts, id: string) {
  const spacesOf = ({ sections }: ShownGroup) => sections.flatMap(({ siteSpaces }) => siteSpaces)
  const seen = await seePart(db, access, (structure) => spacesOf(groupIn(structure, id)))
  return presentGroup(groupIn(seen.structure, id), seen, hosts)
}

export async function showSiteSpace(db: Db, access: SiteAccess, hosts: Hosts, id: string) {
  const seen = await seePart(db, access, (structure) => [siteSpaceIn(structure, id)])
  return presentSiteSpace(siteSpaceIn(seen.structure, id), seen, hosts)
}

export async function showLink(db: Db, access: SiteAccess, id: string) {
  const { structure } = await seePart(db, access, () => [])
  return presentLink(linkIn(structure, id))
}

export function showItem(db: Db, access: SiteAccess, hosts: Hosts, type: ItemType, id: string) {
  switch (type) {
    case 'site-space':
      return showSiteSpace(db, access, hosts, id)
    case 'site-section':
      return showSection(db, access, hosts, id)
    case 'site-section-group':
      return showGroup(db, access, hosts, id)
    case 'site-external-link':
      return showLink(db, access, id)
  }
}

export function itemIn(structure: Structure, type: ItemType, id: string): Item {
  switch (type) {
    case 'site-space':
      return { type, row: siteSpaceIn(structure, id) }
    case 'site-section':
      return { type, row: sectionIn(structure, id) }
    case 'site-section-group':
      return { type, row: groupIn(structure, id) }
    case 'site-external-link':
      return { type, row: linkIn(structure, id) }
  }
}

export const sectionIn = ({ sections }: Structure, id: string): ShownSection => theOne(sections, id, 'site section')

export const groupIn = ({ groups }: Structure, id: string): ShownGroup => theOne(groups, id, 'site section group')

export const linkIn = ({ links }: Structure, id: string): LinkRow => theOne(links, id, 'external link')

export const siteSpaceIn = ({ siteSpaces }: Structure, id: string): ShownSpace => theOne(siteSpaces, id, 'site space')

function theOne<Row extends { id: string }>(rows: readonly Row[], id: string, noun: string): Row {
  const row = rows.find((each) => each.id === id)
  if (!row) throw notFound(noun)
  return row
}
