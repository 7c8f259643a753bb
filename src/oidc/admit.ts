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
 * Signs in a person whose address the identity provider vouches for. This proves the address just as well as a code
 * mailed to it: the person gets in wherever such a code would let them in. Newcomers get an account if the operator
 * configured a role for them.
 */
export async function admit(tx: Transaction, config: OidcConfig, { email, name }: Vouched): Promise<CodeHolder> {
  const { role } = config
  const known = await findCodeHolder(tx, email, undefined)
  if (known) return known
  if ((await findUserByEmail(tx, email))?.disabled) throw new LoginRefused('disabled')
  if (role === undefined) throw new LoginRefused('no-account')
  const user = await createUser(tx, { email, ...(name !== undefined && { displayName: name }), emailVerified: true })
  // Another request created the account at this moment. Both can go on.
  if (!user) return admit(tx, config, { email, name })
  const home = await findFirstOrganization(tx)
  if (home !== undefined) await addMember(tx, { organizationId: home, userId: user.id, role, sso: false })
  return { user, organizationId: null }
}
