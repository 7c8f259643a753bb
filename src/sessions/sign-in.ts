import type { UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { revokeTokensOf } from '../tokens/actions.ts'
import { changeUser } from '../users/actions.ts'
import type { CodeRow } from './codes.queries.ts'
import type { CodeHolder } from './holder.queries.ts'
import { type OpenedSession, endSession, endSessions, openSession } from './open.ts'
import type { SessionRow } from './queries.ts'

/** The browser in which a user signs in. */
export interface Browser {
  address: string
  userAgent: string
  /** The session that the browser had so far. It ends. */
  former: { id: string; user: UserRow } | undefined
  /** The secret of the session, given when two requests must get the same session. */
  secret?: string
}

/** Signs in a user who entered the right code. */
export async function signInWithCode(
  tx: Transaction,
  holder: CodeHolder,
  kind: CodeRow['kind'],
  browser: Browser,
): Promise<OpenedSession> {
  return kind === 'mailed' ? signInByAddress(tx, holder, 'code', browser) : signIn(tx, holder, 'code', browser)
}

/** Signs in a user who proved that the address of the account is theirs. */
export async function signInByAddress(
  tx: Transaction,
  holder: CodeHolder,
  method: 'code' | 'oidc',
  browser: Browser,
): Promise<OpenedSession> {
  const { user, organizationId } = holder
  // For an account that belongs to an organization, that organization has vouched for the address from the start.
  if (!user.email_verified && organizationId === null) await takeOver(tx, user)
  return signIn(tx, holder, method, browser)
}

export async function signIn(
  tx: Transaction,
  { user: { id: userId }, organizationId }: CodeHolder,
  method: SessionRow['method'],
  { former, ...browser }: Browser,
): Promise<OpenedSession> {
  if (former) await endSession(tx, former.user.id, former.id)
  return openSession(tx, { userId, organizationId, method, ...browser })
}

/**
 * Takes over an account whose address nobody had proved to read before. Somebody else may have created it in the hope
 * that the owner would come one day, so all of their ways in end here.
 */
async function takeOver(tx: Transaction, user: UserRow): Promise<void> {
  await endWaysIn(tx, user.id)
  await changeUser(tx, user, { email_verified: true })
}

/** Revokes all tokens and sessions of a user. */
export async function endWaysIn(tx: Transaction, userId: string): Promise<void> {
  await revokeTokensOf(tx, userId)
  await endSessions(tx, userId, null)
}
