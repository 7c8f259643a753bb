/**
 * Where readers find a site, its sections and its spaces. The main address always answers; what is set besides decides
 * which address is shown: a proxy, else a host of its own, else the subdomain of its organization, else the main one.
 */

/** Where addresses begin: the main address without a slash at its end, and the host whose subdomains show sites. */
export interface Hosts {
  url: string
  sitesHost: string | undefined
}

/** What the address of a site is made of. */
export interface SitePlace {
  /** That of its organization. */
  organization_hostname: string
  basename: string
  hostname: string | null
  proxy: string | null
}

/** A part of a site below another. The default of a level is found without its path. */
export interface Step {
  path: string
  isDefault: boolean
}

/** The address to show. Ends in a slash, so that a path can be put behind it. */
export function siteAddress(hosts: Hosts, site: SitePlace, shareKey?: string): string {
  const address = site.proxy === null ? ownAddress(hosts, site) : `https://${site.proxy}/`
  return shareKey === undefined ? address : `${address}${encodeURIComponent(shareKey)}/`
}

/** Where the site is served, whatever shows it elsewhere: what a proxy asks. */
export function ownAddress(hosts: Hosts, site: SitePlace): string {
  if (site.hostname !== null) return `${beside(hosts, site.hostname)}/`
  if (hosts.sitesHost === undefined) return mainAddress(hosts, site)
  return `${beside(hosts, `${site.organization_hostname}.${hosts.sitesHost}`)}/${encodeURIComponent(site.basename)}/`
}

/** The address that always answers. */
export function mainAddress({ url }: Hosts, { organization_hostname, basename }: SitePlace): string {
  return `${url}/sites/${organization_hostname}/${encodeURIComponent(basename)}/`
}

/** What lies below a site: a section, a space at its root, or a space in a section. */
export function addressBelow(siteAddress: string, ...steps: (Step | null)[]): string {
  return siteAddress + pathOf(...steps)
}

/** The same without the site: empty, or with a slash at its end. */
export function pathOf(...steps: (Step | null)[]): string {
  return steps.map((step) => (step && !step.isDefault ? `${encodeURIComponent(step.path)}/` : '')).join('')
}

/** Another host on the same server: it has the scheme of the main address, and its port unless it names one. */
function beside({ url }: Hosts, host: string): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}${port !== '' && !/:\d+$/.test(host) ? `:${port}` : ''}`
}

/** Without a port, in lower case. */
export const hostOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

export const longestProxy = 512

/** One address is kept in one way: hosts are the same in any case, as browsers send them in lower case; paths are not. */
export const proxyAsKept = (proxy: string) => proxy.replace(/^[^/]+/, (host) => host.toLowerCase())

/** Whether a site may have this host: not where the program itself answers, nor where subdomains show sites. */
export function mayBeHostOfSite({ url, sitesHost }: Hosts, hostname: string): boolean {
  if (hostname === new URL(url).hostname) return false
  const shared = sitesHost === undefined ? undefined : hostOf(sitesHost)
  return shared === undefined || (hostname !== shared && !hostname.endsWith(`.${shared}`))
}
