import type { Database } from '../db/connect.ts'
import { findSiteByHost, findSiteByName } from './directory.queries.ts'
import type { SiteSnapshot } from './snapshots/snapshot.ts'
import type { SiteSnapshots } from './snapshots/snapshots.ts'

interface Known {
  siteId: string | undefined
  until: number
}

const mostKept = 10_000
/** How long a name is remembered as unused. Another node may just have given it to a site. */
const nobodyMs = 500

/**
 * Finds sites by the names in their addresses. What is remembered here is a guess: the snapshot of the site shows
 * whether the name is still its own. So an outdated guess costs a lookup and never shows another site.
 */
export class Directory {
  readonly #db: Database
  readonly #snapshots: SiteSnapshots
  readonly #known = new Map<string, Known>()
  /** Counts changes of sites: a lookup that began before a change does not know names that were given since. */
  #changes = 0

  constructor(db: Database, snapshots: SiteSnapshots) {
    this.#db = db
    this.#snapshots = snapshots
    db.news.listen((changes) => {
      if (changes.some(({ kind }) => kind === 'site')) this.#forgetNobodies()
    })
  }

  /** Returns the site with this own host. */
  withHost(hostname: string): Promise<SiteSnapshot | undefined> {
    return this.#find(
      `host ${hostname}`,
      ({ site }) => site.hostname === hostname,
      () => findSiteByHost(this.#db, hostname),
    )
  }

  /** Returns the site with this basename below the host of an organization. */
  withName(organizationHost: string, basename: string): Promise<SiteSnapshot | undefined> {
    return this.#find(
      `name ${organizationHost} ${basename}`,
      ({ organization, site }) => organization.hostname === organizationHost && site.basename === basename,
      () => findSiteByName(this.#db, organizationHost, basename),
    )
  }

  async #find(
    key: string,
    isNamed: (snapshot: SiteSnapshot) => boolean,
    look: () => Promise<string | undefined>,
  ): Promise<SiteSnapshot | undefined> {
    const known = this.#known.get(key)
    if (known && !known.siteId && known.until > performance.now()) return undefined
    if (known?.siteId) {
      const snapshot = await this.#snapshots.get(known.siteId)
      if (snapshot && isNamed(snapshot)) return snapshot
    }
    const before = this.#changes
    const siteId = await look()
    if (this.#known.size >= mostKept) this.#known.clear()
    if (siteId !== undefined || this.#changes === before) {
      this.#known.set(key, { siteId, until: performance.now() + nobodyMs })
    }
    const snapshot = siteId === undefined ? undefined : await this.#snapshots.get(siteId)
    return snapshot && isNamed(snapshot) ? snapshot : undefined
  }

  #forgetNobodies(): void {
    this.#changes += 1
    for (const [key, { siteId }] of this.#known) if (siteId === undefined) this.#known.delete(key)
  }
}
