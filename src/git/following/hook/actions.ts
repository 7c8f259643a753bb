import { recordChange } from '../../../changes/record.ts'
import type { GitFollowingRow, SpaceRow } from '../../../db/tables.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { notFound } from '../../../http/errors.ts'
import type { App } from '../../../http/routes.ts'
import { newId } from '../../../ids.ts'
import { type Secrets, newSecret } from '../../../secrets.ts'
import { about } from '../../../spaces/actions.ts'
import { findFollowing, lockFollowing } from '../queries.ts'
import { type CalledHook, deleteHook, hurryCalled, noteCalled, noteRefused, updateHook } from './queries.ts'
import type { CallResult } from './present.ts'
import { recordHookGone } from './record.ts'
import { whatCame } from './push.ts'
import { type Call, isSigned } from './signature.ts'

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/** Sees what is there, and throws where it is not what somebody has read. */
type Check = (before: GitFollowingRow) => void

const sealedFor = 'git hook'

/** A hook with its secret, which is told this once; where there is one, its secret alone is new, and the one before worth nothing. */
export async function setUpHook(
  tx: Transaction,
  secrets: Secrets,
  space: Space,
  check: Check,
): Promise<{ row: GitFollowingRow; secret: string }> {
  const { organization_id, id } = space
  const before = await lockFollowing(tx, organization_id, id)
  if (!before) throw notFound('repository that it is kept in sync with')
  check(before)
  const secret = `lgh_${newSecret()}`
  await updateHook(tx, before, before.hook_id ?? newId(), secrets.seal(sealedFor, secret))
  const action = before.hook_id === null ? 'space.git-hook-set' : 'space.git-hook-secret-rotated'
  recordChange(tx, { ...about(organization_id, id), action })
  tx.leaveRights()
  return { row: (await findFollowing(tx, organization_id, id))!, secret }
}

/** Nobody is heard there any more. It is looked at as often as before. */
export async function removeHook(tx: Transaction, space: Space, check: Check): Promise<void> {
  const before = await lockFollowing(tx, space.organization_id, space.id)
  if (!before || before.hook_id === null) throw notFound('push hook')
  check(before)
  await deleteHook(tx, before)
  recordHookGone(tx, space, before)
  tx.leaveRights()
}

/**
 * Makes the space look, if this is the host of its repository and something was pushed there. For a hook that is not there a
 * secret that nobody knows is held against it: it is not told apart by being quicker. Nothing else of what is said is believed.
 */
export async function hearCall(
  { db, secrets, following }: Pick<App, 'db' | 'secrets' | 'following'>,
  hook: CalledHook | undefined,
  call: Call,
): Promise<CallResult | undefined> {
  const secret = hook ? secrets.open(sealedFor, hook.hook_secret) : newSecret()
  const isTheirs = isSigned(secret, call)
  if (hook && !isTheirs) await noteRefused(db, hook)
  if (!hook || !isTheirs) return undefined
  const came = whatCame(call, hook.ref)
  const result = came === 'look' && hook.is_stopped ? 'stopped' : came
  if (result !== 'look') await noteCalled(db, hook, result)
  else if (await hurryCalled(db, hook)) following.wake()
  return result
}
