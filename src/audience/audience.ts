import type { Caller } from '../access/caller.ts'
import type { App } from '../http/routes.ts'
import { percentDecoded } from '../percent.ts'
import type { Revision } from '../revisions/revision.ts'
import { expandPages, hasPlaceholders } from '../openapi/generate/expand.ts'
import { longestProxy, mainAddress, siteAddress } from '../sites/addresses.ts'
import { findFormer } from '../sites/former-paths.ts'
import { listFormerPlaces } from '../sites/former-places.ts'
import { kindOfHost, mainOf, plainHost, readPath } from './addresses.ts'
import { Directory } from './directory.ts'
import { findDefaultBasename, findSiteByProxy } from './directory.queries.ts'
import { Emptied } from './emptied.ts'
import { PageCache } from './page-cache.ts'
import type { SpacePages } from './pages.ts'
import { type Asked, type Resolution, type Sources, pathOfPage, resolve } from './resolve.ts'
import { findReader } from './reader.ts'
import type { SiteSnapshot } from './snapshots/snapshot.ts'
import { SiteSnapshots } from './snapshots/snapshots.ts'
import { type Admission, type Presented, type Visitor, admit } from './visitors/visitor.ts'

/** Redirects that lead to the site itself, one after the other. */
const mostSteps = 8

/** A site at an address, and what is left of the address there. */
export interface Located {
  snapshot: SiteSnapshot
  /** The path of the site on this host, with a slash at its end. */
  basePath: string
  /** What is below it, as it was asked for; undefined where the slash between the two is missing. */
  rest: string | undefined
}

/** An organization's address that names no site: the site that it shows there. */
export interface Front {
  front: string
  /** That site: not everybody is to know that there is one. */
  of: SiteSnapshot
}

declare module 'fastify' {
  interface FastifyInstance {
    audience: Audience
  }
}

/**
 * Who reads what of a site: host and path → site → audience → section → variant → page. The JSON view, `urls/published`
 * and the pages all ask here, so they cannot disagree.
 */
export class Audience {
  readonly snapshots: SiteSnapshots
  readonly #app: App
  readonly #directory: Directory
  readonly #pages: PageCache
  readonly #emptied: Emptied
  readonly #sources: Sources

  constructor(app: App) {
    this.#app = app
    this.snapshots = new SiteSnapshots(app.db)
    this.#directory = new Directory(app.db, this.snapshots)
    this.#pages = new PageCache(app.content)
    this.#emptied = new Emptied(this.#pages)
    this.#sources = {
      pages: (at) => this.pages(at),
      formerPath: ({ head, space }, path) => findFormer(app.db, head.organizationId, space.id, path),
      formerPlaces: ({ site }, segments) => listFormerPlaces(app.db, site, segments),
    }
  }

  close(): Promise<void> {
    return this.snapshots.close()
  }

  /** At hand where somebody reads them, with those in it that are made from specifications. */
  pages(at: Revision): SpacePages | Promise<SpacePages> {
    const pages = this.#pages.get(at)
    return pages instanceof Promise || hasPlaceholders(pages.tree) ? this.#expanded(pages) : pages
  }

  async #expanded(pages: SpacePages | Promise<SpacePages>): Promise<SpacePages> {
    const kept = await pages
    const { tree, stamp } = await expandPages(this.#app, kept.at, kept.tree)
    return tree === kept.tree ? kept : { ...kept, tree, made: stamp }
  }

  /** Whether a site lets somebody in, and as whom. */
  async admit(snapshot: SiteSnapshot, presented: Presented): Promise<Admission> {
    const admission = admit(this.#app.secrets, snapshot, presented)
    return 'refused' in admission ? admission : { visitor: await this.asSeen(snapshot, admission.visitor) }
  }

  /** A visitor to whom the variants of a site are not there of which they see no page. Asked anew for each snapshot. */
  asSeen(snapshot: SiteSnapshot, visitor: Visitor): Visitor | Promise<Visitor> {
    return this.#emptied.withoutEmptied(snapshot, visitor)
  }

  /**
   * What a visitor finds at a path of a site. A redirect to another site may in the meantime lead to this very one (it was
   * given that host): then it is followed here, since a browser that went there would come back, perhaps for ever.
   */
  async resolve(snapshot: SiteSnapshot, visitor: Visitor, asked: Asked): Promise<Resolution> {
    let found = await resolve(snapshot, visitor, asked, this.#sources)
    let hash = ''
    for (let step = 0; found.kind === 'external'; step++) {
      const within = await this.#pathWithin(snapshot, found.url)
      if (within === undefined) return found
      const next = readPath(within)
      if (!next || step === mostSteps) return { kind: 'missing' }
      const { status } = found
      const to = new URL(found.url)
      // As browsers do it: the last one that names a part of a page counts.
      hash = to.hash || hash
      const behind = { search: to.search, hash }
      found = await resolve(snapshot, visitor, next, this.#sources)
      if (found.kind === 'page') return { kind: 'moved', path: pathOfPage(snapshot, visitor, found), status, behind }
      if (found.kind === 'moved') return { ...found, status, behind }
      if (found.kind === 'below') return { kind: 'moved', path: within, status, behind }
    }
    return found
  }

  /** The path of an address below this site, if it is one of its own. */
  async #pathWithin({ site }: SiteSnapshot, address: string): Promise<string | undefined> {
    const located = URL.canParse(address) ? await this.locateUrl(new URL(address)) : undefined
    return located && 'snapshot' in located && located.snapshot.site.id === site.id ? (located.rest ?? '') : undefined
  }

  /** The address that search engines and other sites are to know. */
  canonicalAddress({ place }: SiteSnapshot): string {
    return siteAddress(this.#app.hosts, place)
  }

  /** Where previews are shown: the address that answers whatever else is set. */
  mainAddress({ place }: SiteSnapshot): string {
    return mainAddress(this.#app.hosts, place)
  }

  /** Whoever holds a content token: a visitor who reads through the API. */
  findReader(secret: string): Promise<Caller | undefined> {
    return findReader(this.#app, secret)
  }

  /** The site whose own host this is, on which nothing else answers. */
  siteWithHost(hostname: string): Promise<SiteSnapshot | undefined> {
    return this.#directory.withHost(hostname)
  }

  /** `<organization>/<basename>/…`, which stands behind `above` on the main address. */
  locateBelowSites(path: string, above: string): Promise<Located | Front | undefined> {
    const slash = path.indexOf('/')
    const organization = slash === -1 ? path : path.slice(0, slash)
    return this.locateOf(organization, slash === -1 ? '' : path.slice(slash + 1), `${above}${organization}/`)
  }

  /** `<basename>/…` of an organization, which stands behind `above`. */
  async locateOf(organizationHost: string, path: string, above: string): Promise<Located | Front | undefined> {
    const slash = path.indexOf('/')
    const name = slash === -1 ? path : path.slice(0, slash)
    const rest = slash === -1 ? undefined : path.slice(slash + 1)
    if (name === '') {
      const basename = await findDefaultBasename(this.#app.db, organizationHost)
      const of = basename === undefined ? undefined : await this.#directory.withName(organizationHost, basename)
      return of && { front: `${above}${encodeURIComponent(of.site.basename)}/`, of }
    }
    const basename = percentDecoded(name)
    const snapshot = basename && (await this.#directory.withName(organizationHost, basename))
    return snapshot ? { snapshot, basePath: `${above}${name}/`, rest } : undefined
  }

  /** The site that a whole address shows, wherever it is shown. */
  async locateUrl(url: URL): Promise<Located | Front | undefined> {
    const { pathname } = url
    const hostname = plainHost(url.hostname)
    const host = kindOfHost(this.#app.hosts, hostname)
    if (host.kind === 'organization') return this.locateOf(host.hostname, pathname.slice(1), '/')
    if (host.kind === 'main') {
      const above = `${this.mainPath}/sites/`
      return pathname.startsWith(above) ? this.locateBelowSites(pathname.slice(above.length), above) : undefined
    }
    const snapshot = await this.#directory.withHost(hostname)
    if (snapshot) return { snapshot, basePath: '/', rest: pathname.slice(1) }
    return this.#locateByProxy(url)
  }

  /** Where the program is on its host, without a slash at its end: a proxy may show it below something. */
  get mainPath(): string {
    return mainOf(this.#app.url).path
  }

  async #locateByProxy({ host, pathname }: URL): Promise<Located | undefined> {
    const proxies: string[] = []
    for (const segment of pathname.split('/').filter(Boolean)) {
      const longer = `${proxies.at(-1) ?? host}/${segment}`
      if (longer.length > longestProxy) break
      proxies.push(longer)
    }
    const found = await findSiteByProxy(this.#app.db, proxies)
    const snapshot = found && (await this.snapshots.get(found.id))
    if (!found || snapshot?.site.proxy !== found.proxy) return undefined
    const basePath = found.proxy.slice(host.length)
    return { snapshot, basePath: `${basePath}/`, rest: pathname.slice(basePath.length + 1) || undefined }
  }
}
