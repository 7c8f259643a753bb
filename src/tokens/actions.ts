import type { Scope } from '../access/scopes.ts'
import { recordChange } from '../changes/record.ts'
import type { TokenRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { listPlacesOf } from '../sessions/queries.ts'
import { insertToken, listUnrevoked, markRevoked } from './queries.ts'

export interface TokenDraft {
  userId: string
  label: string
  scopes?: Scope[] | null
  expiresAt?: Date | null
}

/** Creates a token and its secret, which is not stored. */
export async function createToken(tx: Transaction, draft: TokenDraft): Promise<{ row: TokenRow; secret: string }> {
  const secret = `lct_${newSecret()}`
  return { row: await keepToken(tx, draft, secret, false), secret }
}

/** Stores a token whose secret was chosen elsewhere: by the operator, in the environment. */
export async function keepToken(tx: Transaction, draft: TokenDraft, secret: string, fromEnvironment: boolean) {
  const { userId, label, scopes = null, expiresAt = null } = draft
  const row = await insertToken(tx, {
    id: newId(),
    userId,
    hash: hashOf(secret),
    label,
    scopes,
    expiresAt,
    fromEnvironment,
  })
  await record(tx, row, 'token.created')
  return row
}

/** From the next request on, the token opens nothing. */
export async function revokeToken(tx: Transaction, id: string): Promise<void> {
  const row = await markRevoked(tx, id)
  if (row) await record(tx, row, 'token.revoked')
}

/** Revokes all tokens of a user. */
export async function revokeTokensOf(tx: Transaction, userId: string): Promise<void> {
  for (const { id } of await listUnrevoked(tx, userId)) await revokeToken(tx, id)
}

/**
 * Adds an entry to the record of each organization that the token opens (fifty at most), naming its owner, because some
 * tokens are created by operators.
 */
async function record(tx: Transaction, row: TokenRow, action: 'token.created' | 'token.revoked'): Promise<void> {
  const about = { action, target: { type: 'token', id: row.id }, details: { member: row.user_id } }
  const places = await listPlacesOf(tx, row.user_id)
  for (const organizationId of places.length > 0 ? places : [null]) recordChange(tx, { ...about, organizationId })
}
