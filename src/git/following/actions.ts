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

/** From here on the space is kept in step, with the rights of whoever asks for it. `check` sees what was there before. */
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
  // What somebody gave for one place opens no other, and nothing for anybody else: they may leave, and it would stay in use.
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
  // Its secret is known where the repository was, and at no other place.
  const isThere = before !== undefined && before.url === place.url
  if (!isThere) recordHookGone(tx, space, before)
  const row = await replaceFollowing(tx, following, isThere ? before : undefined)
  recordChange(tx, { ...about(organizationId, spaceId), action: 'space.git-following-set', details: { direction } })
  tx.leaveRights()
  return row
}

/** Nobody looks any more, and what it signed in with is gone. An operation that is under way ends as it would. */
export async function endFollowing(tx: Transaction, space: Space): Promise<void> {
  const { organization_id, id } = space
  const ended = await deleteFollowing(tx, organization_id, id)
  if (!ended) throw notFound('repository that it is kept in sync with')
  recordHookGone(tx, space, ended)
  recordChange(tx, { ...about(organization_id, id), action: 'space.git-following-ended' })
  tx.leaveRights()
}
