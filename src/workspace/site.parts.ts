import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import type { siteRights } from '../access/rights.ts'
import type { OrganizationRow, SiteRow } from '../db/tables.ts'
import type { SeenStructure } from '../sites/see.ts'
import type { ShareLink } from '../sites/share-links/schema.ts'
import type { Structure } from '../sites/structure/structure.ts'
import type { Visibility } from './audiences.ts'
import type { Said } from './said.ts'
import type { SpacesToShow } from './spaces-to-show.ts'

/** What is shown on the page of a site. */
export interface SiteParts extends Said, Kept {
  /** Where the page is: its forms lead below it. */
  path: string
  organization: OrganizationRow
  seen: SeenStructure
  /** Where readers find it, or will. */
  address: string
  /** Where readers find each of its spaces, if they can by the plain address. */
  addresses: ReadonlyMap<string, string>
  /** Of whoever looks. */
  rights: ReturnType<typeof siteRights>
  /** Without those that are in it. */
  toShow: SpacesToShow
  links: Static<typeof ShareLink>[]
  form: string
}

/** What somebody typed or chose before their form was refused. */
export interface Kept {
  title?: string
  visibility?: Visibility
  /** The new path of one of its spaces. */
  moved?: { of: string; text: string }
  /** The space to add. */
  space?: string
  /** Of a new link. */
  name?: string
}

/** Whoever publishes a site has seen this, and nothing else: who will read it, and what. */
export const stateOf = ({ visibility }: SiteRow, { siteSpaces }: Structure) =>
  hash('sha256', JSON.stringify([visibility, siteSpaces.map(({ space_id }) => space_id)]), 'base64url')
