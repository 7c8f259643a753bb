import type { Static } from 'typebox'
import { labelOf } from './catalogue.ts'
import type { AuditEntry } from './queries.ts'
import type { AuditEvent } from './schema.ts'

export function presentAuditEvent(row: AuditEntry, url: string): Static<typeof AuditEvent> {
  return {
    object: 'audit-event',
    id: row.id,
    action: row.action,
    label: labelOf(row.action),
    createdAt: row.at.toISOString(),
    actor: presentActor(row),
    target: { type: row.target_type, id: row.target_id },
    request: {
      ...(row.request_id !== null && { id: row.request_id }),
      ...(row.address !== null && { address: row.address }),
    },
    payload: {
      ...(row.fields !== null && { fields: row.fields }),
      ...(row.details !== null && { details: row.details }),
    },
    urls: { location: `${url}/v1/orgs/${row.organization_id}/audit-events/${row.id}` },
  }
}

function presentActor(row: AuditEntry): Static<typeof AuditEvent>['actor'] {
  if (row.actor_id === null) return { type: 'system' }
  return {
    type: 'user',
    id: row.actor_id,
    ...(row.actor_name !== null && { displayName: row.actor_name }),
    ...(row.actor_email !== null && { email: row.actor_email }),
    ...(row.token_id !== null && { token: row.token_id }),
  }
}
