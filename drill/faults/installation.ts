import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../client.ts'
import { type World, load, startUpstream } from '../crash-load.ts'
import { ensure } from '../drill.ts'
import { type Environment, type Lectern, killDatabaseWhenOver, startLectern } from '../lectern.ts'
import { Ledger, compare } from '../ledger.ts'
import { temporaryFolder } from '../leftovers.ts'
import { examineFolder } from '../look.ts'
import { Random } from '../random.ts'
import { makeSpace, makeStampedSite, theOrganization } from '../setting.ts'

let names = 0

/** A server with its own database under load, for fault injection. */
export class Installation {
  readonly folder: string
  readonly server: Lectern
  readonly ledger: Ledger
  readonly world: World
  readonly #environment: Environment
  readonly #random: Random
  readonly #stop = new AbortController()
  #loading: Promise<number> | undefined

  private constructor(
    folder: string,
    server: Lectern,
    world: World,
    environment: Environment,
    options: { seed: number; mayPass: number[] },
  ) {
    this.folder = folder
    this.server = server
    this.world = world
    this.#environment = environment
    this.#random = new Random(options.seed)
    this.ledger = new Ledger(options.mayPass)
  }

  static async start(
    seed: number,
    { folder, environment = {}, mayPass = [] }: { folder?: string; environment?: Environment; mayPass?: number[] } = {},
  ): Promise<Installation> {
    const home = folder ?? (await temporaryFolder())
    if (!environment['DATABASE_URL']) killDatabaseWhenOver(home)
    const settings = { LECTERN_DATA: home, LECTERN_FETCH_ALLOW: '127.0.0.1', ...environment }
    const server = await startLectern(settings)
    const { url } = server
    const organizationId = await theOrganization(url)
    const world = {
      organizationId,
      live: await makeSpace(url, organizationId, { editMode: 'live' }),
      reviewed: await makeSpace(url, organizationId, {}),
      stamped: await makeStampedSite(url, organizationId),
      upstream: await startUpstream(),
    }
    return new Installation(home, server, world, environment, { seed, mayPass })
  }

  startLoad(): void {
    const name = () => `f${(names += 1)}`
    const { url } = this.server
    const at = { url, random: this.#random.fork(), ledger: this.ledger, stop: this.#stop.signal, name }
    this.#loading = load(at, this.world).catch(async (error: Error) => {
      // The log arrives a little later.
      await sleep(500)
      error.message += `\n${this.#complaints()}`
      throw error
    })
    // Avoids an unhandled rejection. The error surfaces when `#loading` is awaited.
    this.#loading.catch(() => {})
  }

  /**
   * Ends the load and checks that every write was answered, that its effect exists, and that the data keeps all
   * promises.
   */
  async settle(): Promise<void> {
    this.#stop.abort()
    await this.#loading
    ensure(!this.server.hasEnded, `The server ended:\n${this.server.log().slice(-3000)}`)
    const cut = this.ledger.unanswered.map(({ method, path }) => `${method} ${path}`)
    ensure(cut.length === 0, `Left without an answer: ${cut.join(', ')}`)
    await compare(this.server.url, this.ledger)
    await examineFolder(this.folder, this.#environment)
  }

  async untilAnswered(count: number): Promise<void> {
    const wanted = this.ledger.answered + count
    const deadline = performance.now() + 60_000
    while (this.ledger.answered < wanted) {
      ensure(performance.now() < deadline, `Only ${this.ledger.answered} writes were answered within a minute`)
      await Promise.race([sleep(20), this.#loading])
    }
  }

  healthz(timeoutMs = 20_000) {
    return send(this.server.url, { method: 'GET', path: '/healthz', token: null, timeoutMs })
  }

  /** Returns the milliseconds until the server is healthy again. */
  async untilHealthy(limitMs: number): Promise<number> {
    const startedAt = performance.now()
    for (;;) {
      const answer = await this.healthz().catch(() => undefined)
      const tookMs = performance.now() - startedAt
      if (answer?.status === 200) return tookMs
      ensure(
        tookMs < limitMs,
        `It does not serve ${limitMs} ms after its database is back:\n${this.server.log().slice(-2000)}`,
      )
      await sleep(20)
    }
  }

  #complaints(): string {
    const lines = this.server.log().split('\n')
    return lines
      .filter((line) => !line.startsWith('{"level":30'))
      .slice(-20)
      .join('\n')
  }

  async end(): Promise<void> {
    await this.server.stop()
  }
}
