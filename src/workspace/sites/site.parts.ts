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

/** What all pages about a site are built from. */
export interface BuiltParts extends Said {
  /** The path of the page of the site. Its forms are sent to paths below it. */
  path: string
  organization: OrganizationRow
  seen: SeenStructure
  /** Where readers find the site, or will find it. */
  address: string
  /** The rights of the current user. */
  rights: ReturnType<typeof siteRights>
  /** The spaces that can be added, without those that are already on the site. */
  toShow: SpacesToShow
  form: string
}

/** What the page of a site shows. */
export interface SiteParts extends BuiltParts, Kept {
  links: Static<typeof ShareLink>[]
  /** The current time according to the database, which decides whether links have expired. */
  now: Date
}

/** What the user typed or chose before the form was refused. */
export interface Kept extends KeptOfSpaces {
  title?: string
  visibility?: Visibility
  /** For a new secret link. */
  secretLink?: ChosenEnd & { name: string; password: string }
  /** The new expiry of one of the links. */
  ending?: ChosenEnd & { of: string }
  /** A password that was refused, and the link that it was for. */
  locking?: { of: string; password: string }
}

/** The same for spaces in one list. */
export interface KeptOfSpaces {
  /** The new title and path of one of the spaces. */
  named?: Named & { of: string }
  /** The new condition for who sees one of the spaces. */
  seenBy?: { of: string; condition: string }
  /** The space to add. */
  space?: string
  /** Where one of the spaces is to be moved. */
  moving?: TypedMove
  /** A version to be created of one of the spaces. */
  version?: { of: string; title: string; shown: boolean }
}

/** The title and the path, if the user changed them. */
export interface Named {
  title?: string
  path?: string
}

/** Identifies what a user has seen when they publish a site: who will be able to read it, and which spaces. */
export const stateOf = ({ visibility }: SiteRow, { siteSpaces }: Structure) =>
  asSeen([visibility, siteSpaces.filter(({ isHidden }) => !isHidden).map(({ space_id }) => space_id)])
