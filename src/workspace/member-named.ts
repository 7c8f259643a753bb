import type { Transaction } from '../db/transaction.ts'
import { conflict } from '../http/errors.ts'
import { memberNamed } from '../organizations/members.access.ts'
import { findMembersNamed } from '../organizations/members.queries.ts'

/**
 * Returns the member that a form names, by a chosen id or by an e-mail address. Needed because the API's own message
 * asks for an id, which people do not type.
 */
export async function memberIn(tx: Transaction, organizationId: string, name: string): Promise<string> {
  const named = await findMembersNamed(tx, organizationId, [name])
  if ((named.get(name) ?? []).length > 1)
    throw conflict(
      'Several accounts here have this address. An administrator can remove the ones that are not needed under People.',
    )
  return memberNamed(named, name, 'user')
}
