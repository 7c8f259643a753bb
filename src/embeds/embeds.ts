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

/** Per page. Embeds beyond this limit show only their address, like all embeds about which nothing is known. */
const mostOfPage = 100

/** One run may have very many addresses to request. Newly wanted ones do not wait for it. */
const mostAtOnce = 2

/**
 * Addresses waiting to be requested. Those beyond this limit are requested when their page is rendered the next time.
 */
const mostWaiting = 2_000

/** Returns what is known about a page on another server, by the URL in a page of ours. */
export type KnownOf = (url: string) => Known | undefined

/**
 * What embedded pages on other servers say about themselves. Readers never wait for another server: known embeds are in
 * the database, and unknown ones are requested outside of the readers' requests.
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

  /** A value that changes whenever a page of this organization may show another title for an embed. */
  stamp(organizationId: string): Promise<string> {
    return findStamp(this.#app.db, organizationId)
  }

  /** Looks up what is known about all these URLs now. */
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
