import type { UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { revokeTokensOf } from '../tokens/actions.ts'
import { changeUser } from '../users/actions.ts'
import type { CodeRow } from './codes.queries.ts'
import type { CodeHolder } from './holder.queries.ts'
import { type OpenedSession, endSession, endSessions, openSession } from './open.ts'
import type { SessionRow } from './queries.ts'

/** The browser that somebody signs in with. */
export interface Browser {
  address: string
  userAgent: string
  /** What it is signed in as until now: that ends. */
  former: { id: string; user: UserRow } | undefined
  /** Of the session, where two requests are to get the same one. */
  secret?: string
}

/** Somebody entered the right code. */
export async function signInWithCode(
  tx: Transaction,
  holder: CodeHolder,
  kind: CodeRow['kind'],
  browser: Browser,
): Promise<OpenedSession> {
  return kind === 'mailed' ? signInByAddress(tx, holder, 'code', browser) : signIn(tx, holder, 'code', browser)
}

/** Somebody showed that the address of the account is theirs. */
export async function signInByAddress(
  tx: Transaction,
  holder: CodeHolder,
  method: 'code' | 'oidc',
  browser: Browser,
): Promise<OpenedSession> {
  const { user, organizationId } = holder
  // For an account that belongs to an organization, that organization has answered all along.
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
 * An account whose address nobody had proved to read, until now. Somebody else may have made it, in the hope that its
 * owner comes one day: whatever they could still get in with ends here.
 */
async function takeOver(tx: Transaction, user: UserRow): Promise<void> {
  await endWaysIn(tx, user.id)
  await changeUser(tx, user, { email_verified: true })
}

/** Whatever somebody could still get in with ends. */
export async function endWaysIn(tx: Transaction, userId: string): Promise<void> {
  await revokeTokensOf(tx, userId)
  await endSessions(tx, userId, null)
}
