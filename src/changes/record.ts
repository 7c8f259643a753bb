import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId, nilId } from '../ids.ts'

/** What happened to what. `fields` names what changed; content and secrets stay out. */
export interface Change {
  action: `${string}.${string}`
  organizationId: string | null
  /** Who did it, where that comes out only with the change itself: somebody signs in. */
  actorId?: string
  target: { type: string; id: string }
  fields?: string[]
  /** Ids of what it is part of, and words of closed lists, such as a status or a role. Never content, never a secret. */
  details?: Record<string, string>
}

/** Where a change belongs to no organization: an account, a token. */
export const noOrganization = nilId

/**
 * Writes the change into the record of its transaction: the audit entry and the event to deliver are one row, so
 * neither can be there without the change itself. Its answer is not waited for: it travels with the commit.
 */
export function recordChange(tx: Transaction, change: Change): void {
  const { tokenId, requestId, address } = tx.by
  const { action, organizationId, target, fields, actorId = tx.by.actorId } = change
  const details = Object.keys(change.details ?? {}).length > 0 ? change.details : null
  tx.runLater(sql`
    insert into changes (id, organization_id, action, actor_id, token_id, target_type, target_id, fields, details, request_id,
      address)
    values (${newId()}, ${organizationId ?? noOrganization}, ${action}, ${actorId}, ${tokenId}, ${target.type}, ${target.id},
      ${fields ?? null}, ${details}::jsonb, ${requestId}, ${address})`)
}
