import { isIP } from 'node:net'
import { percentDecoded } from '../percent.ts'
import { type Hosts, hostOf } from '../sites/addresses.ts'
import type { Asked } from './resolve.ts'

/** Who answers on a host: the program itself, an organization's sites, or perhaps one site alone. */
export type HostKind = { kind: 'main' } | { kind: 'organization'; hostname: string } | { kind: 'custom' }

/** `hostname` is in lower case and without a port. */
export function kindOfHost({ url, sitesHost }: Hosts, hostname: string): HostKind {
  if (hostname === mainOf(url).hostname) return main
  const shared = sitesHost === undefined ? undefined : hostOf(sitesHost)
  if (shared !== undefined && hostname.endsWith(`.${shared}`)) {
    return { kind: 'organization', hostname: hostname.slice(0, -shared.length - 1) }
  }
  // No site can have an address or a bare name for its host: whoever uses one means the server.
  const isBare = !hostname.includes('.') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isBare ? main : { kind: 'custom' }
}

const main = { kind: 'main' } as const

let parsed = { url: '', hostname: '', path: '' }

/** The parts of the main address, which stays the same: where it is on its host, without a slash at its end. */
export function mainOf(url: string): { hostname: string; path: string } {
  if (parsed.url !== url) {
    const { hostname, pathname } = new URL(url)
    parsed = { url, hostname, path: pathname.replace(/\/$/, '') }
  }
  return parsed
}

/** In lower case, without a port, and without the dot that a full name may end in. */
export const plainHost = (host: string) => (/[A-Z:]|\.$/.test(host) ? hostOf(host).replace(/\.$/, '') : host)

export const maxPathLength = 2_048

/**
 * A path below a site, as it was asked for. Undefined for what no address of ours looks like: empty segments, steps
 * upwards, separators and control characters in disguise, what is not properly encoded, what is too long.
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
 * The same for a path with slashes too many, as they come from addresses that were put together: what it looks like
 * without them. Undefined where it has none, or is no path for another reason.
 */
export function readUntidyPath(path: string): (Asked & { tidy: string }) | undefined {
  if (path.length > maxPathLength) return undefined
  const tidy = path.replace(/\/{2,}/g, '/').replace(/^\//, '')
  const asked = tidy === path ? undefined : readPath(tidy)
  return asked && { ...asked, isUntidy: true, tidy }
}

/** A place on the same site to come back to: a path below it, and nothing that a browser would take elsewhere. */
export function readReturnPath(location: string | undefined): string {
  const path = (location ?? '').replace(/^\//, '')
  return readPath(path.split(/[?#]/)[0]!) && !/[\\\p{Cc}]/u.test(path) ? path : ''
}
