import type { Static } from 'typebox'
import type { TokenRow } from '../db/tables.ts'
import type { Token } from './schema.ts'

export function presentToken(row: TokenRow, url: string): Static<typeof Token> {
  return {
    ...presentTokenItself(row),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at.toISOString() }),
    urls: { location: `${url}/v1/user/tokens/${row.id}` },
  }
}

/** The state that a write compares: using a token does not change it. */
export const presentTokenState = (row: TokenRow, url: string) => presentToken({ ...row, used_at: null }, url)

/** What anyone who may see the token sees of it. */
export function presentTokenItself(row: Omit<TokenRow, 'revoked_at'>) {
  return {
    object: 'token' as const,
    id: row.id,
    label: row.label,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    ...(row.used_at !== null && { lastUsedAt: row.used_at.toISOString() }),
  }
}
