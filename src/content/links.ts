import { childBlocks, everyBlock, type Block } from './blocks.ts'
import { decodeEntities } from './html/attributes.ts'
import { frameAddress, isWebAddress } from './html/frames.ts'
import { candidatesOf } from './html/srcset.ts'
import { readTag as readHtmlTag, scanTags, type HtmlTag } from './html/tags.ts'
import type { Inline } from './inlines.ts'
import { findDestination } from './markdown/destination.ts'
import { attributeRange, readTag } from './markdown/tag.ts'
import type { Document } from './parse.ts'
import type { Range } from './tree.ts'

export type LinkKind =
  | 'link'
  | 'image'
  | 'file'
  | 'content-ref'
  | 'include'
  | 'card-target'
  | 'cover'
  | 'openapi'
  | 'embed'

/** An address in a page and its place in the source, so that it can be replaced there. */
export interface LinkPlace extends Range {
  /** As written in the source between `start` and `end`. */
  readonly raw: string
  /** The address itself, with escapes and entities decoded. */
  readonly href: string
  readonly kind: LinkKind
  /** The part after `#`. */
  readonly anchor?: string
}

/** Returns every address of a parsed page, in source order. Blocks made by code have no source and contribute none. */
export function links(document: Document): LinkPlace[] {
  const found: LinkPlace[] = []
  const add = (kind: LinkKind, range: Range, href: string) => {
    if (href === '') return
    const hash = href.indexOf('#')
    const anchor = hash === -1 ? {} : { anchor: href.slice(hash + 1) }
    found.push({ raw: document.source.slice(range.start, range.end), href, kind, ...range, ...anchor })
  }
  const source = document.source
  const visit = (block: Block): void => {
    if (block.range) blockLinks(block, block.range, source, add)
    if (block.type !== 'content-ref') childBlocks(block).forEach(visit)
  }
  document.blocks.forEach(visit)
  return found.toSorted((a, b) => a.start - b.start)
}

/**
 * Also returns the addresses that a card to a page repeats in its text: when the card's address is replaced, these must
 * be replaced as well.
 */
export function linksWithRepeated(document: Document): LinkPlace[] {
  const cards = [...everyBlock(document.blocks)].filter(({ type }) => type === 'content-ref')
  const repeated = links({ ...document, blocks: cards.flatMap(childBlocks) })
  return [...links(document), ...repeated].toSorted((a, b) => a.start - b.start)
}

/**
 * Returns the source of a parsed page with its addresses replaced. If `addressFor` returns undefined, the address
 * stays.
 */
export function exchangeAddresses(
  { source }: Document,
  places: readonly LinkPlace[],
  addressFor: (place: LinkPlace) => string | undefined,
): string {
  let text = ''
  let from = 0
  for (const place of places) {
    // If a replaced place overlaps a later one, as in a link around an image, the later one is skipped.
    const address = place.start < from ? undefined : addressFor(place)
    if (address === undefined) continue
    // An unquoted attribute value gets quotes: it cannot take a slash.
    const quote = source[place.start - 1] === '=' ? '"' : ''
    text += source.slice(from, place.start) + quote + unmistakable(address) + quote
    from = place.end
  }
  return text + source.slice(from)
}

/** Encodes the characters of an address that the Markdown or HTML around it would take for its own. */
function unmistakable(address: string): string {
  return address.replace(/["'<>()\s&\\]/g, (sign) => `%${sign.codePointAt(0)!.toString(16).padStart(2, '0')}`)
}

type Add = (kind: LinkKind, range: Range, href: string) => void

function blockLinks(block: Block, range: Range, source: string, add: Add): void {
  switch (block.type) {
    case 'paragraph':
      return block.align ? htmlLinks(range, source, add) : inlineLinks(block.inlines, source, add)
    case 'heading':
      return htmlHeading.test(source.slice(range.start, range.start + 4))
        ? htmlLinks(range, source, add)
        : inlineLinks(block.inlines, source, add)
    case 'embed':
      if (source.startsWith('<', range.start)) return htmlLinks(range, source, add)
      return tagLink('embed', 'url', range, source, add)
    case 'integration':
      return tagLink('embed', 'url', range, source, add)
    case 'content-ref':
      tagLink('content-ref', 'url', range, source, add)
      return tagLink('content-ref', 'page', range, source, add)
    case 'file':
      return tagLink('file', 'src', range, source, add)
    case 'openapi':
      return tagLink('openapi', 'src', range, source, add)
    case 'include':
      return includeLink(block.ref, range, source, add)
    case 'definition':
      return definitionLink(block.href, range, source, add)
    case 'details':
    case 'element': {
      const first = block.blocks[0]?.range?.start ?? range.end
      return htmlLinks({ start: range.start, end: Math.max(range.start, first) }, source, add)
    }
    case 'html':
      return htmlLinks(range, source, add)
    case 'images':
      if (source.startsWith('<', range.start) && !source.startsWith('![', range.start)) htmlLinks(range, source, add)
      else inlineLinks(block.images, source, add)
      return
    case 'table':
      if (source.startsWith('<', range.start)) tableLinks(range, source, add)
      else
        for (const cell of [...block.columns.map((column) => column.inlines), ...block.rows.flat()])
          inlineLinks(cell, source, add)
      return
  }
}

const htmlHeading = /^<h[1-6][\s>]/i

function tagLink(kind: LinkKind, name: string, range: Range, source: string, add: Add): void {
  const end = source.indexOf('%}', range.start)
  const tag = readTag(source.slice(range.start + 2, end))
  const place = tag && attributeRange(tag.rest, name)
  if (!tag || !place) return
  const rest = source.indexOf(tag.rest, range.start + 2 + tag.name.length)
  const exact = { start: rest + place.start, end: rest + place.end }
  add(kind, exact, decodeEntities(source.slice(exact.start, exact.end)))
}

function includeLink(ref: string, range: Range, source: string, add: Add): void {
  const start = source.indexOf(ref, range.start)
  if (start !== -1 && start < range.end) add('include', { start, end: start + ref.length }, ref)
}

function definitionLink(href: string, range: Range, source: string, add: Add): void {
  const written = source.slice(range.start, range.end)
  const match = /\]:[\s>]*(?:<([^<>\r\n]*)>|([^ \t\r\n]+))/d.exec(written)
  const place = match?.indices?.[1] ?? match?.indices?.[2]
  if (place) add('link', { start: range.start + place[0], end: range.start + place[1] }, href)
}

function inlineLinks(inlines: readonly Inline[], source: string, add: Add): void {
  for (const inline of inlines) {
    if ('range' in inline && inline.range) inlineLink(inline, inline.range, source, add)
    if ('inlines' in inline && inline.inlines) inlineLinks(inline.inlines, source, add)
  }
}

function inlineLink(inline: Inline, range: Range, source: string, add: Add): void {
  if (source[range.start] === '<' && source[range.start + 1] !== undefined) {
    const tag = readHtmlTag(source.slice(range.start, range.end), 0)
    if (typeof tag === 'object') {
      if (inline.type === 'image') htmlLinks(range, source, add)
      else tagAddresses(tag, range.start, add)
      return
    }
  }
  const [kind, href] =
    inline.type === 'image'
      ? (['image', inline.src] as const)
      : (['link', 'href' in inline ? inline.href : ''] as const)
  const written = source.slice(range.start, range.end)
  const place = /[[!]/.test(written.charAt(0)) ? findDestination(written, href) : bareAddress(written)
  if (place) add(kind, { start: range.start + place.start, end: range.start + place.end }, href)
}

/** Returns the range of the address in `<https://example.org>` or in a bare address. */
function bareAddress(written: string): Range {
  return written.startsWith('<') ? { start: 1, end: written.length - 1 } : { start: 0, end: written.length }
}

/** A map, because an attribute may have the name of a property that every object has. */
const addressKinds = new Map<string, LinkKind>([
  ['href', 'link'],
  ['src', 'image'],
  ['poster', 'image'],
])

function htmlLinks(range: Range, source: string, add: Add): void {
  for (const tag of scanTags(source.slice(range.start, range.end))) tagAddresses(tag, range.start, add)
}

function tagAddresses(tag: HtmlTag, offset: number, add: Add, linkKind: LinkKind = 'link'): void {
  for (const { name, value, start, end } of tag.attributes) {
    if (name === 'srcset') {
      for (const each of candidatesOf(value))
        add(
          'image',
          { start: offset + start + each.start, end: offset + start + each.end },
          decodeEntities(each.address),
        )
      continue
    }
    const href = decodeEntities(value)
    const kind = name === 'href' ? linkKind : tag.name === 'iframe' ? frameKind(name, href) : addressKinds.get(name)
    if (kind) add(kind, { start: offset + start, end: offset + end }, href)
  }
}

/**
 * Returns the kind of the address of a frame. A frame shows something from elsewhere, so it is not an image of the
 * page.
 */
function frameKind(name: string, src: string): LinkKind | undefined {
  const address = name === 'src' ? frameAddress(src) : undefined
  return address === undefined ? undefined : isWebAddress(address) ? 'embed' : 'link'
}

/** Adds the links of a table. In a table of cards, the column determines what a link is for. */
function tableLinks(range: Range, source: string, add: Add): void {
  const kinds: LinkKind[] = []
  let column = -1
  for (const tag of scanTags(source.slice(range.start, range.end))) {
    if (tag.name === 'tr') column = -1
    if ((tag.name === 'td' || tag.name === 'th') && !tag.closing) column++
    if (tag.name === 'th' && !tag.closing) kinds[column] = columnKind(tag)
    tagAddresses(tag, range.start, add, kinds[column] ?? 'link')
  }
}

function columnKind(tag: HtmlTag): LinkKind {
  const has = (name: string) => tag.attributes.some((attribute) => attribute.name === name)
  if (has('data-card-target')) return 'card-target'
  return has('data-card-cover') || has('data-card-cover-dark') ? 'cover' : 'link'
}
