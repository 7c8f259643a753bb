import type { Static } from 'typebox'
import type { siteRights } from '../../access/rights.ts'
import type { OrganizationRow, SiteRow } from '../../db/tables.ts'
import type { SeenStructure } from '../../sites/see.ts'
import type { ShareLink } from '../../sites/share-links/schema.ts'
import type { Structure } from '../../sites/structure/structure.ts'
import type { Visibility } from './audiences.ts'
import type { Said } from '../said.ts'
import { asSeen } from '../seen.ts'
import type { ChosenEnd } from './share-links/ends.ts'
import type { TypedMove } from './structure/moving.page.ts'
import type { SpacesToShow } from './structure/spaces-to-show.ts'

/** What all pages about a site are made of. */
export interface BuiltParts extends Said {
  /** Where the page of the site is: forms lead below it. */
  path: string
  organization: OrganizationRow
  seen: SeenStructure
  /** Where readers find it, or will. */
  address: string
  /** Of whoever looks. */
  rights: ReturnType<typeof siteRights>
  /** Without those that are in it. */
  toShow: SpacesToShow
  form: string
}

/** What is shown on the page of a site. */
export interface SiteParts extends BuiltParts, Kept {
  links: Static<typeof ShareLink>[]
  /** What time it is for the database: their ends are judged by that. */
  now: Date
}

/** What somebody typed or chose before their form was refused. */
export interface Kept extends KeptOfSpaces {
  title?: string
  visibility?: Visibility
  /** Of a new secret link. */
  secretLink?: ChosenEnd & { name: string; password: string }
  /** When one of the links is to end. */
  ending?: ChosenEnd & { of: string }
  /** A password that was refused, and the link that it was for. */
  locking?: { of: string; password: string }
}

/** The same about spaces that stand beside each other. */
export interface KeptOfSpaces {
  /** What one of them is to be called, and its path. */
  named?: Named & { of: string }
  /** Who is to see one of them. */
  seenBy?: { of: string; condition: string }
  /** The space to add. */
  space?: string
  /** Where one of them is to go. */
  moving?: TypedMove
  /** A version that is to be made of one of them. */
  version?: { of: string; title: string; shown: boolean }
}

/** Of the two, what somebody changed. */
export interface Named {
  title?: string
  path?: string
}

/** Whoever publishes a site has seen this, and nothing else: who will read it, and what. */
export const stateOf = ({ visibility }: SiteRow, { siteSpaces }: Structure) =>
  asSeen([visibility, siteSpaces.filter(({ isHidden }) => !isHidden).map(({ space_id }) => space_id)])
