import type { OidcConfig } from '../config.ts'
import type { Transaction } from '../db/transaction.ts'
import { findFirstOrganization } from '../organizations/queries.ts'
import { addMember } from '../organizations/members.actions.ts'
import { type CodeHolder, findCodeHolder } from '../sessions/holder.queries.ts'
import { createUser } from '../users/actions.ts'
import type { Vouched } from './provider.ts'
import { LoginRefused } from './refusal.ts'

/**
 * Whoever the provider vouches for has shown that an address is theirs, no less than with a code that was mailed there:
 * they get in where that would let them. Newcomers get an account, if whoever runs this wants it so.
 */
export async function admit(tx: Transaction, { role }: OidcConfig, { email, name }: Vouched): Promise<CodeHolder> {
  const known = await findCodeHolder(tx, email, undefined)
  if (known) return known
  if (role === undefined) throw new LoginRefused('no-account')
  const user = await createUser(tx, { email, ...(name !== undefined && { displayName: name }), emailVerified: true })
  if (!user) return takenBy(tx, email)
  const home = await findFirstOrganization(tx)
  if (home !== undefined) await addMember(tx, { organizationId: home, userId: user.id, role, sso: false })
  return { user, organizationId: null }
}

/** There is an account, then: it was made this very moment, by another click, or it may not come in. */
async function takenBy(tx: Transaction, email: string): Promise<CodeHolder> {
  const holder = await findCodeHolder(tx, email, undefined)
  if (!holder) throw new LoginRefused('disabled')
  return holder
}
