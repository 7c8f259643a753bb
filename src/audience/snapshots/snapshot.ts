import type { RedirectDestination, SiteRow } from '../../db/tables.ts'
import type { Revision } from '../../revisions/revision.ts'
import type { SitePlace } from '../../sites/addresses.ts'
import { type ClaimsSchema, schemaOf } from '../../sites/adaptive/claims.ts'
import { RedirectMatcher } from '../../sites/redirects/match.ts'
import {
  type ShownSection,
  type ShownSpace,
  type Skeleton,
  type Structure,
  arrange,
} from '../../sites/structure/structure.ts'
import { type Condition, conditionOf } from './conditions.ts'
import type { FontOfSite, SiteRows, SpaceOfSite } from './snapshot.queries.ts'

/**
 * Everything that decides what readers see of a site, from one moment. Immutable: every change creates a new snapshot.
 * Does not contain the pages themselves, which are found by the revision of each variant.
 */
export interface SiteSnapshot {
  site: SiteRow
  organization: { id: string; hostname: string; title: string }
  /** The parts of its addresses. */
  place: SitePlace
  claims: ClaimsSchema
  /** The rows of the structure, for people who see only some of the spaces. */
  skeleton: Skeleton
  structure: Structure
  sections: Level<Section>
  /** Spaces at the root, if the site has no sections. */
  root: Level<Variant>
  variants: ReadonlyMap<string, Variant>
  redirects: RedirectMatcher<SiteRedirect>
  /** Whether some of its spaces had another place before. */
  hasFormerPlaces: boolean
  /** All redirects including drafts, for previews. */
  draftRedirects: RedirectMatcher<SiteRedirect>
  redirectCount: number
  /** Hashes of the share keys that open it now. */
  shareKeys: ReadonlySet<string>
  /** Share links that ask for a password first, by the hashes of their keys. */
  lockedKeys: ReadonlyMap<string, string>
  /** Ids of the pictures that were uploaded for it. */
  pictures: ReadonlySet<string>
  /** Fonts used by the site or one of its spaces, by their ids. */
  fonts: ReadonlyMap<string, FontOfSite>
  /** Set in the preview of a change request: the change request, and the main content of its space. */
  draft?: PreviewedChange & { main: Revision | undefined }
}

/** A change request in a preview. */
export interface PreviewedChange {
  number: number
  subject: string
  /** Its space. */
  spaceId: string
  /** Applies it to a newer snapshot, if the viewer may still see it. */
  renew: (snapshot: SiteSnapshot) => Promise<SiteSnapshot>
  /** The address of its page, for a viewer who came from there. */
  reviewUrl?: string
}

export interface Section {
  row: ShownSection
  path: string
  isDefault: boolean
  condition: Condition
  variants: Level<Variant>
}

/** A space as a site shows it. */
export interface Variant {
  row: ShownSpace
  path: string
  isDefault: boolean
  /** Shown only in previews. */
  isDraft: boolean
  condition: Condition
  title: string
  space: { id: string; title: string; emoji: string | null; icon: string | null; language: string | null }
  customization: Record<string, unknown> | null
  /** The head of its main line. */
  head: Revision
}

/** Sections or variants on the same level, in order. */
export interface Level<Item> {
  all: readonly Item[]
  byPath: ReadonlyMap<string, Item>
  /** The item that shows without its own path. */
  default: Item | undefined
}

export interface SiteRedirect {
  id: string
  source: string
  match: string
  captureWildcard: boolean
  permanent: boolean
  destination: RedirectDestination
}

export function makeSnapshot(rows: SiteRows): SiteSnapshot {
  const { site, organization } = rows
  const skeleton: Skeleton = {
    groups: rows.groups,
    sections: rows.sections,
    links: rows.links,
    siteSpaces: rows.siteSpaces,
  }
  const structure = arrange(skeleton, () => true)
  const details = new Map(rows.siteSpaces.map((row) => [row.id, row]))
  const variantOf = (row: ShownSpace) => makeVariant(site, row, details.get(row.id)!)
  const sections = structure.sections.map((row) => makeSection(row, variantOf))
  const root = structure.root.map(variantOf)
  const variants = [...root, ...sections.flatMap((section) => section.variants.all)]
  const redirects = rows.redirects.map((row) => ({
    ...row,
    captureWildcard: row.capture_wildcard,
    destination: row.destination as RedirectDestination,
  }))
  const live = redirects.filter(({ draft }) => !draft)
  return {
    site,
    organization: { id: site.organization_id, ...organization },
    place: { ...site, organization_hostname: organization.hostname },
    claims: schemaOf(site),
    skeleton,
    structure,
    sections: levelOf(sections),
    root: levelOf(root),
    variants: new Map(variants.map((variant) => [variant.row.id, variant])),
    redirects: new RedirectMatcher(live),
    draftRedirects: new RedirectMatcher([...live, ...redirects.filter(({ draft }) => draft)]),
    redirectCount: redirects.length,
    hasFormerPlaces: rows.hasFormerPlaces,
    shareKeys: new Set(rows.shareKeys),
    lockedKeys: new Map(rows.lockedKeys.map(({ hash, id }) => [hash, id])),
    pictures: new Set(rows.pictures),
    fonts: new Map(rows.fonts.map((font) => [font.id, font])),
  }
}

function makeSection(row: ShownSection, variantOf: (row: ShownSpace) => Variant): Section {
  const { path, isDefault } = row
  const variants = levelOf(row.siteSpaces.map(variantOf))
  return { row, path, isDefault, condition: conditionOf(row.condition), variants }
}

function makeVariant(site: SiteRow, row: ShownSpace, more: SpaceOfSite): Variant {
  const { space_emoji: emoji, space_icon: icon, space_language: language } = more
  return {
    row,
    path: row.path,
    isDefault: row.isDefault,
    isDraft: row.isHidden,
    condition: conditionOf(row.condition),
    title: row.title ?? row.space_title,
    space: { id: row.space_id, title: row.space_title, emoji, icon, language },
    customization: more.customization,
    head: {
      organizationId: site.organization_id,
      lineId: more.line_id,
      seq: more.head_seq,
      id: more.head_id,
      base: undefined,
    },
  }
}

function levelOf<Item extends { path: string; isDefault: boolean }>(all: Item[]): Level<Item> {
  return {
    all,
    byPath: new Map(all.map((each) => [each.path, each])),
    default: all.find((each) => each.isDefault) ?? all[0],
  }
}

/** Whether readers get anything from a site: it is published, and shows spaces that are neither drafts nor in the trash. */
export const answersReaders = ({ site, variants }: SiteSnapshot): boolean =>
  site.published && variants.values().some((variant) => !variant.isDraft)

/** Returns the same site, with one space as a change request has it, even if the site does not show that space yet. */
export function withDraft(
  snapshot: SiteSnapshot,
  { head, ...change }: PreviewedChange & { head: Revision },
): SiteSnapshot {
  const { spaceId } = change
  const main = [...snapshot.variants.values()].find(({ space }) => space.id === spaceId)?.head
  const redrawn = new Map(
    [...snapshot.variants].map(([id, variant]) => [
      id,
      variant.space.id === spaceId ? { ...variant, head, isDraft: false } : variant,
    ]),
  )
  const redraw = ({ all }: Level<Variant>) => levelOf(all.map(({ row }) => redrawn.get(row.id)!))
  const sections = snapshot.sections.all.map((section) => ({ ...section, variants: redraw(section.variants) }))
  return {
    ...snapshot,
    root: redraw(snapshot.root),
    sections: levelOf(sections),
    variants: redrawn,
    draft: { ...change, main },
  }
}
