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

/** Receives the current row, and throws if it is not what the caller has read. */
type Check = (before: GitFollowingRow) => void

const sealedFor = 'git hook'

/**
 * Creates the hook and returns its secret, which is shown only this once. If there is a hook already, only its secret
 * is replaced, and the previous one becomes invalid.
 */
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

/** Removes the hook, so that calls to it are refused. The repository is looked at as often as before. */
export async function removeHook(tx: Transaction, space: Space, check: Check): Promise<void> {
  const before = await lockFollowing(tx, space.organization_id, space.id)
  if (!before || before.hook_id === null) throw notFound('push hook')
  check(before)
  await deleteHook(tx, before)
  recordHookGone(tx, space, before)
  tx.leaveRights()
}

/**
 * Makes the space look at its repository if the caller is the repository's host and something was pushed there. If the
 * hook does not exist, the call is checked against a secret that nobody knows, so that the response time does not
 * reveal this. Nothing else in the call is trusted.
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
