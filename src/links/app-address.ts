import { isId } from '../ids.ts'
import type { Binding } from '../pages/references.ts'
import { decoded } from './paths.ts'

/**
 * Returns what an address of this installation leads to, given the part after the base URL: a space, something in it,
 * or another place of the app. Undefined for addresses meant for readers, such as a site.
 */
export function appAddressOf(behind: string): Binding | undefined {
  const [path = ''] = behind.split(/[?#]/)
  const [, space, rest = ''] = /^\/app\/o\/[^/]+\/s\/([^/]+)(?:\/(.*))?$/s.exec(path) ?? []
  if (space !== undefined && isId(space) && !rest.startsWith('~')) return inSpace(space, rest)
  const [, owner, kind, id] = /^\/v1\/spaces\/([^/]+)(?:\/content\/(page|files)\/([^/]+))?$/.exec(path) ?? []
  if (owner !== undefined && isId(owner) && (id === undefined || isId(id))) {
    return { space: owner, ...(id !== undefined && { kind: kind === 'page' ? 'page' : 'file', id }) }
  }
  const [, holder = '', file = ''] = /^\/files\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  if (isId(holder) && isId(file)) return { space: holder, kind: 'file', id: file }
  return /^\/(app|v1|files)(\/|$)/.test(path) ? { app: true } : undefined
}

function inSpace(space: string, rest: string): Binding {
  // Matches only at the start of the trailing slashes. Otherwise a long row of slashes would be scanned from each of
  // them.
  const path = decoded(rest)?.replace(/^\/+|(?<!\/)\/+$/g, '')
  return path === undefined ? { app: true } : { space, ...(path !== '' && { path }) }
}

/**
 * Returns a function that tests whether an address belongs to an installation, and returns the part after the base URL.
 */
export function behind(url: string): (address: string) => string | undefined {
  return (address) => (address.startsWith(`${url}/`) ? address.slice(url.length) : undefined)
}

/**
 * The same for an address that is known to belong to the installation, under whatever URL it was reachable at that
 * time.
 */
export function behindAny(address: string): string | undefined {
  return /^https?:\/\/[^/]+.*?(\/(?:app|v1|files)(?:\/.*)?)$/is.exec(address)?.[1]
}
