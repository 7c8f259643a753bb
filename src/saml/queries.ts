import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'

export interface SamlProviderRow {
  organization_id: string
  id: string
  label: string
  entity_id: string | null
  certificate: string | null
  sso_url: string | null
  certificate_expires_at: Date | null
  default_team_id: string | null
  default_role: Role | null
  /** Whether requests are signed, with the first of our keys. */
  sign_requests: boolean
  created_at: Date
}

export type ProviderKey = Pick<SamlProviderRow, 'organization_id' | 'id'>

const columns = sql`p.organization_id, p.id, p.label, p.entity_id, p.certificate, p.sso_url, p.certificate_expires_at,
  p.default_team_id, p.default_role, p.sign_requests, p.created_at`

/** A provider that is ready to sign people in. */
export type ReadyProvider = SamlProviderRow & { entity_id: string; certificate: string; sso_url: string }

export function isReady(row: SamlProviderRow): row is ReadyProvider {
  return row.entity_id !== null && row.certificate !== null && row.sso_url !== null
}

/** The same condition in SQL. */
const ready = sql`p.entity_id is not null and p.certificate is not null and p.sso_url is not null`

export async function findProvider(db: Db, organizationId: string, id: string): Promise<SamlProviderRow | undefined> {
  return db.find(sql<SamlProviderRow>`
    select ${columns} from saml_providers p where p.organization_id = ${organizationId} and p.id = ${id}`)
}

export async function lockProvider(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<SamlProviderRow | undefined> {
  return tx.find(sql<SamlProviderRow>`
    select ${columns} from saml_providers p where p.organization_id = ${organizationId} and p.id = ${id}
    for no key update`)
}

/** Returns false if the provider no longer exists. Until the transaction ends, nobody can delete or change it. */
export async function holdProvider(tx: Transaction, { organization_id, id }: ProviderKey): Promise<boolean> {
  const found = await tx.find(sql`
    select from saml_providers p where p.organization_id = ${organization_id} and p.id = ${id} for share`)
  return found !== undefined
}

/** Lists the oldest first. */
export async function listProviders(db: Db, organizationId: string, page: Page) {
  const matching = sql`from saml_providers p where p.organization_id = ${organizationId}`
  const after = behind(page, sql`p.created_at, p.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<SamlProviderRow>`
        select ${columns} ${matching} ${after} order by p.created_at, p.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

/** Lists the providers that are ready to sign people in, the oldest first. */
export async function listReadyProviders(
  db: Db,
  organizationId: string,
): Promise<Pick<SamlProviderRow, 'organization_id' | 'id' | 'label'>[]> {
  return db.all(sql<Pick<SamlProviderRow, 'organization_id' | 'id' | 'label'>>`
    select p.organization_id, p.id, p.label from saml_providers p
    where p.organization_id = ${organizationId} and ${ready} order by p.created_at, p.id`)
}

/**
 * Counts the providers with the organization locked, so that two concurrent additions are counted one after the other.
 */
export async function countProviders(tx: Transaction, organizationId: string): Promise<number> {
  await tx.run(sql`select from organizations where id = ${organizationId} for no key update`)
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*) from saml_providers where organization_id = ${organizationId}`)
  return count
}

export async function insertProvider(tx: Transaction, row: Omit<SamlProviderRow, 'created_at'>): Promise<void> {
  await tx.run(sql`
    insert into saml_providers (organization_id, id, label, entity_id, certificate, sso_url, certificate_expires_at,
      default_team_id, default_role, sign_requests)
    values (${row.organization_id}, ${row.id}, ${row.label}, ${row.entity_id}, ${row.certificate}, ${row.sso_url},
      ${row.certificate_expires_at}, ${row.default_team_id}, ${row.default_role}, ${row.sign_requests})`)
}

export async function updateProvider(tx: Transaction, row: SamlProviderRow): Promise<void> {
  await tx.run(sql`
    update saml_providers set label = ${row.label}, entity_id = ${row.entity_id}, certificate = ${row.certificate},
      sso_url = ${row.sso_url}, certificate_expires_at = ${row.certificate_expires_at},
      default_team_id = ${row.default_team_id}, default_role = ${row.default_role}, sign_requests = ${row.sign_requests}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export async function deleteProvider(tx: Transaction, row: SamlProviderRow): Promise<void> {
  await tx.run(sql`delete from saml_providers where organization_id = ${row.organization_id} and id = ${row.id}`)
}
