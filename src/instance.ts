import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Db } from './db/connect.ts'
import { sql } from './db/sql.ts'
import type { UserRow } from './db/tables.ts'
import type { Transaction } from './db/transaction.ts'
import { Explained } from './explained.ts'
import { createOrganization } from './organizations/actions.ts'
import { Secrets, hashOf, newSecret } from './secrets.ts'
import { giveToOwner, isThere, keepOnce } from './storage/ours.ts'
import type { BlobStore } from './storage/store.ts'
import { createToken, keepToken, revokeToken } from './tokens/actions.ts'
import { findTokenByHash, findTokenFromEnvironment } from './tokens/queries.ts'
import { changeUser, createUser } from './users/actions.ts'

/** Returns the secret of this installation: set by the operator, or generated once and kept in the data folder. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  if (config.secret) return new Secrets(config.secret)
  await refuseLostSecret(config)
  return new Secrets(
    await keepOnce(config.dataFolder, 'secret', newSecret).catch((error) => refuseFolder(error, config)),
  )
}

/** A secret is created before the database, so a database without one has lost it. A new one would fit nothing there. */
export async function refuseLostSecret({ secret, databaseUrl, dataFolder }: Config): Promise<void> {
  if (secret !== undefined || databaseUrl !== undefined) return
  // In this order, since another process may be creating both.
  const hasDatabase = await isThere(join(dataFolder, 'postgres', 'PG_VERSION'))
  const hasSecret = await isThere(join(dataFolder, 'secret'))
  if (hasSecret || !hasDatabase) return
  throw new Explained(
    `The data folder ${dataFolder} has a database, but its secret is missing. Set LECTERN_SECRET as it was set before, or put the file "secret" back, for example from a backup.`,
  )
}

/**
 * Prepares a database for serving, in the transaction that migrates it. On the first start, creates the installation,
 * its organization, its administrator and a token. On every start, runs the checks and applies the token of the
 * environment.
 */
export async function prepareInstance(
  tx: Transaction,
  config: Config,
  secrets: Secrets,
  store: BlobStore,
): Promise<FirstStart | undefined> {
  const storeId = await store.id().catch((error) => refuseFolder(error, config))
  const instance = await findInstance(tx)
  if (instance) refuseStranger(instance, secrets, storeId)
  const first = instance ? undefined : await firstStart(tx, { config, secrets }, storeId)
  if (config.adminToken) await takeAdminToken(tx, config.adminToken)
  return first
}

/** Whether the installation was already created. */
export async function isBegun(tx: Transaction): Promise<boolean> {
  return (await findInstance(tx)) !== undefined
}

export interface FirstStart {
  organizationId: string
  admin: UserRow
  /** Generated because the environment contained none. */
  token: string | undefined
}

interface Instance {
  secret_fingerprint: string
  store_id: string
  first_admin: string
}

async function findInstance(db: Db): Promise<Instance | undefined> {
  return db.find(sql<Instance>`select secret_fingerprint, store_id, first_admin from instance`)
}

function refuseStranger(instance: Instance, secrets: Secrets, storeId: string): void {
  if (instance.secret_fingerprint !== secrets.fingerprint) {
    throw new Explained(
      'This database belongs to an installation with a different secret. Set LECTERN_SECRET to the value of the other nodes, or copy their data folder.',
    )
  }
  if (instance.store_id !== storeId) {
    throw new Explained(
      'This database belongs to an installation that keeps its files elsewhere. Point LECTERN_DATA (or LECTERN_S3_*) at the same store as the other nodes.',
    )
  }
}

async function firstStart(
  tx: Transaction,
  { config, secrets }: { config: Config; secrets: Secrets },
  storeId: string,
): Promise<FirstStart> {
  const admin = await createUser(tx, { email: config.adminEmail, displayName: 'Administrator', emailVerified: true })
  if (!admin) throw new Explained('The database contains users but no installation. Restore a backup.')
  await changeUser(tx, admin, { instance_admin: true })
  const organization = await createOrganization(tx, { title: config.organizationTitle, adminId: admin.id })
  await tx.run(sql`
    insert into instance (id, secret_fingerprint, store_id, first_admin)
    values (${randomUUID()}, ${secrets.fingerprint}, ${storeId}, ${admin.id})`)
  if (config.demo) {
    // Loaded lazily, since this happens once in the life of an installation.
    const { loadSample } = await import('./sample/load.ts')
    await loadSample(tx, { organization, adminId: admin.id, config, secrets })
  }
  const made = config.adminToken ? undefined : await createToken(tx, { userId: admin.id, label: 'First administrator' })
  return { organizationId: organization.id, admin, token: made?.secret }
}

/**
 * Keeps one token of the first administrator in line with the environment: a new value replaces the old token; a
 * revoked token stays revoked.
 */
async function takeAdminToken(tx: Transaction, secret: string): Promise<void> {
  if (await findTokenByHash(tx, hashOf(secret))) return
  const before = await findTokenFromEnvironment(tx)
  if (before) await revokeToken(tx, before.id)
  const { first_admin } = (await findInstance(tx))!
  await keepToken(tx, { userId: first_admin, label: 'LECTERN_ADMIN_TOKEN' }, secret, true)
}

/**
 * If the generated token is not shown in the terminal, writes it to a file in the data folder, readable only by its
 * owner.
 */
export async function leaveAdminToken(config: Config, token: string): Promise<string> {
  const file = join(config.dataFolder, 'admin-token')
  await rm(file, { force: true })
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => refuseFolder(error, config))
  await giveToOwner(file)
  return file
}

/**
 * Explains to the operator why the system refuses the data folder, for example because it is not a folder, belongs to
 * another account, or is read-only.
 */
function refuseFolder(error: Error, { dataFolder }: Config): never {
  if (!('syscall' in error)) throw error
  const { code = '' } = error as NodeJS.ErrnoException
  const advice = adviceFor[code] ?? 'set LECTERN_DATA to one it may write to'
  throw new Explained(`Lectern cannot use the data folder ${dataFolder} (${advice}): ${error.message}`, {
    cause: error,
  })
}

const adviceFor: Record<string, string | undefined> = {
  EACCES: 'run this as the account that it belongs to, or set LECTERN_DATA to one it may write to',
  ENOSPC: 'its disk is full: make room there',
}
