/**
 * The addresses of a site, its sections and its spaces. The main address always works. The address that is shown is the
 * proxy if there is one, otherwise the site's own hostname, otherwise the subdomain of its organization, otherwise the
 * main address.
 */

/** The start of all addresses: the main address without a trailing slash, and the host whose subdomains show sites. */
export interface Hosts {
  url: string
  sitesHost: string | undefined
}

/** The parts that make up the address of a site. */
export interface SitePlace {
  /** The hostname of its organization. */
  organization_hostname: string
  basename: string
  hostname: string | null
  proxy: string | null
}

/** A part of a site below another. The default of a level has no path segment in its address. */
export interface Step {
  path: string
  isDefault: boolean
}

/** Returns the address to show. It ends in a slash, so that a path can be appended. */
export function siteAddress(hosts: Hosts, site: SitePlace, shareKey?: string): string {
  const address = site.proxy === null ? ownAddress(hosts, site) : `https://${site.proxy}/`
  return shareKey === undefined ? address : `${address}${encodeURIComponent(shareKey)}/`
}

/**
 * Returns where the site itself is served, even if a proxy shows it elsewhere. This is the address that a proxy
 * requests.
 */
export function ownAddress(hosts: Hosts, site: SitePlace): string {
  if (site.hostname !== null) return `${beside(hosts, site.hostname)}/`
  if (hosts.sitesHost === undefined) return mainAddress(hosts, site)
  return `${beside(hosts, `${site.organization_hostname}.${hosts.sitesHost}`)}/${encodeURIComponent(site.basename)}/`
}

/** Returns the address that always works. */
export function mainAddress({ url }: Hosts, { organization_hostname, basename }: SitePlace): string {
  return `${url}/sites/${organization_hostname}/${encodeURIComponent(basename)}/`
}

/** Returns the address of a section, a space at the root of the site, or a space in a section. */
export function addressBelow(siteAddress: string, ...steps: (Step | null)[]): string {
  return siteAddress + pathOf(...steps)
}

/** The same relative to the site: empty, or with a trailing slash. */
export function pathOf(...steps: (Step | null)[]): string {
  return steps.map((step) => (step && !step.isDefault ? `${encodeURIComponent(step.path)}/` : '')).join('')
}

/** Another host on the same server. It has the scheme of the main address, and its port unless it includes one. */
function beside({ url }: Hosts, host: string): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}${port !== '' && !/:\d+$/.test(host) ? `:${port}` : ''}`
}

/** Returns the host in lower case without its port. */
export const hostOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

export const longestProxy = 512

/**
 * Normalizes the address of a proxy, so that each is stored in only one form. Hosts are case-insensitive, and browsers
 * send them in lower case. Paths are case-sensitive.
 */
export const proxyAsKept = (proxy: string) => proxy.replace(/^[^/]+/, (host) => host.toLowerCase())

/**
 * Whether a site may have this hostname: not the app's own, nor the host whose subdomains show sites, nor one of these
 * subdomains.
 */
export function mayBeHostOfSite({ url, sitesHost }: Hosts, hostname: string): boolean {
  if (hostname === new URL(url).hostname) return false
  const shared = sitesHost === undefined ? undefined : hostOf(sitesHost)
  return shared === undefined || (hostname !== shared && !hostname.endsWith(`.${shared}`))
}
