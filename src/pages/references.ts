import { referenceOf } from '../content/document/reference.ts'
import type { ContentReference } from '../content/document/shape.ts'
import { isId } from '../ids.ts'
import type { Entry } from '../revisions/entries.ts'
import { type Refs, reusableData } from './entry-data.ts'

type BoundKind = 'page' | 'file' | 'reusable-content'

export interface Bound {
  kind: BoundKind
  id: string
  anchor?: string
}

/** What an address in a text referred to when it was written, as stored in `refs`. */
export interface Binding {
  /** Set if it leads to another space. */
  space?: string
  kind?: BoundKind
  id?: string
  /** The requested path, as slugs from the top. Used if the id no longer exists, or if there was none. */
  path?: string
  /** An address of this installation that is not content. */
  app?: true
}

const form = /^(?:space:(\S+)(?: |$))?(?:(page|file|reusable-content):(\S+)(?: (.*))?|path:(.*))?$/s

export function readBinding(ref: string): Binding | undefined {
  if (ref === 'app') return { app: true }
  const [, space, kind, id, idPath, path = idPath] = form.exec(ref) ?? []
  if ([space, id].some((each) => each !== undefined && !isId(each))) return undefined
  return {
    ...(space !== undefined && { space }),
    ...(id !== undefined && { kind: kind as BoundKind, id }),
    ...(path !== undefined && { path }),
  }
}

export function writeBinding({ space, kind, id, path, app }: Binding): string {
  if (app) return 'app'
  const within = id === undefined ? path !== undefined && `path:${path}` : `${kind}:${id}${path ? ` ${path}` : ''}`
  return [space !== undefined && `space:${space}`, within].filter(Boolean).join(' ')
}

/** Splits an address into the part before the anchor, and the anchor. */
export function partsOf(href: string): { address: string; anchor?: string } {
  const hash = href.indexOf('#')
  return hash === -1 ? { address: href } : { address: href.slice(0, hash), anchor: href.slice(hash + 1) }
}

export function bindingIn(refs: Refs, address: string): Binding | undefined {
  return Object.hasOwn(refs, address) ? readBinding(refs[address]!) : undefined
}

/** Returns what an address in a body refers to: its target when the body was written, or the id that it contains. */
export function boundTo(href: string, refs: Refs): Bound | undefined {
  const { address, ...anchor } = partsOf(href)
  const { kind, id, space } = bindingIn(refs, address) ?? {}
  if (kind !== undefined && id !== undefined && space === undefined) return { kind, id, ...anchor }
  const named = namedIn(address)
  return named?.id !== undefined && named.space === undefined
    ? { kind: named.kind!, id: named.id, ...anchor }
    : undefined
}

/**
 * Returns what an address refers to by id: `/pages/<id>`, `/files/<id>`, `/reusable-contents/<id>`,
 * `/spaces/<id>/pages/<id>`.
 */
export function namedIn(address: string): Binding | undefined {
  const { kind, page, file, reusableContent, space } = referenceOf(address) as Record<string, string | undefined>
  const elsewhere = space !== undefined && { space }
  if (kind === 'page') return { kind, id: page!, ...elsewhere }
  if (kind === 'file') return { kind, id: file! }
  if (kind === 'reusable-content') return { kind, id: reusableContent! }
  return elsewhere || undefined
}

/** The same in the notation of the `document` format. */
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
      // For another space only the address from the text itself: the reader may not be allowed to see that space.
      return referenceOf(href)
  }
}

/** Returns the reusable content that an include refers to: by its id, or by its file in a repository. */
export function includedBy(ref: string, contents: readonly Entry[]): string | undefined {
  if (isId(ref)) return ref
  const path = ref.replace(/^(\.{0,2}\/)+/, '')
  return contents.find((entry) => {
    const own = reusableData(entry).git?.path
    return own !== undefined && (own === path || own.endsWith(`/${path}`))
  })?.entry
}
