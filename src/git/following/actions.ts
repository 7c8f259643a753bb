import type { Static } from 'typebox'
import { recordChange } from '../../changes/record.ts'
import type { GitFollowingRow, SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { notFound } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { about } from '../../spaces/actions.ts'
import { recordHookGone } from './hook/record.ts'
import { isSamePlace, readPlace } from '../place.ts'
import { deleteFollowing, lockFollowing, replaceFollowing } from './queries.ts'
import type { NewGitFollowing } from './schema.ts'

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/** Keeps the space in sync from now on, with the rights of the caller. `check` receives the previous row. */
export async function followRepository(
  tx: Transaction,
  secrets: Secrets,
  space: Space,
  body: Static<typeof NewGitFollowing>,
  check: (before: GitFollowingRow | undefined) => void,
): Promise<GitFollowingRow> {
  const { organization_id: organizationId, id: spaceId } = space
  const { direction = 'both', commitMessage = null } = body
  const place = readPlace(secrets, body)
  const before = await lockFollowing(tx, organizationId, spaceId)
  check(before)
  // Credentials that were given for one place are not used for another, or for another person: the person who gave them
  // may leave, and they would stay in use.
  const isTheirs = before !== undefined && before.asked_by === tx.by.actorId && isSamePlace(before, place)
  const following = {
    ...place,
    credentials: place.credentials ?? (isTheirs ? before.credentials : null),
    organization_id: organizationId,
    space_id: spaceId,
    id: newId(),
    direction,
    message: commitMessage,
    asked_by: tx.by.actorId,
  }
  // The secret of the hook is known only to the host of the previous URL, so the hook is kept only there.
  const isThere = before !== undefined && before.url === place.url
  if (!isThere) recordHookGone(tx, space, before)
  const row = await replaceFollowing(tx, following, isThere ? before : undefined)
  recordChange(tx, { ...about(organizationId, spaceId), action: 'space.git-following-set', details: { direction } })
  tx.leaveRights()
  return row
}

/** Stops following the repository and deletes the credentials. An operation that is under way ends normally. */
export async function endFollowing(tx: Transaction, space: Space): Promise<void> {
  const { organization_id, id } = space
  const ended = await deleteFollowing(tx, organization_id, id)
  if (!ended) throw notFound('repository that it is kept in sync with')
  recordHookGone(tx, space, ended)
  recordChange(tx, { ...about(organization_id, id), action: 'space.git-following-ended' })
  tx.leaveRights()
}
