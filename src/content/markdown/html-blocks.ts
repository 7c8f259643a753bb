import type { Block } from '../blocks.ts'
import { elementNames } from '../blocks/element.ts'
import { embedFromHtml } from '../blocks/embed.ts'
import { imagesFromHtml } from '../blocks/images.ts'
import { tableFromHtml } from '../blocks/table-html.ts'
import { isAlign } from '../document/alignment.ts'
import { tagAttributes } from '../html/attributes.ts'
import { findElements } from '../html/find.ts'
import { readTag, scanTags, type HtmlTag } from '../html/tags.ts'
import { htmlToInlines } from '../html/to-inlines.ts'
import type { Inline } from '../inlines.ts'
import { inlinesFromWords } from '../inlines/words.ts'
import type { Mark } from './nest.ts'
import { readFragment } from '../html/fragment.ts'

/** Returns a mark if a piece of HTML opens or closes an element that may contain Markdown. */
export function htmlMark(html: string): Mark | undefined {
  const text = html.trim()
  if (text.startsWith('<details') || text.endsWith('</details>')) {
    const balance = detailsBalance(text)
    if (balance === 1 && text.startsWith('<details')) return { name: '<details', closes: false }
    if (balance === -1 && text.endsWith('</details>')) return { name: '<details', closes: true }
    return undefined
  }
  const tag = readTag(text, 0)
  if (typeof tag !== 'object' || tag.end !== text.length || !elementNames.has(tag.name)) return undefined
  return { name: `<${tag.name}`, closes: tag.closing }
}

function detailsBalance(html: string): number {
  let balance = 0
  for (const tag of scanTags(html)) if (tag.name === 'details') balance += tag.closing ? -1 : 1
  return balance
}

/** Makes a block of two pieces of HTML with blocks between them. */
export function blockFromHtmlPair(open: string, close: string, blocks: readonly Block[]): Block {
  const tag = readTag(open.trim(), 0)
  if (typeof tag !== 'object') return { type: 'html', html: open }
  if (tag.name !== 'details') return { type: 'element', name: tag.name, attributes: tagAttributes(tag), blocks }
  const inside = close.trim().slice(0, -'</details>'.length).trim()
  return details(tag, open.trim().slice(tag.end), [...blocks, ...htmlBlocks(inside)])
}

/** Makes a block of one piece of HTML. */
export function blockFromHtml(html: string): Block {
  const text = html.trim()
  const tag = readTag(text, 0)
  if (typeof tag === 'object' && tag.name === 'details' && text.endsWith('</details>') && detailsBalance(text) === 0) {
    return details(tag, text.slice(tag.end, -'</details>'.length), [])
  }
  const shown = imagesFromHtml(text) ?? tableFromHtml(text) ?? textFromHtml(text, tag) ?? embedFromHtml(text)
  return shown ?? { type: 'html', html: text }
}

/** Longer text is not read as a paragraph, but left to the sanitizer as it is. */
const maxText = 20_000

const blockElements =
  'address article aside blockquote details div dl figure h1 h2 h3 h4 h5 h6 hr ol p pre section table ul'

/** Reads `<p align="center">…</p>`, which Markdown cannot express, and headings such as `<h2 align="center">…</h2>`. */
function textFromHtml(text: string, tag: ReturnType<typeof readTag>): Block | undefined {
  if (typeof tag !== 'object' || tag.closing || text.length > maxText) return undefined
  const level = ([1, 2, 3, 4, 5, 6] as const).find((each) => tag.name === `h${each}`)
  if ((tag.name !== 'p' && level === undefined) || !text.endsWith(`</${tag.name}>`)) return undefined
  const { align, id, ...others } = tagAttributes(tag)
  const aligned = isAlign(align) ? { align } : {}
  const known = level === undefined ? isAlign(align) && id === undefined : align === undefined || isAlign(align)
  if (!known || Object.keys(others).length > 0) return undefined
  const [only, ...more] = readFragment(text).children
  if (only?.type !== 'element' || more.length > 0 || [...findElements(only, blockElements.split(' '))].length > 0)
    return undefined
  const inlines = htmlToInlines(only.children)
  if (level === undefined) return { type: 'paragraph', ...aligned, inlines }
  const anchor = typeof id === 'string' ? id : inlines.find((inline) => inline.type === 'anchor')?.id
  return { type: 'heading', level, ...aligned, ...(anchor ? { id: anchor } : {}), inlines }
}

const htmlBlocks = (html: string): Block[] => (html.trim() === '' ? [] : [{ type: 'html', html: html.trim() }])

/** The summary is in the opening piece or, as GitBook writes it, in a piece of its own right after it. */
function details(tag: HtmlTag, head: string, blocks: readonly Block[]): Block {
  const open = tagAttributes(tag)['open'] !== undefined
  const own = splitSummary(head)
  if (own) return { type: 'details', open, summary: own.summary, blocks: [...htmlBlocks(own.rest), ...blocks] }
  const [first, ...others] = blocks
  const next = first?.type === 'html' && head.trim() === '' ? splitSummary(first.html) : undefined
  if (next) return { type: 'details', open, summary: next.summary, blocks: [...htmlBlocks(next.rest), ...others] }
  return { type: 'details', open, summary: [], blocks: [...htmlBlocks(head), ...blocks] }
}

function splitSummary(html: string): { summary: Inline[]; rest: string } | undefined {
  const match = /^\s*<summary(?:\s[^<>]*)?>([^]*?)<\/summary>/i.exec(html)
  if (!match) return undefined
  const [whole, inside = ''] = match
  // Most summaries are plain text, and calling the HTML parser takes longer than reading the rest of the block.
  const plain = /[<&]/.test(inside) ? undefined : inlinesFromWords(inside.replace(/\s+/g, ' '))
  return { summary: plain ?? htmlToInlines(readFragment(inside).children), rest: html.slice(whole.length) }
}
