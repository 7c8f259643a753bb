import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { launcherForInit } from './choose-launch.ts'
import { EmbeddedDatabaseError, errorCode } from './error.ts'
import { type Launcher, type Outcome, ownerOf, run } from './launch.ts'
import { giveToFolderOwner, type Place } from './place.ts'

export const superuser = 'postgres'
export const database = 'lectern'

export const clusterExists = (place: Place): boolean => existsSync(join(place.cluster, 'PG_VERSION'))

/**
 * Reads the password. It is only required when PostgreSQL runs as an account that other software may share; see
 * passwordRules.
 */
export function readPassword(place: Place): string | undefined {
  try {
    return readFileSync(place.password, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Rules for logging in that require the password, instead of trusting everyone who reaches the private socket. */
export const passwordRules = (place: Place): string => join(place.cluster, 'pg_hba.password.conf')

/**
 * Creates the database beside its final place and moves it there complete, with everything in it. If the process is
 * killed at any moment, either all of it exists or only a draft, which the next start clears away.
 */
export async function createCluster(place: Place, usual: Launcher, settings: Record<string, string>): Promise<void> {
  const launcher = await launcherForInit(usual, place)
  const draft = mkdtempSync(`${place.cluster}.new-`)
  try {
    const owner = ownerOf(launcher.launch)
    chownSync(draft, owner.uid, owner.gid)
    succeeded('prepare', await run(launcher, 'initdb', [...initArgs(draft), ...syncArgs(settings)]))
    succeeded('create', await run(launcher, 'postgres', singleUserArgs(draft, settings), firstStatements(place)))
    writePasswordRules(join(draft, basename(passwordRules(place))), owner)
    moveIntoPlace(draft, place)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Removes drafts. An initdb whose Lectern was killed keeps writing until it has something to print and nobody is
 * listening. Drafts that cannot be removed for that reason, or that come back, are removed at a later start.
 */
export function clearDrafts(place: Place): void {
  for (const name of readdirSync(place.folder)) {
    if (!name.startsWith(`${basename(place.cluster)}.new-`)) continue
    try {
      rmSync(join(place.folder, name), { recursive: true, force: true })
    } catch {
      continue
    }
  }
}

/**
 * The builtin C.UTF-8 sorts the same everywhere and for ever; the order of ICU or of the system changes with upgrades.
 */
const initArgs = (folder: string) => [
  `--pgdata=${folder}`,
  `--username=${superuser}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-locale',
  '--data-checksums',
]

const syncArgs = (settings: Record<string, string>) => (settings.fsync === 'off' ? ['--no-sync'] : [])

/**
 * Arguments for a run without a server: one process on the draft, which stops at the first error instead of ending
 * successfully.
 */
function singleUserArgs(draft: string, settings: Record<string, string>): string[] {
  const fsync = settings.fsync === 'off' ? ['-c', 'fsync=off'] : []
  return ['--single', '-D', draft, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', ...fsync, 'postgres']
}

function firstStatements(place: Place): string {
  const password = readPassword(place) ?? writePassword(place)
  return [`CREATE DATABASE ${database}`, `ALTER ROLE ${superuser} PASSWORD '${password}'`, ''].join(';\n')
}

function writePassword(place: Place): string {
  const password = randomBytes(24).toString('hex')
  writeFileSync(place.password, `${password}\n`, { mode: 0o600 })
  giveToFolderOwner(place.password)
  return password
}

/**
 * Changes the owner by file handle and never by name: the folder belongs to the account, which could put a link to
 * another file there.
 */
function writePasswordRules(path: string, owner: { uid: number; gid: number }): void {
  const file = openSync(path, 'wx', 0o600)
  writeSync(file, 'local all all scram-sha-256\n')
  fchownSync(file, owner.uid, owner.gid)
  closeSync(file)
}

function succeeded(step: string, { ok, output }: Outcome): void {
  if (!ok) throw new EmbeddedDatabaseError(`Lectern could not ${step} its database. PostgreSQL said:\n${output}`)
}

function moveIntoPlace(draft: string, place: Place): void {
  try {
    renameSync(draft, place.cluster)
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
    throw new EmbeddedDatabaseError(
      `${place.cluster} exists but contains no database. Restore it from a backup, or move it away to start over.`,
    )
  }
  const folder = openSync(place.folder, 'r')
  fsyncSync(folder) // the rename itself survives a power cut only once its folder is on disk
  closeSync(folder)
}

/**
 * After a move to a system where only another account works, gives every file to that account, which has to own them.
 */
export function handOver(place: Place, { launch }: Launcher): void {
  const owner = ownerOf(launch)
  if (statSync(place.cluster).uid === owner.uid) return
  // Each folder after its content, so that its new owner cannot swap things while we work; the outermost one last,
  // because its owner shows that everything is done.
  for (const entry of readdirSync(place.cluster, { recursive: true }).toReversed()) {
    lchownSync(join(place.cluster, String(entry)), owner.uid, owner.gid)
  }
  lchownSync(place.cluster, owner.uid, owner.gid)
}
