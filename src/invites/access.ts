import type { Static } from 'typebox'
import { type Caller, type Membership, accessOrganization } from '../access/caller.ts'
import { findCollectionFor, findSpaceFor } from '../access/content.ts'
import { collectionRights, mayGive, organizationRights, spaceRights } from '../access/rights.ts'
import { type Role, roles } from '../access/roles.ts'
import { type CollectionSeen, listCollectionsById } from '../collections/queries.ts'
import type { Db } from '../db/connect.ts'
import type { InviteRow, OrganizationRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, invalid, notFound } from '../http/errors.ts'
import type { Page } from '../http/paging.ts'
import { isId } from '../ids.ts'
import { type SpaceSeen, listSpacesById } from '../spaces/queries.ts'
import { contentOf } from './actions.ts'
import { type Content, type InviteKind, type OpenInvite, listInvites, lockOpenInvite } from './queries.ts'
import type { NewLinkInvite } from './schema.ts'

type Target = { type: 'space'; space: SpaceSeen } | { type: 'collection'; collection: CollectionSeen }

/** An invite as seen by a caller who manages it. */
export interface InviteSeen {
  row: InviteRow
  /** The caller's own role at the target of the invite. */
  own: Role | null
  target?: Target
}

/**
 * Checks where a new link may lead. Administrators invite to the organization; those who manage content invite to that
 * content.
 */
export async function accessTarget(
  db: Db,
  caller: Caller,
  body: Static<typeof NewLinkInvite>,
): Promise<{ membership: Membership; draft: { to?: Content; role: Role | null } }> {
  const named = ['role', 'space', 'collection'].filter((field) => field in body)
  if (named.length > 1) throw invalid(`body.${named[1]}`, 'kind', `excludes ${named[0]}: an invite leads to one thing`)
  if ('role' in body) {
    if ('level' in body) throw levelIsForContent()
    return { membership: accessOrganization(caller, 'admin'), draft: { role: body.role } }
  }
  const membership = accessOrganization(caller, 'view')
  const to: Content = 'space' in body ? { type: 'space', id: body.space } : { type: 'collection', id: body.collection }
  const found = isId(to.id) ? await findContent(db, caller, to) : undefined
  if (found?.organizationId !== membership.organization.id) {
    throw invalid(`body.${to.type}`, 'exists', `there is no such ${to.type}`)
  }
  if (!found.manages) throw forbidden(`invite to this ${to.type}`)
  if (!mayGive(found.role, body.level)) throw forbidden('give a role above your own')
  return { membership: { ...membership, role: found.role }, draft: { to, role: body.level } }
}

export const levelIsForContent = () =>
  invalid('body.level', 'kind', 'is for invites to content; one to the organization has a role')

/** Existing links are kept, but do not work until they are switched on again. */
export function requireInviteLinks({ invite_links }: OrganizationRow): void {
  if (!invite_links) throw forbidden('create invite links: this organization has switched them off')
}

/**
 * Returns an invite to a caller who could create such an invite, since its address grants its role. A caller who
 * manages nothing here cannot find out which invites exist.
 */
export async function accessInvite(
  db: Db,
  caller: Caller,
  find: (organizationId: string) => Promise<InviteRow | undefined>,
): Promise<InviteSeen> {
  const membership = accessOrganization(caller, 'view')
  const row = await find(membership.organization.id)
  const to = row && contentOf(row)
  const found = to && (await findContent(db, caller, to))
  if (!organizationRights(membership).admin) {
    if (!found?.manages) throw forbidden('administer this organization')
    if (!mayGive(found.role, row!.role)) throw forbidden('see an invite above your own role')
  }
  const [seen] = row ? await seeInvites(db, { ...membership, role: found?.role ?? membership.role }, [row]) : []
  if (!seen) throw notFound('invite')
  return seen
}

export async function listInvitesSeen(db: Db, membership: Membership, kind: InviteKind, page: Page) {
  const { rows, count } = await listInvites(db, membership.organization.id, kind, page)
  return { rows: await seeInvites(db, membership, rows), count }
}

/**
 * Lists the links to a space or collection for a caller who manages it: the ones that the caller could have created.
 */
export async function listInvitesTo(db: Db, caller: Caller, to: Content, page: Page) {
  const membership = accessOrganization(caller, 'view')
  const { organization } = membership
  const found = await findContent(db, caller, to)
  if (found?.organizationId !== organization.id || !found.manages) {
    accessOrganization(caller, 'admin')
    return { rows: [], count: 0 }
  }
  const giving = roles.filter((role) => mayGive(found.role, role))
  const { rows, count } = await listInvites(db, organization.id, 'link', page, { to, giving })
  return { rows: await seeInvites(db, { ...membership, role: found.role }, rows), count }
}

/**
 * Adds the targets of the invites. The caller has the same role on all of them: an administrator's role, or the role on
 * the one target that the caller manages.
 */
export async function seeInvites(
  db: Db,
  { organization, userId, role }: Membership,
  rows: InviteRow[],
): Promise<InviteSeen[]> {
  const [spaces, collections] = await Promise.all([
    listSpacesById(
      db,
      organization.id,
      userId,
      rows.flatMap(({ space_id }) => space_id ?? []),
    ),
    listCollectionsById(
      db,
      organization.id,
      userId,
      rows.flatMap(({ collection_id }) => collection_id ?? []),
    ),
  ])
  return rows.flatMap((row): InviteSeen[] => {
    const [space, collection] = [spaces.get(row.space_id ?? ''), collections.get(row.collection_id ?? '')]
    if (space) return [{ row, own: role, target: { type: 'space', space: { ...space, role: role! } } }]
    if (collection)
      return [{ row, own: role, target: { type: 'collection', collection: { ...collection, role: role! } } }]
    // The target was deleted at this very moment.
    return contentOf(row) ? [] : [{ row, own: role }]
  })
}

/**
 * Finds and locks an invite for the person who wants to accept it. Unknown, used, deleted and expired invites get the
 * same answer.
 */
export async function accessOpenInvite(tx: Transaction, secret: string, address: string): Promise<OpenInvite> {
  const invite = await lockOpenInvite(tx, secret, address)
  if (!invite) throw notFound('invite')
  return invite
}

async function findContent(db: Db, caller: Caller, { type, id }: Content) {
  if (type === 'space') {
    const found = await findSpaceFor(db, caller, id)
    if (!found) return undefined
    const { space, role } = found
    return { organizationId: space.organization_id, role, manages: spaceRights(role).viewInviteLinks }
  }
  const found = await findCollectionFor(db, caller, id)
  if (!found) return undefined
  const { collection, role } = found
  return { organizationId: collection.organization_id, role, manages: collectionRights(role).viewInviteLinks }
}
