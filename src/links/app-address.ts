import { isId } from '../ids.ts'
import type { Binding } from '../pages/references.ts'
import { decoded } from './paths.ts'

/**
 * What an address of this installation leads to, by the part behind that of the installation: a space, something in
 * it, or some other place of the app. Undefined for what is for readers, such as a site.
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
  // The end begins where its slashes do: else a long row of them would be looked at from each of them.
  const path = decoded(rest)?.replace(/^\/+|(?<!\/)\/+$/g, '')
  return path === undefined ? { app: true } : { space, ...(path !== '' && { path }) }
}

/** Says which addresses are those of an installation, and what stands behind it. */
export function behind(url: string): (address: string) => string | undefined {
  return (address) => (address.startsWith(`${url}/`) ? address.slice(url.length) : undefined)
}

/** The same where it is known already that an address is one of them, whatever the installation was called then. */
export function behindAny(address: string): string | undefined {
  return /^https?:\/\/[^/]+.*?(\/(?:app|v1|files)(?:\/.*)?)$/is.exec(address)?.[1]
}
