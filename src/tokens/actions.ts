import type { Scope } from '../access/scopes.ts'
import { recordChange } from '../changes/record.ts'
import type { TokenRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { insertToken, listUnrevoked, markRevoked } from './queries.ts'

export interface TokenDraft {
  userId: string
  label: string
  scopes?: Scope[] | null
  expiresAt?: Date | null
}

/** A new token and its secret, which is kept nowhere. */
export async function createToken(tx: Transaction, draft: TokenDraft): Promise<{ row: TokenRow; secret: string }> {
  const secret = `lct_${newSecret()}`
  return { row: await keepToken(tx, draft, secret, false), secret }
}

/** A token whose secret somebody else chose: the operator, in the environment. */
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
  recordChange(tx, { ...about(row.id), action: 'token.created' })
  return row
}

/** From the next request on it opens nothing. */
export async function revokeToken(tx: Transaction, id: string): Promise<void> {
  if (await markRevoked(tx, id)) recordChange(tx, { ...about(id), action: 'token.revoked' })
}

/** All that somebody has. */
export async function revokeTokensOf(tx: Transaction, userId: string): Promise<void> {
  for (const { id } of await listUnrevoked(tx, userId)) await revokeToken(tx, id)
}

const about = (id: string) => ({ organizationId: null, target: { type: 'token', id } })
