import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Binaries, type BinaryPackage, binariesInPlace, copiedBinaries } from './binaries.ts'
import { errorCode } from './error.ts'
import { myUid, type Place } from './place.ts'

/**
 * How PostgreSQL, which refuses to run as root, is started:
 * - plain: as the current user.
 * - namespace: in a user namespace where we have another uid. Files stay ours, inside and out, and every folder that
 *   we can enter as owner stays open to it.
 * - account: as another user, who owns the database's files and must be able to reach programs and data.
 */
export type Launch =
  | { how: 'plain' }
  | { how: 'namespace'; uid: number; gid: number }
  | { how: 'account'; uid: number; gid: number; copied: boolean }

export type Program = 'postgres' | 'initdb'

/** A launch with the programs that it uses: everything needed to run one. */
export interface Launcher {
  launch: Launch
  binaries: Binaries
}

export function launcherFor(launch: Launch, source: BinaryPackage, place: Place): Launcher {
  const copied = launch.how === 'account' && launch.copied
  return { launch, binaries: copied ? copiedBinaries(source, place.cache) : binariesInPlace(source, place.cache) }
}

/** Returns the owner of the files that PostgreSQL writes when launched this way. */
export function ownerOf(launch: Launch): { uid: number; gid: number } {
  return launch.how === 'account' ? launch : { uid: myUid(), gid: process.getegid?.() ?? -1 }
}

export function start(launcher: Launcher, program: Program, args: string[], options: SpawnOptions): ChildProcess {
  const { launch, binaries } = launcher
  const file = join(binaries.folder, program)
  const settings = { ...options, env: binaries.env, cwd: '/' }
  switch (launch.how) {
    case 'plain':
      return spawn(file, args, settings)
    case 'namespace':
      return spawn(findUnshare() ?? 'unshare', [...namespaceArgs(launch), file, ...args], settings)
    case 'account':
      return spawn(file, args, { ...settings, uid: launch.uid, gid: launch.gid })
  }
}

export function findUnshare(): string | undefined {
  return ['/usr/bin/unshare', '/bin/unshare'].find(existsSync)
}

const namespaceArgs = ({ uid, gid }: { uid: number; gid: number }) => [
  '--user',
  `--map-user=${uid}`,
  `--map-group=${gid}`,
]

export interface Outcome {
  ok: boolean
  output: string
}

/** Runs a program to its end. Never throws: a program that cannot even be started is an outcome, too. */
export function run(launcher: Launcher, program: Program, args: string[], input = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = start(launcher, program, args, { stdio: 'pipe' })
    let output = ''
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    child.stdin?.on('error', () => {}) // it may end without reading its input; how it exits shows why
    child.stdin?.end(input)
    child.on('error', (error) => resolve({ ok: false, output: notStarted(error, launcher, program) }))
    child.on('close', (code, signal) =>
      resolve({ ok: code === 0, output: output.trim() || (code === 0 ? '' : `it ended with ${signal ?? code}`) }),
    )
  })
}

/**
 * Explains why a program did not start. "No such file" for an existing program means that its loader is missing: a
 * system without glibc.
 */
export function notStarted(error: Error, { binaries }: Launcher, program: Program): string {
  const file = join(binaries.folder, program)
  return errorCode(error) === 'ENOENT' && existsSync(file)
    ? `${file} needs the GNU C library, which this system does not have (Alpine Linux, for one)`
    : error.message
}
