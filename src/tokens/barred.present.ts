import type { Static } from 'typebox'
import type { MemberTokenRow } from './barred.queries.ts'
import type { MemberToken } from './barred.schema.ts'

export function presentMemberToken(row: MemberTokenRow): Static<typeof MemberToken> {
  return {
    object: 'token',
    id: row.id,
    label: row.label,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    barred: row.barred,
  }
}
