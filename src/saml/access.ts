import { type Caller, type Membership, accessOrganization } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { type SamlProviderRow, findProvider, lockProvider } from './queries.ts'

/** Returns a provider to an administrator. */
export async function accessProvider(
  db: Db,
  caller: Caller,
  id: string,
): Promise<{ membership: Membership; provider: SamlProviderRow }> {
  const membership = accessOrganization(caller, 'admin')
  const provider = await findProvider(db, membership.organization.id, id)
  if (!provider) throw notFound('SAML provider')
  return { membership, provider }
}

/** The same, locked. */
export async function accessProviderToChange(
  tx: Transaction,
  { organization }: Membership,
  id: string,
): Promise<SamlProviderRow> {
  const provider = await lockProvider(tx, organization.id, id)
  if (!provider) throw notFound('SAML provider')
  return provider
}
