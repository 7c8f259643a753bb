import { createHash } from 'node:crypto'
import { chmodSync, lchownSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedDatabaseError, explain } from './error.ts'

/** Where all files of one embedded database are. All of them are below the data folder, except perhaps the socket. */
export interface Place {
  folder: string
  cluster: string
  socketFolder: string
  log: string
  password: string
  cache: string
  run: string
}

export const port = 5432

export const myUid = (): number => process.geteuid?.() ?? -1

export function preparePlace(dataFolder: string): Place {
  try {
    // The data folder is private. The folders above it only have to exist and to let the user of the database through.
    mkdirSync(dirname(resolve(dataFolder)), { recursive: true })
    mkdirSync(resolve(dataFolder), { recursive: true, mode: 0o700 })
    const folder = realpathSync(resolve(dataFolder))
    const cluster = join(folder, 'postgres')
    return {
      folder,
      cluster,
      socketFolder: fitsSocket(cluster) ? cluster : shortFolderFor(cluster),
      log: join(folder, 'postgres.log'),
      password: join(folder, 'postgres.password'),
      cache: makeFolder(join(folder, 'cache'), 0o755),
      run: makeFolder(join(folder, 'run'), 0o700),
    }
  } catch (error) {
    throw explain(error, `Lectern cannot use the data folder ${dataFolder} (set LECTERN_DATA to one it may write to)`)
  }
}

/**
 * If root makes a folder inside another user's folder (sudo lectern …), it is given to that user, who could not write
 * there later otherwise.
 */
export function makeFolder(path: string, mode: number): string {
  if (mkdirSync(path, { recursive: true })) {
    chmodSync(path, mode)
    giveToFolderOwner(path)
  }
  return path
}

export function giveToFolderOwner(path: string): void {
  if (myUid() !== 0) return
  const owner = statSync(dirname(path))
  lchownSync(path, owner.uid, owner.gid)
}

export const socketFile = (place: Place): string => join(place.socketFolder, `.s.PGSQL.${port}`)

/** The kernel limits the path of a socket to 107 bytes on Linux and 103 on macOS. */
const fitsSocket = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= 103

/** Not os.tmpdir(): that follows TMPDIR, and the command line beside a server could then look somewhere else. */
const shortFolderFor = (cluster: string) =>
  `/tmp/lectern-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`

/**
 * Makes the folder of the socket. Anybody may make a folder in /tmp, so the short one is used only if it is ours alone:
 * its owner could otherwise put a socket of their own there and receive our queries.
 */
export function makeSocketFolder(place: Place, owner: { uid: number; gid: number }): void {
  if (place.socketFolder === place.cluster) return
  mkdirSync(place.socketFolder, { recursive: true, mode: 0o700 })
  const found = lstatSync(place.socketFolder)
  const ours = found.isDirectory() && (found.uid === owner.uid || found.uid === myUid()) && (found.mode & 0o077) === 0
  if (!ours) {
    throw new EmbeddedDatabaseError(
      `${place.socketFolder} exists but is not a private folder of this user. Remove it, ` +
        'or set LECTERN_DATA to a folder with a shorter path (up to 80 letters), which needs no folder in /tmp.',
    )
  }
  if (found.uid !== owner.uid) lchownSync(place.socketFolder, owner.uid, owner.gid)
}
