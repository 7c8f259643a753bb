import { bringUp } from './embedded/bring-up.ts'
import { clusterExists, database, readPassword, superuser } from './embedded/cluster.ts'
import { EmbeddedDatabaseError, explain } from './embedded/error.ts'
import { claimFolder, withLock } from './embedded/lock.ts'
import { type Place, port, preparePlace } from './embedded/place.ts'
import { isReady, stopPostmaster } from './embedded/postmaster.ts'
import { isInUse, signIn, signOut } from './embedded/register.ts'

export { EmbeddedDatabaseError }

export interface EmbeddedOptions {
  dataFolder: string
  log?: (message: string) => void
  /** More settings for PostgreSQL, which override ours. */
  settings?: Record<string, string>
  /** A folder has one server. Visitors (the command line) come and go beside it. */
  as?: 'server' | 'visitor'
}

export interface EmbeddedDatabase {
  /** `host` is the folder of the unix socket: there is no TCP port. */
  connection: { host: string; port: number; user: string; database: string; password?: string; ssl: false }
  /**
   * Starts the database again if it is gone (killed, crashed); quick if it runs. Safe to call often and from several
   * processes.
   */
  ensureRunning(): Promise<void>
  /** Stops the database if this is the last Lectern process to leave. */
  leave(): Promise<void>
}

/**
 * Starts the PostgreSQL that comes with Lectern, or joins the one that another Lectern process, perhaps a killed one,
 * has running on this folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataFolder, log = () => {}, settings = {}, as = 'visitor' } = options
  const place = preparePlace(dataFolder)
  const releaseFolder = as === 'server' ? await claimFolder(place) : async () => {}
  try {
    const entry = await withLock(place, () => join(place, () => bringUp(place, { settings, log })))
    return membership(place, entry, { settings, log, releaseFolder })
  } catch (error) {
    await releaseFolder()
    throw explain(error, `The database in ${place.folder} could not be started`)
  }
}

/**
 * Adds this process to the list before the start, so that another process that leaves meanwhile does not stop the
 * database.
 */
async function join(place: Place, start: () => Promise<void>): Promise<string> {
  const entry = await signIn(place)
  try {
    await start()
    return entry
  } catch (error) {
    signOut(entry)
    throw error
  }
}

interface Terms {
  settings: Record<string, string>
  log: (message: string) => void
  releaseFolder: () => Promise<void>
}

function membership(place: Place, entry: string, { settings, log, releaseFolder }: Terms): EmbeddedDatabase {
  let restarting: Promise<void> | undefined
  let leaving: Promise<void> | undefined

  async function restart(): Promise<void> {
    refuseWhenLeaving()
    if (await isReady(place)) return
    // A disk that is no longer mounted looks like an empty folder. A new database in it would hide the loss.
    if (!clusterExists(place)) throw gone(place)
    await withLock(place, async () => {
      refuseWhenLeaving()
      await bringUp(place, { settings, log })
    })
  }

  /** A caller that reconnects while we stop must not start the database again: nobody would stop it. */
  function refuseWhenLeaving(): void {
    if (leaving) throw new EmbeddedDatabaseError('Lectern is stopping; its database is not started again.')
  }

  async function leave(): Promise<void> {
    try {
      await withLock(place, async () => {
        signOut(entry)
        if (!(await isInUse(place))) await stopPostmaster(place, log)
      })
    } finally {
      await releaseFolder()
    }
  }

  const password = readPassword(place)
  return {
    // Without `ssl`, the driver would do what PGSSLMODE says, which is about other databases of the account.
    connection: { host: place.socketFolder, port, user: superuser, database, password, ssl: false },
    ensureRunning() {
      restarting ??= restart()
        .catch((error) => Promise.reject(explain(error, `The database in ${place.folder} could not be started again`)))
        .finally(() => (restarting = undefined))
      return restarting
    },
    leave: () =>
      (leaving ??= leave().catch((error) =>
        Promise.reject(explain(error, `The database in ${place.folder} could not be stopped`)),
      )),
  }
}

function gone(place: Place): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The database in ${place.cluster} is gone while Lectern runs. Put the folder back, or mount its disk again.`,
  )
}
