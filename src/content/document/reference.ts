import { isId } from '../../ids.ts'
import type { ContentReference } from './shape.ts'

/** Returns the address for a content reference, in the form of links in submitted Markdown (`/pages/…`). */
export function hrefOf(reference: unknown): string {
  if (typeof reference === 'string') return reference
  if (typeof reference !== 'object' || reference === null) return ''
  const field = (name: string): string => {
    const value = (reference as Record<string, unknown>)[name]
    return typeof value === 'string' ? value : ''
  }
  const elsewhere = field('space') === '' ? '' : `/spaces/${field('space')}`
  const anchor = field('anchor') === '' ? '' : `#${field('anchor')}`
  switch (field('kind')) {
    case 'page':
    case 'anchor':
      return field('page') === '' ? elsewhere + anchor : `${elsewhere}/pages/${field('page')}${anchor}`
    case 'file':
      return `/files/${field('file')}`
    case 'reusable-content':
      return isId(field('reusableContent'))
        ? `/reusable-contents/${field('reusableContent')}`
        : field('reusableContent')
    case 'space':
      return elsewhere
    case 'collection':
      return `/collections/${field('collection')}`
    case 'user':
      return `/users/${field('user')}`
    case 'openapi':
      return field('spec')
    default:
      return field('url')
  }
}

/** Returns what can be derived from an address alone: a place in the same page, something with an id, or just a URL. */
export function referenceOf(href: string): ContentReference {
  const hash = href.indexOf('#')
  const address = hash === -1 ? href : href.slice(0, hash)
  const anchor = hash === -1 ? '' : href.slice(hash + 1)
  if (address === '' && anchor !== '') return { kind: 'anchor', anchor }
  return byId(address, anchor) ?? { kind: 'url', url: href }
}

const named =
  /^(?:\/spaces\/([0-9a-f-]{36}))?(?:\/(pages|files|reusable-contents|collections|users)\/([0-9a-f-]{36}))?$/

function byId(address: string, anchor: string): ContentReference | undefined {
  const [, space, folder, id = ''] = named.exec(address) ?? []
  const elsewhere = space === undefined ? {} : { space }
  if (space !== undefined && !isId(space)) return undefined
  if (folder === undefined) return space === undefined || anchor !== '' ? undefined : { kind: 'space', space }
  if (!isId(id) || (space !== undefined && folder !== 'pages')) return undefined
  switch (folder) {
    case 'pages':
      return anchor === ''
        ? { kind: 'page', page: id, ...elsewhere }
        : { kind: 'anchor', page: id, anchor, ...elsewhere }
    case 'files':
      return { kind: 'file', file: id }
    case 'reusable-contents':
      return { kind: 'reusable-content', reusableContent: id }
    case 'collections':
      return { kind: 'collection', collection: id }
    default:
      return { kind: 'user', user: id }
  }
}
