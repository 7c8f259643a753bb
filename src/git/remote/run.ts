import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { GitFailure } from '../repository.ts'

export interface GitCall {
  /** The git program. */
  git: string
  /** The repository to work in. */
  folder: string
  /** Settings for this call. They are passed in the environment, because others can see the arguments of a process. */
  config?: Record<string, string>
  input?: AsyncIterable<string | Buffer> | Iterable<string | Buffer>
  timeoutMs: number
  /** Upper limit for its output. */
  maxBytes?: number
  signal?: AbortSignal | undefined
}

export interface GitAnswer {
  code: number
  stdout: Buffer
  stderr: string
}

/** Applies to every call: git asks nobody anything, uses no settings of this machine and runs no programs of others. */
const always: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  // Larger objects are streamed, so that an object that unpacks into gigabytes does not take as much memory.
  'core.bigFileThreshold': '16m',
  'credential.helper': '',
  // Calls that may use the network allow it explicitly, and set the proxy.
  'protocol.allow': 'never',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '30',
  'fetch.recurseSubmodules': 'false',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  // Stays within the limits of a process: by default git maps a whole pack, and holds what it unpacks in addition.
  'core.packedGitWindowSize': '16m',
  'core.packedGitLimit': '128m',
  'core.deltaBaseCacheLimit': '64m',
  // Keeps a pack as it was received: a few bytes of it can fill a disk when unpacked.
  'fetch.unpackLimit': '1',
  'safe.directory': '*',
}

/**
 * What one git process may use, whatever a repository makes it do: a pack of some kilobytes can declare an object of
 * gigabytes, and a compressed response of some megabytes can contain gigabytes of pack.
 */
const processLimits = {
  memoryBytes: 768 * 1024 ** 2,
  fileBytes: 1024 ** 3,
}

const shell = '/bin/sh'

/** The shell sets the limits, in its own units. Systems that have no memory limit go without that one. */
const withLimits = [
  // A process that writes more gets an error, instead of being killed without a message.
  "trap '' XFSZ",
  `ulimit -f ${processLimits.fileBytes / 512} 2>/dev/null`,
  `ulimit -v ${processLimits.memoryBytes / 1024} 2>/dev/null`,
  'exec "$0" "$@"',
].join('; ')

/** Runs git, and returns once it has ended. */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitAnswer> {
  const child = startGit(args, call)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? withoutShell() : error))
    child.once('close', (code) => (notStarted.has(code) ? reject(missing()) : resolve(code ?? -1)))
  })
  let isLate = false
  let isTooMuch = false
  const stop = () => endGroup(child)
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, call.timeoutMs)
  call.signal?.addEventListener('abort', stop, { once: true })
  try {
    const [code, stdout, stderr] = await Promise.all([
      ended,
      collect(child.stdout!, call.maxBytes ?? 64 * 1024 ** 2, () => {
        isTooMuch = true
        stop()
      }),
      collect(child.stderr!, 64 * 1024, () => {}),
      feed(child, call.input ?? []),
    ])
    if (isLate) throw tookTooLong()
    if (isTooMuch) throw new GitFailure('The repository is too large.')
    call.signal?.throwIfAborted()
    return { code, stdout, stderr: stderr.toString() }
  } finally {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', stop)
    // If reading the input failed, git would wait for the rest of it forever.
    if (child.exitCode === null && child.signalCode === null) stop()
  }
}

/** Starts git. The caller has to wait for it, and to end it. */
export function startGit(args: readonly string[], { git, folder, config = {} }: GitCall): ChildProcess {
  const settings = Object.entries({ ...always, ...config })
  const env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
    HOME: folder,
    // Ignores the settings of a repository that this folder may happen to be in.
    GIT_CEILING_DIRECTORIES: dirname(folder),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    // What was left out on purpose is fetched explicitly, and not when git comes upon it (git 2.45 and newer).
    GIT_NO_LAZY_FETCH: '1',
    GIT_ASKPASS: '/bin/false',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_CONFIG_COUNT: String(settings.length),
  }
  settings.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  })
  // A process group of its own, so that what git starts in turn ends with it.
  return spawn(shell, ['-c', withLimits, git, ...args], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
}

export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

export const incomplete = () => new GitFailure('The repository is incomplete.')

export const tookTooLong = () => new GitFailure('The repository took too long to respond.', 'timeout')

/** The exit codes of a shell if the program does not exist, or may not be started. */
const notStarted = new Set<number | null>([126, 127])

const missing = () =>
  new GitFailure('git is not installed on this server. Its operator can install it, or set LECTERN_GIT to its path.')

const withoutShell = () =>
  new GitFailure(
    `git cannot be started on this server: there is no ${shell}, which sets its limits. Its operator can install a shell.`,
  )

async function collect(stream: NodeJS.ReadableStream, maxBytes: number, tooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += (chunk as Buffer).length
    if (size <= maxBytes) chunks.push(chunk as Buffer)
    else tooMuch()
  }
  return Buffer.concat(chunks)
}

/** Writes the input. A program that ends early does not take all of it. */
async function feed(child: ChildProcess, input: NonNullable<GitCall['input']>): Promise<void> {
  const stdin = child.stdin!
  stdin.on('error', () => {})
  for await (const chunk of input) {
    if (stdin.destroyed || child.exitCode !== null) return
    if (!stdin.write(chunk))
      await new Promise((resolve) => {
        const done = () => {
          stdin.off('drain', done).off('close', done).off('error', done)
          resolve(undefined)
        }
        stdin.once('drain', done).once('close', done).once('error', done)
      })
  }
  stdin.end()
}
