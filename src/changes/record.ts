import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId, nilId } from '../ids.ts'

/** An action and what it was done to. `fields` names what changed; content and secrets stay out. */
export interface Change {
  action: `${string}.${string}`
  organizationId: string | null
  /** The actor, if the change itself determines who that is, as in a sign-in. */
  actorId?: string
  target: { type: string; id: string }
  fields?: string[]
  /**
   * Ids of what the target is part of, and words from closed lists, such as a status or a role. Never content, never a
   * secret.
   */
  details?: Record<string, string>
}

/** Stands in for the organization of a change that belongs to none: to an account, a token. */
export const noOrganization = nilId

/**
 * Records the change in its transaction: the audit entry and the event to deliver are one row, so neither can exist
 * without the change itself. The answer is not awaited: the row is sent along with the commit.
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
