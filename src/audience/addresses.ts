import { isIP } from 'node:net'
import { percentDecoded } from '../percent.ts'
import { type Hosts, hostOf } from '../sites/addresses.ts'
import type { Asked } from './resolve.ts'

/** What answers on a host: the program itself, the sites of an organization, or possibly a single site. */
export type HostKind = { kind: 'main' } | { kind: 'organization'; hostname: string } | { kind: 'custom' }

/** `hostname` is in lower case and without a port. */
export function kindOfHost({ url, sitesHost }: Hosts, hostname: string): HostKind {
  if (hostname === mainOf(url).hostname) return main
  const shared = sitesHost === undefined ? undefined : hostOf(sitesHost)
  if (shared !== undefined && hostname.endsWith(`.${shared}`)) {
    return { kind: 'organization', hostname: hostname.slice(0, -shared.length - 1) }
  }
  // No site can have an IP address or a name without dots as its host, so such a host means the server.
  const isBare = !hostname.includes('.') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isBare ? main : { kind: 'custom' }
}

const main = { kind: 'main' } as const

let parsed = { url: '', hostname: '', path: '' }

/** The host name and path of the main address, which does not change. The path has no slash at its end. */
export function mainOf(url: string): { hostname: string; path: string } {
  if (parsed.url !== url) {
    const { hostname, pathname } = new URL(url)
    parsed = { url, hostname, path: pathname.replace(/\/$/, '') }
  }
  return parsed
}

/** The host in lower case, without a port, and without the dot that a full name may end in. */
export const plainHost = (host: string) => (/[A-Z:]|\.$/.test(host) ? hostOf(host).replace(/\.$/, '') : host)

export const maxPathLength = 2_048

/**
 * Parses a requested path below a site. Returns undefined for paths that none of our addresses have: empty segments,
 * steps upwards, encoded separators and control characters, invalid encoding, or too long.
 */
export function readPath(path: string): Asked | undefined {
  if (path.length > maxPathLength) return undefined
  if (path === '') return { segments: [], hasSlash: true }
  const hasSlash = path.endsWith('/')
  const segments = (hasSlash ? path.slice(0, -1) : path).split('/').map(percentDecoded)
  return segments.every(isSegment) ? { segments, hasSlash } : undefined
}

const isSegment = (segment: string | undefined): segment is string =>
  segment !== undefined && segment !== '' && segment !== '.' && segment !== '..' && !/[/\\\p{Cc}]/u.test(segment)

/**
 * The same for a path with extra slashes, as joined addresses sometimes have: parses it without them. Returns undefined
 * if it has none, or is invalid for another reason.
 */
export function readUntidyPath(path: string): (Asked & { tidy: string }) | undefined {
  if (path.length > maxPathLength) return undefined
  const tidy = path.replace(/\/{2,}/g, '/').replace(/^\//, '')
  const asked = tidy === path ? undefined : readPath(tidy)
  return asked && { ...asked, isUntidy: true, tidy }
}

/**
 * Returns the path of a place on the same site to come back to. Anything that a browser would take for another place
 * becomes empty.
 */
export function readReturnPath(location: string | undefined): string {
  const path = (location ?? '').replace(/^\//, '')
  return readPath(path.split(/[?#]/)[0]!) && !/[\\\p{Cc}]/u.test(path) ? path : ''
}
