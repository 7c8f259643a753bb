import { hash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { SiteRow, SpaceRow } from '../db/tables.ts'
import { spaceColumns } from '../access/content.ts'
import type { App } from '../http/routes.ts'
import { nilId } from '../ids.ts'
import type { ClaimValues } from '../sites/adaptive/claims.ts'
import { shareKeyHash } from '../sites/share-links/keys.ts'
import { readSigned, writeSigned } from '../signed.ts'
import { type SiteSnapshot, type Variant, answersReaders } from './snapshots/snapshot.ts'
import { visiblePlaces } from './snapshots/structure.ts'
import { type Presented, type Visitor, tokenOf, visitorWith } from './visitors/visitor.ts'

/** A visitor of a site who reads through the API: only the content that the site currently shows them. */
export interface SiteReader {
  snapshot: SiteSnapshot
  visitor: Visitor
}

const purpose = 'site content'
const prefix = 'lcc_'
const lifeSeconds = 3_600

/** The content of a content token. Names are short because it is sent with every call. */
interface Content {
  site: string
  until: number
  claims: ClaimValues
  unsigned: unknown
  /** The hash of the share key that let the visitor in. */
  key?: string
  /** Fingerprint of the signing key of the visitor's token. */
  signed?: string
}

/** Creates a content token for an admitted visitor. It never outlives what let them in. */
export function writeContentToken(app: App, snapshot: SiteSnapshot, presented: Presented): string {
  const now = Math.floor(Date.now() / 1000)
  const token = tokenOf(app.secrets, snapshot, presented.token)
  const content: Content = {
    site: snapshot.site.id,
    until: Math.min(now + lifeSeconds, token?.expires ?? Infinity),
    claims: token?.claims ?? {},
    unsigned: presented.unsigned ?? {},
    ...(presented.shareKey !== undefined && { key: shareKeyHash(presented.shareKey) }),
    ...(token && { signed: fingerprint(snapshot.site) }),
  }
  return prefix + writeSigned(app.secrets, purpose, content)
}

/**
 * Returns the visitor with a content token, as the site sees them now. A site that has been unpublished or locked since
 * lets nobody in.
 */
export async function findReader(app: App, secret: string): Promise<Caller | undefined> {
  const content = readSigned<Content>(app.secrets, purpose, secret.slice(prefix.length))
  if (!content || content.until * 1000 <= Date.now()) return undefined
  const snapshot = await app.audience.snapshots.get(content.site)
  if (!snapshot || !isStillIn(snapshot, content)) return undefined
  const visitor = await app.audience.asSeen(snapshot, visitorWith(snapshot, content.claims, content.unsigned))
  return { ...nobody, token: { id: tokenId(secret), scopes: [] }, reader: { snapshot, visitor } }
}

function isStillIn(snapshot: SiteSnapshot, { key, signed }: Content): boolean {
  const { site, shareKeys } = snapshot
  if (!answersReaders(snapshot)) return false
  // A new signing key invalidates all that the old one signed, even if the site requires no sign-in.
  if (signed !== undefined && signed !== fingerprint(site)) return false
  if (site.visibility === 'share-link') return key !== undefined && shareKeys.has(key)
  return site.visibility !== 'visitor-auth' || signed !== undefined
}

/** Differs for each signing key. */
const fingerprint = ({ auth_key }: SiteRow) => hash('sha256', auth_key, 'base64url').slice(0, 22)

const tokenId = (secret: string) => `content ${hash('sha256', secret, 'base64url')}`

/** Has no account and no rights anywhere. The site decides what a reader may read. */
const nobody = {
  user: {
    id: nilId,
    email: '',
    email_verified: false,
    display_name: 'Visitor',
    photo_url: null,
    instance_admin: false,
    disabled: false,
    created_at: new Date(0),
  },
  membership: undefined,
}

/** Returns a space that the site shows to this reader, and its variant, which shows the main line. */
export async function findSpaceForReader(
  db: Db,
  reader: SiteReader,
  spaceId: string,
): Promise<{ space: SpaceRow; variant: Variant } | undefined> {
  const place = visiblePlaces(reader.snapshot, reader.visitor).find(({ variant }) => variant.space.id === spaceId)
  if (!place) return undefined
  const space = await db.find(sql<SpaceRow>`
    select ${spaceColumns} from spaces s
    where s.organization_id = ${reader.snapshot.organization.id} and s.id = ${spaceId} and s.deleted_at is null`)
  return space && { space, variant: place.variant }
}
