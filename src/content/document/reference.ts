import { isId } from '../../ids.ts'

/** The address that a content reference stands for; the forms of links in submitted Markdown (`/pages/…`). */
export function hrefOf(reference: unknown): string {
  if (typeof reference === 'string') return reference
  if (typeof reference !== 'object' || reference === null) return ''
  const field = (name: string): string => {
    const value = (reference as Record<string, unknown>)[name]
    return typeof value === 'string' ? value : ''
  }
  const anchor = field('anchor') === '' ? '' : `#${field('anchor')}`
  switch (field('kind')) {
    case 'page':
    case 'anchor':
      return field('page') === '' ? anchor : `/pages/${field('page')}${anchor}`
    case 'file':
      return `/files/${field('file')}`
    case 'reusable-content':
      return isId(field('reusableContent'))
        ? `/reusable-contents/${field('reusableContent')}`
        : field('reusableContent')
    case 'openapi':
      return field('spec')
    default:
      return field('url')
  }
}
