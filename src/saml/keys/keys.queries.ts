import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { ProviderKey } from '../queries.ts'

/** Our key for one provider. */
export interface SamlKeyRow {
  organization_id: string
  provider_id: string
  id: string
  /** As PEM. */
  certificate: string
  private_key_sealed: Buffer
  expires_at: Date
  created_at: Date
}

const columns = sql`k.organization_id, k.provider_id, k.id, k.certificate, k.private_key_sealed, k.expires_at, k.created_at`

/** Lists the oldest first: it is the one that signs. */
export async function listKeys(db: Db, { organization_id, id }: ProviderKey): Promise<SamlKeyRow[]> {
  return db.all(sql<SamlKeyRow>`
    select ${columns} from saml_keys k where k.organization_id = ${organization_id} and k.provider_id = ${id}
    order by k.created_at, k.id`)
}

/** Lists the keys of several providers of an organization, by provider id, the oldest first. */
export async function listKeysByProvider(
  db: Db,
  organizationId: string,
  providerIds: string[],
): Promise<Map<string, SamlKeyRow[]>> {
  if (providerIds.length === 0) return new Map()
  const rows = await db.all(sql<SamlKeyRow>`
    select ${columns} from saml_keys k
    where k.organization_id = ${organizationId} and k.provider_id = any(${providerIds}::uuid[]) order by k.created_at, k.id`)
  return Map.groupBy(rows, ({ provider_id }) => provider_id)
}

/**
 * Stores the current time, not that of the beginning of the transaction: a transaction that waited for the lock on the
 * provider then comes after those it waited for, and its key does not displace the one that signs.
 */
export async function insertKey(tx: Transaction, row: Omit<SamlKeyRow, 'created_at'>): Promise<SamlKeyRow> {
  return tx.one(sql<SamlKeyRow>`
    insert into saml_keys as k (organization_id, provider_id, id, certificate, private_key_sealed, expires_at, created_at)
    values (${row.organization_id}, ${row.provider_id}, ${row.id}, ${row.certificate}, ${row.private_key_sealed},
      ${row.expires_at}, clock_timestamp())
    returning ${columns}`)
}

export async function deleteKey(tx: Transaction, row: SamlKeyRow): Promise<void> {
  await tx.run(sql`
    delete from saml_keys
    where organization_id = ${row.organization_id} and provider_id = ${row.provider_id} and id = ${row.id}`)
}
