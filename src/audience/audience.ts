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
import { type SiteSnapshot, answersReaders } from './snapshots/snapshot.ts'
import { SiteSnapshots } from './snapshots/snapshots.ts'
import { type Admission, type Presented, type Visitor, admit } from './visitors/visitor.ts'

/** Upper limit of consecutive redirects that lead back to the same site. */
const mostSteps = 8

/** A site found at an address, and the rest of the address. */
export interface Located {
  snapshot: SiteSnapshot
  /** The path of the site on this host, with a slash at its end. */
  basePath: string
  /** The requested path below it. Undefined if the slash between the two is missing. */
  rest: string | undefined
}

/** The default site of an organization, for an address that names no site. `front` is its path. */
export interface Front {
  front: string
  /** The site itself. Not everybody may know that it exists. */
  of: SiteSnapshot
}

declare module 'fastify' {
  interface FastifyInstance {
    audience: Audience
  }
}

/**
 * Decides who reads what of a site: host and path → site → audience → section → variant → page. The JSON view,
 * `urls/published` and the pages all use this class, so they cannot disagree.
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
    this.#emptied = new Emptied(app.db, this.#pages)
    this.#sources = {
      pages: (at) => this.pages(at),
      formerPath: ({ head, space }, path) => findFormer(app.db, head.organizationId, space.id, path),
      formerPlaces: ({ site }, segments) => listFormerPlaces(app.db, site, segments),
    }
  }

  close(): Promise<void> {
    return this.snapshots.close()
  }

  /**
   * Returns the pages of a revision, including those made from specifications. Returns a Promise only if they are not
   * cached or some have to be made.
   */
  pages(at: Revision): SpacePages | Promise<SpacePages> {
    const pages = this.#pages.get(at)
    return pages instanceof Promise || hasPlaceholders(pages.tree) ? this.#expanded(pages) : pages
  }

  async #expanded(pages: SpacePages | Promise<SpacePages>): Promise<SpacePages> {
    const kept = await pages
    const { tree, stamp } = await expandPages(this.#app, kept.at, kept.tree)
    return tree === kept.tree ? kept : { ...kept, tree, made: stamp }
  }

  /** Whether a visitor is let into a site, and as which visitor. */
  async admit(snapshot: SiteSnapshot, presented: Presented): Promise<Admission> {
    const admission = admit(this.#app.secrets, snapshot, presented)
    return 'refused' in admission ? admission : { visitor: await this.asSeen(snapshot, admission.visitor) }
  }

  /**
   * Returns the visitor as the site sees them: variants in which they see no page do not exist for them. Must be called
   * again for each snapshot.
   */
  asSeen(snapshot: SiteSnapshot, visitor: Visitor): Visitor | Promise<Visitor> {
    return this.#emptied.withoutEmptied(snapshot, visitor)
  }

  /**
   * Finds what a visitor gets at a path of a site. A redirect to another site may lead to this very site, if it has
   * been given that host since. Such a redirect is followed here, because a browser that went there would come back,
   * perhaps forever.
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
      // As in browsers, the last fragment counts.
      hash = to.hash || hash
      const behind = { search: to.search, hash }
      found = await resolve(snapshot, visitor, next, this.#sources)
      if (found.kind === 'page') return { kind: 'moved', path: pathOfPage(snapshot, visitor, found), status, behind }
      if (found.kind === 'moved') return { ...found, status, behind }
      if (found.kind === 'below') return { kind: 'moved', path: within, status, behind }
    }
    return found
  }

  /** Returns the path below this site that an address leads to, if it leads to this site. */
  async #pathWithin({ site }: SiteSnapshot, address: string): Promise<string | undefined> {
    const located = URL.canParse(address) ? await this.locateUrl(new URL(address)) : undefined
    return located && 'snapshot' in located && located.snapshot.site.id === site.id ? (located.rest ?? '') : undefined
  }

  /** The address for search engines and other sites. */
  canonicalAddress({ place }: SiteSnapshot): string {
    return siteAddress(this.#app.hosts, place)
  }

  /** The address for previews: the main one, which answers whatever else is set. */
  mainAddress({ place }: SiteSnapshot): string {
    return mainAddress(this.#app.hosts, place)
  }

  /** Returns the visitor with a content token, who reads through the API. */
  findReader(secret: string): Promise<Caller | undefined> {
    return findReader(this.#app, secret)
  }

  /** Returns the site whose own host this is. Nothing else answers on that host. */
  siteWithHost(hostname: string): Promise<SiteSnapshot | undefined> {
    return this.#directory.withHost(hostname)
  }

  /** Locates `<organization>/<basename>/…`, which follows `above` on the main address. */
  locateBelowSites(path: string, above: string): Promise<Located | Front | undefined> {
    const slash = path.indexOf('/')
    const organization = slash === -1 ? path : path.slice(0, slash)
    return this.locateOf(organization, slash === -1 ? '' : path.slice(slash + 1), `${above}${organization}/`)
  }

  /** Locates `<basename>/…` of an organization, which follows `above`. */
  async locateOf(organizationHost: string, path: string, above: string): Promise<Located | Front | undefined> {
    const slash = path.indexOf('/')
    const name = slash === -1 ? path : path.slice(0, slash)
    const rest = slash === -1 ? undefined : path.slice(slash + 1)
    if (name === '') {
      const basename = await findDefaultBasename(this.#app.db, organizationHost)
      const of = basename === undefined ? undefined : await this.#directory.withName(organizationHost, basename)
      return of && answersReaders(of) ? { front: `${above}${encodeURIComponent(of.site.basename)}/`, of } : undefined
    }
    const basename = percentDecoded(name)
    const snapshot = basename && (await this.#directory.withName(organizationHost, basename))
    return snapshot ? { snapshot, basePath: `${above}${name}/`, rest } : undefined
  }

  /** Locates the site at a whole address, on whichever host it is shown. */
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

  /** The path of the program on its host, without a slash at its end. A proxy may serve it below a path. */
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
