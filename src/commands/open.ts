import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Connection, Database } from '../db/connect.ts'
import { type EmbeddedDatabase, startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import type { Transaction } from '../db/transaction.ts'
import { Explained } from '../explained.ts'
import { type FirstStart, isBegun, leaveAdminToken, loadSecrets, prepareInstance } from '../instance.ts'
import type { Secrets } from '../secrets.ts'
import { makeHandedCode } from '../sessions/codes.ts'
import { openStore } from '../storage/open.ts'
import type { BlobStore } from '../storage/store.ts'
import { undoIfInterrupted } from './interrupted.ts'

/** The installation as one process uses it: its database, its secret, its files. */
export interface Instance {
  config: Config
  connection: Connection
  db: Database
  secrets: Secrets
  store: BlobStore
  embedded: EmbeddedDatabase | undefined
  /** Reports slow steps to the person who started the process. */
  log: (message: string) => void
  close(): Promise<void>
}

/** Opens the database: the one in DATABASE_URL, else the embedded one, which is started if it is not running. */
export async function openInstance(
  config: Config,
  as: 'server' | 'visitor',
  log: (message: string) => void = () => {},
): Promise<Instance> {
  const secrets = await loadSecrets(config)
  const starting = config.databaseUrl ? undefined : startEmbedded({ dataFolder: config.dataFolder, as, log })
  undoIfInterrupted(async () => (await starting)?.leave())
  const embedded = await starting
  const connection: Connection = embedded?.connection ?? { connectionString: config.databaseUrl }
  const db = new Database(connection, config.limits)
  return {
    config,
    connection,
    db,
    secrets,
    store: openStore(config),
    embedded,
    log,
    async close() {
      await db.close()
      await embedded?.leave()
    },
  }
}

export interface Prepared {
  migrations: string[]
  first: FirstStart | undefined
  /** The file that contains the token of a first start, if the token was not shown. */
  tokenFile: string | undefined
  /** For signing in with a browser, after a first start in a terminal. */
  signInCode: string | undefined
}

/**
 * Migrates the database, and makes a first start if this is one and `mayBegin` allows it. Safe in several processes at
 * once.
 */
export async function prepare(
  { config, db, secrets, store, log }: Instance,
  showsToken: boolean,
  mayBegin = true,
): Promise<Prepared> {
  let first: FirstStart | undefined
  let tokenFile: string | undefined
  let signInCode: string | undefined
  const begin = async (tx: Transaction) => {
    if (!mayBegin && !(await isBegun(tx))) throw nothingThere(config)
    first = await prepareInstance(tx, config, secrets, store)
    // Before the commit: if the database had the hash of a token that is stored nowhere else, the token would be lost.
    if (first?.token && !showsToken) tokenFile = await leaveAdminToken(config, first.token)
    if (first && showsToken) signInCode = await makeHandedCode(tx, secrets, first.admin)
  }
  const onUpgrade = (names: string[]) =>
    log(`Updating the database (${names.join(', ')}). Older versions of Lectern cannot use it afterwards.`)
  const migrations = await migrate(db, begin, { onUpgrade })
  return { migrations, first, tokenFile, signInCode }
}

/**
 * Runs before anything is created in the folder. A database in DATABASE_URL is checked once it is open; its secret is
 * in the folder.
 */
export async function refuseEmptyFolder(config: Config): Promise<void> {
  if (config.databaseUrl && config.secret) return
  const needed = config.databaseUrl ? 'secret' : 'postgres'
  await stat(join(config.dataFolder, needed)).catch(({ code }: NodeJS.ErrnoException) => {
    // If the folder cannot be examined, opening it reports that.
    if (code === 'ENOENT') throw config.databaseUrl ? noSecretThere(config) : nothingThere(config)
  })
}

/** A new secret would fit no existing database, and would be in the way of restoring a backup. */
function noSecretThere({ dataFolder }: Config): Explained {
  return new Explained(
    `There is no installation here: the data folder ${dataFolder} has no secret. Set LECTERN_DATA, LECTERN_SECRET and DATABASE_URL as they are set for the server.`,
  )
}

function nothingThere({ databaseUrl, dataFolder }: Config): Explained {
  const place = databaseUrl ? 'the database that DATABASE_URL names' : `the data folder ${dataFolder}`
  return new Explained(
    `There is no installation in ${place}. Set LECTERN_DATA and DATABASE_URL as they are set for the server.`,
  )
}
