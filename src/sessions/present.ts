import type { Static } from 'typebox'
import type { SessionRow } from './queries.ts'
import type { Session } from './schema.ts'

export function presentSession(row: SessionRow, url: string): Static<typeof Session> {
  return {
    object: 'session',
    id: row.id,
    method: row.method,
    organization: row.organization_id,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    urls: { location: `${url}/v1/user/sessions/${row.id}` },
  }
}
