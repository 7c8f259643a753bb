import type { Static } from 'typebox'
import type { OrganizationRow } from '../../db/tables.ts'
import { presentSpace } from '../../spaces/present.ts'
import { type Hosts, type Step, addressBelow, siteAddress } from '../addresses.ts'
import type { FontsFrom } from '../customization/fonts.ts'
import { presentCustomization, presentSiteSpaceCustomizations } from '../customization/present.ts'
import { presentSite } from '../present.ts'
import type { SeenStructure } from '../see.ts'
import {
  type LinkRow,
  type ShownGroup,
  type ShownSection,
  type ShownSpace,
  type Structure,
  isGroup,
  isLink,
} from './structure.ts'
import type {
  PublishedSite,
  SiteExternalLink,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
} from './schema.ts'

/** `looks` contains the looks of site spaces that have one of their own. */
export async function presentPublishedSite(
  { db, url, hosts }: FontsFrom & { hosts: Hosts },
  seen: SeenStructure,
  looks: ReadonlyMap<string, object>,
  organization: OrganizationRow,
): Promise<Static<typeof PublishedSite>> {
  const { site, structure, shareKey } = seen
  const own = structure.siteSpaces.filter(({ id }) => looks.has(id))
  const shown = await presentSiteSpaceCustomizations(
    { db, url },
    site,
    own.map(({ id }) => looks.get(id) ?? null),
  )
  return {
    object: 'published-content-site',
    site: presentSite({ ...site, site_spaces: structure.siteSpaces.length }, organization, hosts, shareKey),
    structure: presentStructure(seen, hosts),
    customizations: {
      site: await presentCustomization({ db, url }, site),
      siteSpaces: Object.fromEntries(own.map(({ id }, at) => [id, shown[at]!])),
    },
    scripts: [],
  }
}

export function presentStructure(seen: SeenStructure, hosts: Hosts): Static<typeof SiteStructure> {
  const { inSections, top, root } = seen.structure
  if (!inSections) return { type: 'siteSpaces', structure: root.map((each) => presentSiteSpace(each, seen, hosts)) }
  return {
    type: 'sections',
    structure: top.map((each) => (isGroup(each) ? presentGroup(each, seen, hosts) : presentMember(each, seen, hosts))),
  }
}

export function presentGroup(row: ShownGroup, seen: SeenStructure, hosts: Hosts): Static<typeof SiteSectionGroup> {
  return {
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    ...(row.icon !== null && { icon: row.icon }),
    sections: row.sections.map((section) => presentSection(section, seen, hosts)),
    children: row.children.map((each) => presentMember(each, seen, hosts)),
  }
}

const presentMember = (each: ShownSection | LinkRow, seen: SeenStructure, hosts: Hosts) =>
  isLink(each) ? presentLink(each) : presentSection(each, seen, hosts)

export function presentLink(row: LinkRow): Static<typeof SiteExternalLink> {
  return {
    object: 'site-external-link',
    id: row.id,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    ...(row.icon !== null && { icon: row.icon }),
    url: row.url,
    ...(row.group_id !== null && { sectionGroup: row.group_id }),
    draft: row.draft,
    ...(row.condition !== null && { condition: row.condition }),
  }
}

export function presentSection(row: ShownSection, seen: SeenStructure, hosts: Hosts): Static<typeof SiteSection> {
  return {
    object: 'site-section',
    id: row.id,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    default: row.isDefault || row.standsIn === true,
    draft: row.draft,
    path: row.path,
    ...(row.condition !== null && { condition: row.condition }),
    ...(row.group_id !== null && { sectionGroup: row.group_id }),
    ...(row.icon !== null && { icon: row.icon }),
    siteSpaces: row.siteSpaces.map((each) => presentSiteSpace(each, seen, hosts)),
    urls: row.siteSpaces.every(({ isHidden }) => isHidden) ? {} : publishedAt(seen, hosts, row),
  }
}

export function presentSiteSpace(row: ShownSpace, seen: SeenStructure, hosts: Hosts): Static<typeof SiteSpace> {
  return {
    object: 'site-space',
    id: row.id,
    path: row.path,
    ...(row.section_id !== null && { section: row.section_id }),
    space: presentSpace(seen.spaces.get(row.space_id)!, hosts, seen.shareKey),
    title: row.title ?? row.space_title,
    default: row.isDefault || row.standsIn === true,
    draft: row.draft,
    ...(row.condition !== null && { condition: row.condition }),
    hasAdvancedCustomizationFeature: true,
    urls: row.isHidden ? {} : publishedAt(seen, hosts, sectionStep(seen, row), row),
  }
}

/** The path of a default section may be omitted only if the path of the space is not also that of a section. */
export function sectionStep({ structure }: SeenStructure, row: ShownSpace): Step | null {
  const { byId, paths } = sectionsIn(structure)
  const section = row.section_id === null ? undefined : byId.get(row.section_id)
  if (!section) return null
  const isMistaken = !row.isDefault && paths.has(row.path)
  return { path: section.path, isDefault: section.isDefault && !isMistaken }
}

interface Sections {
  byId: ReadonlyMap<string, ShownSection>
  paths: ReadonlySet<string>
}

/** Cached, because every space of a site needs them. */
const known = new WeakMap<Structure, Sections>()

function sectionsIn(structure: Structure): Sections {
  let found = known.get(structure)
  if (!found) {
    const { sections } = structure
    found = { byId: new Map(sections.map((each) => [each.id, each])), paths: new Set(sections.map(({ path }) => path)) }
    known.set(structure, found)
  }
  return found
}

/** A site that is opened by a share link has no address without the key. */
function publishedAt({ site, shareKey }: SeenStructure, hosts: Hosts, ...steps: (Step | null)[]) {
  if (!site.published || (site.visibility === 'share-link' && shareKey === undefined)) return {}
  return { published: addressBelow(siteAddress(hosts, site, shareKey), ...steps) }
}
