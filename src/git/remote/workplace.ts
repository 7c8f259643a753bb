import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { GuardedProxy } from '../../fetch/proxy.ts'
import type { FetchReason } from '../../fetch/failure.ts'
import { GitFailure } from '../repository.ts'
import type { Remote } from './address.ts'
import { type GitAnswer, type GitCall, runGit } from './run.ts'

/** The time that fetching may take, and pushing. How much may be fetched, packed, is a setting. */
export const remoteLimits = { totalMs: 240_000 }

const workFolder = (config: Config) => join(config.dataFolder, 'git')

/**
 * A git repository on this machine for the time of one operation. All of its network traffic goes through a proxy that
 * reaches only the host of its remote, and only at allowed addresses.
 */
export class Workplace {
  readonly folder: string
  readonly remote: Remote
  readonly #config: Config
  readonly #proxy: GuardedProxy
  readonly #signal: AbortSignal | undefined

  private constructor(folder: string, remote: Remote, config: Config, proxy: GuardedProxy, signal?: AbortSignal) {
    this.folder = folder
    this.remote = remote
    this.#config = config
    this.#proxy = proxy
    this.#signal = signal
  }

  static async open(config: Config, remote: Remote, signal?: AbortSignal): Promise<Workplace> {
    const place = await Workplace.openWithout(config, remote, signal)
    try {
      await place.#init()
      return place
    } catch (error) {
      await place.close()
      throw error
    }
  }

  async #init(): Promise<void> {
    await this.git(['init', '--quiet', '--bare', '.'])
  }

  /** Starts over, without anything that was fetched. */
  async empty(): Promise<void> {
    for (const name of await readdir(this.folder)) await rm(join(this.folder, name), { recursive: true, force: true })
    await this.#init()
  }

  /** For calls that need no local repository. */
  static async openWithout(config: Config, remote: Remote, signal?: AbortSignal): Promise<Workplace> {
    const folder = join(workFolder(config), randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { hostname, port, protocol } = new URL(remote.url)
    const proxy = await GuardedProxy.start({
      allow: config.fetchAllow,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      maxBytes: config.limits.repositoryBytes,
    })
    const place = new Workplace(folder, remote, config, proxy, signal)
    try {
      await place.#requireGit()
      return place
    } catch (error) {
      await place.close()
      throw error
    }
  }

  /** Registers what has to end before the folder is removed. */
  onClose(end: () => void): void {
    this.#ends.push(end)
  }
  readonly #ends: (() => void)[] = []

  async close(): Promise<void> {
    for (const end of this.#ends) end()
    await this.#proxy.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Runs a call that stays on this machine and must succeed. */
  async git(args: readonly string[], more: Partial<GitCall> = {}): Promise<Buffer> {
    const { code, stdout, stderr } = await runGit(args, this.call(more))
    if (code !== 0) throw new Error(`git ${args[0]} failed with ${code}: ${stderr.slice(0, 500)}`)
    return stdout
  }

  call(more: Partial<GitCall> = {}): GitCall {
    return { git: this.#config.git, folder: this.folder, timeoutMs: 60_000, signal: this.#signal, ...more }
  }

  /**
   * Runs a call that uses the network. Failures are reported in our own words, because the other side may say anything.
   */
  async goOut(args: readonly string[], more: Partial<GitCall> = {}): Promise<GitAnswer> {
    const { credentials } = this.remote
    const config = {
      ...more.config,
      'protocol.http.allow': 'always',
      'protocol.https.allow': 'always',
      'http.proxy': this.#proxy.url,
      'http.proxyAuthMethod': 'basic',
      ...(credentials !== undefined && {
        'http.extraHeader': `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    }
    const answer = await runGit(args, this.call({ timeoutMs: remoteLimits.totalMs, ...more, config }))
    const reason = this.#proxy.failure?.reason
    if (answer.code !== 0 && reason) {
      throw reason === 'too-large' ? this.#tooLarge(args, answer) : new GitFailure(refusals[reason])
    }
    // The name of a repository ("ssl-redirects") must not be taken for the reason of a failure.
    return { ...answer, stderr: answer.stderr.replaceAll(this.remote.url, 'it') }
  }

  #tooLarge(args: readonly string[], { stderr }: GitAnswer): GitFailure {
    const { projectDirectory } = this.remote
    const mebibytes = Math.floor(this.#config.limits.repositoryBytes / 1024 ** 2)
    const what = `The repository is too large: at most ${mebibytes} MiB are fetched.`
    if (projectDirectory === '') return new GitFailure(`${what} Specify the folder that contains the pages.`)
    const isFiltered = args.some((arg) => arg.startsWith('--filter=')) && !stderr.includes('filtering not recognized')
    return isFiltered
      ? new GitFailure(`${what} The folder is larger than that: specify one inside it.`)
      : new GitFailure(`${what} Its host cannot send a single folder; uploadpack.allowFilter enables that.`)
  }

  /** Settings in the environment need git 2.31. An older git would ignore the proxy, and bypass it. */
  async #requireGit(): Promise<void> {
    if (newEnough.has(this.#config.git)) return
    const { stdout } = await runGit(['--version'], this.call())
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? []
    if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31)) return void newEnough.add(this.#config.git)
    throw new GitFailure('The git on this server is too old: 2.31 or newer is required.')
  }
}

/** Programs whose version was checked. Cached, because starting one takes as long as many a request. */
const newEnough = new Set<string>()

const refusals: Record<Exclude<FetchReason, 'too-large'>, string> = {
  'bad-address': 'The repository redirects to another host. Use its real URL.',
  'private-address': 'The repository is at an address that is not public (LECTERN_FETCH_ALLOW can allow it).',
  unreachable: 'The host of the repository cannot be found.',
  untrusted: 'The Git host has no trusted certificate.',
  timeout: 'The repository took too long to respond.',
  'too-many-redirects': 'The repository redirects too often.',
  'bad-status': 'The repository responded with an error.',
  'bad-answer': 'The response of the repository cannot be read.',
}

/** Removes what processes that died in the middle of an operation left behind. */
export async function removeLeftovers(config: Config): Promise<void> {
  const folder = workFolder(config)
  const day = 24 * 60 * 60 * 1000
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > day) await rm(join(folder, name), { recursive: true, force: true })
  }
}
