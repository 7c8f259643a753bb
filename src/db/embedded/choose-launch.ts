import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findPackage, removeCopy } from './binaries.ts'
import { EmbeddedDatabaseError, useYourOwn } from './error.ts'
import { findUnshare, type Launch, type Launcher, launcherFor, ownerOf, run } from './launch.ts'
import { giveToFolderOwner, myUid, type Place } from './place.ts'

/** Returns the launcher that worked last time, without trying it: a trial costs as much as a start. */
export function rememberedLauncher(place: Place): Launcher | undefined {
  try {
    const launch = JSON.parse(readFileSync(memory(place), 'utf8')) as Launch
    const possible = candidates(place).some((candidate) => isDeepStrictEqual(candidate, launch))
    if (!possible) return undefined
    // A folder that was brought from elsewhere may have lost its permissions.
    if (launch.how === 'account') letIn(place.folder, launch)
    return launcherFor(launch, findPackage(), place)
  } catch {
    return undefined
  }
}

/** Tries each way to launch PostgreSQL until one runs and reaches the data folder, and remembers it. */
export async function chooseLauncher(place: Place): Promise<Launcher> {
  const source = findPackage()
  const { ok, output } = await run(launcherFor({ how: 'plain' }, source, place), 'postgres', ['--version'])
  if (!ok) throw doesNotRun(output)
  const refusals: string[] = []
  for (const launch of candidates(place)) {
    const launcher = launcherFor(launch, source, place)
    const refusal = await tryOut(launcher, place)
    if (refusal) {
      refusals.push(`${describe(launch)}: ${refusal}`)
      if (launch.how === 'account' && launch.copied) removeCopy(source, place.cache)
      continue
    }
    remember(place, launch)
    return launcher
  }
  throw nothingWorks(place, refusals)
}

/**
 * Returns a launcher for initdb, which, unlike postgres, requires its user to have a name. In a namespace, it can have
 * that of another user.
 */
export async function launcherForInit(launcher: Launcher, place: Place): Promise<Launcher> {
  if (launcher.launch.how !== 'plain' || hasName()) return launcher
  const [launch] = namespaces()
  const named = launch && { ...launcher, launch }
  if (named && !(await tryOut(named, place))) return named
  throw new EmbeddedDatabaseError(
    `PostgreSQL makes its database only for a user with a name, and uid ${myUid()} has none. Run Lectern as a user ` +
      `that /etc/passwd knows (in a container: one that the image has). ${useYourOwn}`,
  )
}

function candidates(place: Place): Launch[] {
  const owner = statSync(place.cluster, { throwIfNoEntry: false })
  if (myUid() !== 0) {
    if (owner && owner.uid !== myUid()) throw ownedByAnother(place, owner.uid)
    return [{ how: 'plain' }]
  }
  // Started by sudo beside a normal user's server, or moved to another uid before: the database stays with its owner.
  if (owner && owner.uid !== 0) return accounts(owner)
  return [...namespaces(), ...accounts(findAccount())]
}

function namespaces(): Launch[] {
  const account = findAccount()
  return process.platform === 'linux' && account && findUnshare() ? [{ how: 'namespace', ...account }] : []
}

function accounts(account: { uid: number; gid: number } | undefined): Launch[] {
  if (!account) return []
  const { uid, gid } = account
  return [false, true].map((copied) => ({ how: 'account', uid, gid, copied }))
}

/** Returns an account that is not root: nobody, which exists nearly everywhere, or else the first one found. */
function findAccount(): { uid: number; gid: number } | undefined {
  if (!existsSync('/etc/passwd')) return undefined
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid && gid)
  const account = known.find(({ name }) => name === 'nobody') ?? known[0]
  return account && { uid: account.uid, gid: account.gid }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/**
 * Returns undefined if the launcher works, else the reason why not. Asking for a setting covers everything that may
 * fail: the program and its libraries, PostgreSQL's refusal of root (which --version skips), and the way to a folder of
 * its own inside the data folder.
 */
async function tryOut(launcher: Launcher, place: Place): Promise<string | undefined> {
  if (launcher.launch.how === 'account') letIn(place.folder, launcher.launch)
  const folder = join(place.cache, 'trial')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  try {
    writeFileSync(join(folder, 'postgresql.conf'), '')
    const owner = ownerOf(launcher.launch)
    chownSync(join(folder, 'postgresql.conf'), owner.uid, owner.gid)
    chownSync(folder, owner.uid, owner.gid)
    const { ok, output } = await run(launcher, 'postgres', ['-D', folder, '-C', 'port'])
    return ok ? undefined : output.split('\n').slice(0, 2).join(' ')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lets the account's group pass through the data folder, not list or read it. Folders above are not ours to open. */
function letIn(folder: string, account: { gid: number }): void {
  const { mode, uid, gid } = statSync(folder)
  const open = (mode & 0o001) !== 0 || (gid === account.gid && (mode & 0o010) !== 0)
  if (open) return
  chownSync(folder, uid, account.gid)
  chmodSync(folder, (mode & 0o700) | 0o010)
}

const memory = (place: Place) => join(place.cache, `launch-${myUid()}.json`)

function remember(place: Place, launch: Launch): void {
  writeFileSync(memory(place), JSON.stringify(launch))
  giveToFolderOwner(memory(place))
}

function describe(launch: Launch): string {
  switch (launch.how) {
    case 'plain':
      return 'as this user'
    case 'namespace':
      return 'in a user namespace'
    case 'account':
      return `as uid ${launch.uid}${launch.copied ? ', with a copy of the programs' : ''}`
  }
}

function doesNotRun(reason: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The PostgreSQL that Lectern brings along does not run here: ${reason}. Set DATABASE_URL to use one of your own.`,
  )
}

function nothingWorks(place: Place, refusals: string[]): EmbeddedDatabaseError {
  const tried = refusals.map((refusal) => `\n  ${refusal}`).join('')
  return new EmbeddedDatabaseError(
    myUid() === 0
      ? `PostgreSQL does not run as root, and no way around that works for ${place.folder}. ` +
          `Run Lectern as a normal user. ${useYourOwn} Tried:${tried}`
      : `PostgreSQL cannot work in ${place.folder}. Set LECTERN_DATA to another folder. ${useYourOwn} Tried:${tried}`,
  )
}

function ownedByAnother(place: Place, uid: number): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The database in ${place.cluster} belongs to uid ${uid}, and Lectern runs as uid ${myUid()}. ` +
      'Run it as that user, or give the whole data folder to this one (chown -R).',
  )
}
