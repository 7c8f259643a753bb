import type { OidcConfig } from '../config.ts'
import type { Transaction } from '../db/transaction.ts'
import { findFirstOrganization } from '../organizations/queries.ts'
import { addMember } from '../organizations/members.actions.ts'
import { type CodeHolder, findCodeHolder } from '../sessions/holder.queries.ts'
import { createUser } from '../users/actions.ts'
import { findUserByEmail } from '../users/queries.ts'
import type { Vouched } from './provider.ts'
import { LoginRefused } from './refusal.ts'

/**
 * Whoever the provider vouches for has shown that an address is theirs, no less than with a code that was mailed there:
 * they get in where that would let them. Newcomers get an account, if whoever runs this wants it so.
 */
export async function admit(tx: Transaction, config: OidcConfig, { email, name }: Vouched): Promise<CodeHolder> {
  const { role } = config
  const known = await findCodeHolder(tx, email, undefined)
  if (known) return known
  if ((await findUserByEmail(tx, email))?.disabled) throw new LoginRefused('disabled')
  if (role === undefined) throw new LoginRefused('no-account')
  const user = await createUser(tx, { email, ...(name !== undefined && { displayName: name }), emailVerified: true })
  // Another click made it this very moment: that one goes on, and so does this one.
  if (!user) return admit(tx, config, { email, name })
  const home = await findFirstOrganization(tx)
  if (home !== undefined) await addMember(tx, { organizationId: home, userId: user.id, role, sso: false })
  return { user, organizationId: null }
}
