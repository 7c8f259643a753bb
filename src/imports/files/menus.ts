import type { Block } from '../../content/blocks.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { parse } from '../../content/parse.ts'
import type { Listed } from '../../git/layout/shape.ts'
import { readSummary } from '../../git/layout/summary.ts'
import type { MenuItem } from '../html/navigation.ts'
import { keyOf } from '../web/addresses.ts'

/**
 * Returns the menu in the table of contents of a book, read in the same way as in a repository. Addresses are relative
 * to `base`.
 */
export function menuOfSummary(markdown: string, base: string): MenuItem[] {
  return withLinks(readSummary(markdown).flatMap((item) => itemOf(item, base)))
}

function itemOf({ title, href, fields, items }: Listed, base: string): MenuItem[] {
  const target = fields?.['type'] === 'link' ? fields['target'] : href
  const url = typeof target === 'string' && target !== '' ? addressFrom(target, base) : undefined
  const below = items.flatMap((item) => itemOf(item, base))
  return title === '' ? below : [{ title, ...(url !== undefined && { url }), items: below }]
}

function addressFrom(href: string, base: string): string | undefined {
  const whole = href.replace(/^\/\//, 'https://')
  return URL.canParse(whole, base) ? new URL(whole, base).href : undefined
}

/** Items that lead to the web become links. A link cannot contain pages, so those below it are placed beside it. */
function withLinks(menu: readonly MenuItem[]): MenuItem[] {
  return menu.map(({ title, url, items }): MenuItem => {
    const inner = withLinks(items)
    if (url === undefined || url.startsWith('archive:'))
      return { title, ...(url !== undefined && { url }), items: inner }
    return inner.length === 0
      ? { title, link: url, items: [] }
      : { title, items: [{ title, link: url, items: [] }, ...inner] }
  })
}

/** Returns all items of a menu, at any depth. */
export const everyItem = (menu: readonly MenuItem[]): MenuItem[] =>
  menu.flatMap((item) => [item, ...everyItem(item.items)])

/** Returns the items that become links: to the web, to pages that are already listed, or to an anchor. */
export function linksIn(menu: readonly MenuItem[]): MenuItem[] {
  const listed = new Set<string>()
  return everyItem(menu).filter(({ url, link }) => {
    if (url === undefined || url.includes('#')) return url !== undefined || link !== undefined
    const isAgain = listed.has(keyOf(url))
    listed.add(keyOf(url))
    return isAgain
  })
}

/** Returns the menu in the lists of a page. A Confluence export lists all pages on its first page. */
export const menuOfLists = (markdown: string, base: string): MenuItem[] =>
  parse(markdown).blocks.flatMap((block) => (block.type === 'list' ? itemsOf(block.blocks, base) : []))

function itemsOf(blocks: readonly Block[], base: string): MenuItem[] {
  return blocks.flatMap((item): MenuItem[] => {
    if (item.type !== 'list-item') return []
    const text = item.blocks.find((block) => block.type === 'paragraph')
    const inlines = text?.type === 'paragraph' ? text.inlines : []
    const href = firstLink(inlines)
    const url = href === undefined ? undefined : addressFrom(href, base)
    const items = item.blocks.flatMap((block) => (block.type === 'list' ? itemsOf(block.blocks, base) : []))
    const title = plainText(inlines).trim()
    return title === '' ? items : [{ title, ...(url !== undefined && { url }), items }]
  })
}

function firstLink(inlines: readonly Inline[]): string | undefined {
  for (const inline of inlines) {
    if (inline.type === 'link' || inline.type === 'mention') return inline.href
    const inner = 'inlines' in inline && inline.inlines ? firstLink(inline.inlines) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Returns the pages that a Sphinx page lists, in its order. */
export function listedBelow(markdown: string, base: string): string[] {
  return linesOfLists(markdown).flatMap((line) => {
    const path = /<([^<>]+)>\s*$/.exec(line)?.[1] ?? line.trim()
    return path === '' || /^[:*]|^self$/.test(path) ? [] : (addressFrom(path, base) ?? [])
  })
}

/** Goes through the lines once: a pattern for a whole list would search to the end for each one that is not closed. */
function linesOfLists(markdown: string): string[] {
  const found: string[] = []
  let fence = ''
  let list: string[] = []
  for (const line of markdown.split('\n')) {
    if (fence === '') fence = /^(`{3,}|:{3,})\{toctree\}/.exec(line)?.[1] ?? ''
    else if (line.startsWith(fence)) {
      for (const each of list) found.push(each)
      fence = ''
      list = []
    } else list.push(line)
  }
  return found
}
