import type { ContentReference } from '../content/document/shape.ts'
import { isId } from '../ids.ts'
import type { Refs } from './entry-data.ts'

export interface Bound {
  kind: 'page' | 'file' | 'reusable-content'
  id: string
  anchor?: string
}

/** What an address in a body refers to: what it was bound to when the body was written, or an id that it names itself. */
export function boundTo(href: string, refs: Refs): Bound | undefined {
  const hash = href.indexOf('#')
  const address = hash === -1 ? href : href.slice(0, hash)
  const anchor = hash === -1 ? {} : { anchor: href.slice(hash + 1) }
  const ref = Object.hasOwn(refs, address) ? refs[address]! : ''
  const [, kind, id] = /^(page|file|reusable-content):(.+)$/.exec(ref) ?? byId(address) ?? []
  return id !== undefined && isId(id) ? { kind: kind as Bound['kind'], id, ...anchor } : undefined
}

const folders: Record<string, Bound['kind']> = {
  pages: 'page',
  files: 'file',
  'reusable-contents': 'reusable-content',
}

/** `/pages/<id>`, `/files/<id>`, `/reusable-contents/<id>`. */
function byId(address: string): [string, string, string] | undefined {
  const [, folder, id] = /^\/([a-z-]+)\/([0-9a-f-]{36})$/.exec(address) ?? []
  const kind = folder === undefined ? undefined : folders[folder]
  return kind && id !== undefined ? [address, kind, id] : undefined
}

/** The same as the `document` format says it. */
export function referenceTo(href: string, refs: Refs): ContentReference {
  const bound = boundTo(href, refs)
  switch (bound?.kind) {
    case 'page':
      return bound.anchor === undefined
        ? { kind: 'page', page: bound.id }
        : { kind: 'anchor', page: bound.id, anchor: bound.anchor }
    case 'file':
      return { kind: 'file', file: bound.id }
    case 'reusable-content':
      return { kind: 'reusable-content', reusableContent: bound.id }
    default:
      return { kind: 'url', url: href }
  }
}
