import type { Static } from 'typebox'
import type { TokenRow } from '../db/tables.ts'
import type { Token } from './schema.ts'

export function presentToken(row: TokenRow, url: string): Static<typeof Token> {
  return {
    object: 'token',
    id: row.id,
    label: row.label,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at.toISOString() }),
    urls: { location: `${url}/v1/user/tokens/${row.id}` },
  }
}
