import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { copyBars, deleteBar, insertBar } from './barred.queries.ts'

/**
 * From the next request on, the token does not count as a member of this organization. Elsewhere it works as before.
 */
export async function barToken(tx: Transaction, organizationId: string, tokenId: string): Promise<void> {
  if (await insertBar(tx, organizationId, tokenId))
    recordChange(tx, { ...about(organizationId, tokenId), action: 'token.barred' })
}

export async function unbarToken(tx: Transaction, organizationId: string, tokenId: string): Promise<void> {
  if (await deleteBar(tx, organizationId, tokenId))
    recordChange(tx, { ...about(organizationId, tokenId), action: 'token.unbarred' })
}

/** Otherwise, a barred token could create a successor that is not barred. */
export async function inheritBars(tx: Transaction, from: { id: string }, to: { id: string }): Promise<void> {
  await copyBars(tx, from.id, to.id)
}

const about = (organizationId: string, tokenId: string) => ({ organizationId, target: { type: 'token', id: tokenId } })
