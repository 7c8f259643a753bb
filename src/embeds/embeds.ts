import type { App } from '../http/routes.ts'
import { RightAway } from '../jobs/right-away.ts'
import { askedAs } from './address.ts'
import { type Known, askFor, findStamp, listKnown } from './queries.ts'
import { readDue } from './read-due.ts'

declare module 'fastify' {
  interface FastifyInstance {
    embeds: Embeds
  }
}

/** Of one page. Those behind them say where they lead, as all do of which nothing is known. */
const mostOfPage = 100

/** One may have very much to ask: what is wanted meanwhile does not wait for it. */
const mostAtOnce = 2

/** Addresses that wait to be asked for. What is beyond them is wanted again by whoever draws the page the next time. */
const mostWaiting = 2_000

/** What is known of a page elsewhere, by how a page of ours names it. */
export type KnownOf = (url: string) => Known | undefined

/**
 * What pages elsewhere say of themselves that pages here show. Nobody who reads one waits for another server: what is known
 * is in the database, and what is not is asked for beside the requests.
 */
export class Embeds extends RightAway {
  readonly #app: App
  #waiting = new Map<string, Set<string>>()

  constructor(app: App) {
    super(
      mostAtOnce,
      async (stopping) => {
        await this.#askForWaiting()
        const { db, fetcher, log } = app
        await readDue({ db, fetcher, log, stopping })
      },
      (error) => app.log.warn({ err: error }, 'asking what is embedded ended; the job goes on with it'),
    )
    this.#app = app
  }

  /** Another one whenever a page of this organization may call something by another name. */
  stamp(organizationId: string): Promise<string> {
    return findStamp(this.#app.db, organizationId)
  }

  /** What is known of all these now. */
  async known(organizationId: string, urls: Iterable<string>): Promise<KnownOf> {
    const addresses = [...new Set([...urls].flatMap((url) => askedAs(url) ?? []))].slice(0, mostOfPage)
    if (addresses.length === 0) return () => undefined
    const rows = await listKnown(this.#app.db, organizationId, addresses)
    const byAddress = new Map(rows.map((row) => [row.address, row]))
    this.#want(
      organizationId,
      addresses.filter((address) => {
        const row = byAddress.get(address)
        return !row || !row.read || row.old
      }),
    )
    return (url) => byAddress.get(askedAs(url) ?? '')
  }

  #want(organizationId: string, addresses: readonly string[]): void {
    if (addresses.length === 0 || !this.#app.config.embeds) return
    const count = [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0)
    const waiting = this.#waiting.get(organizationId) ?? new Set()
    for (const address of addresses.slice(0, Math.max(0, mostWaiting - count))) waiting.add(address)
    this.#waiting.set(organizationId, waiting)
    this.wake()
  }

  async #askForWaiting(): Promise<void> {
    const all = [...this.#waiting]
    this.#waiting = new Map()
    for (const [organizationId, addresses] of all) await askFor(this.#app.db, organizationId, [...addresses])
  }
}
