import { writeOpenTag } from '../html/attributes.ts'
import { escapeHtml } from '../html/escape.ts'
import { isVoidElement } from '../html/tags.ts'
import type { Color, Inline } from '../inlines.ts'
import { writeImage } from '../inlines/image.ts'
import { mergeNeighbours } from '../inlines/merge.ts'
import { emojiNamed } from '../inlines/emoji.ts'
import type { Attributes } from '../tree.ts'

/** Writes inlines as HTML on one line, for places where Markdown is not parsed: table cells, captions, summaries. */
export function writeInlineHtml(inlines: readonly Inline[], isPreformatted = false): string {
  return mergeNeighbours(inlines)
    .map((inline) => writeInline(inline, isPreformatted))
    .join('')
}

function writeInline(inline: Inline, isPreformatted: boolean): string {
  const element = (name: string, attributes: Attributes, inside: readonly Inline[]) =>
    `${writeOpenTag(name, attributes)}${writeInlineHtml(inside, isPreformatted || name === 'pre')}</${name}>`
  switch (inline.type) {
    case 'text':
      return writeText(inline.text, isPreformatted)
    case 'code':
      return `<code>${onOneLine(escapeHtml(inline.text), isPreformatted)}</code>`
    case 'math':
      return `<span class="math">${escapeHtml(inline.text).replace(/[\r\n]+/g, ' ')}</span>`
    case 'expression':
      return `<code class="expression">${escapeHtml(inline.source)}</code>`
    case 'emoji':
      return `:${inline.name}:`
    case 'icon':
      return `<i class="fa-${escapeHtml(inline.name)}">:${escapeHtml(inline.name)}:</i>`
    case 'anchor':
      return `${writeOpenTag('a', { href: `#${inline.id}`, id: inline.id })}</a>`
    case 'break':
      return '<br>'
    case 'image':
      return writeImage(inline)
    case 'footnote-reference':
      return element('a', { 'data-footnote-ref': true, href: annotationHref(inline.label) }, inline.inlines ?? [])
    case 'html':
      return inline.html.replace(/[\r\n]+/g, ' ')
    case 'link':
      return element('a', { href: inline.href, ...(inline.title ? { title: inline.title } : {}) }, inline.inlines)
    case 'mention':
      return element('a', { href: inline.href, 'data-mention': true }, inline.inlines)
    case 'button': {
      const { href, kind, icon } = inline
      const attributes: Attributes = { href, class: `button ${kind}`, ...(icon ? { 'data-icon': icon } : {}) }
      return element('a', attributes, inline.inlines)
    }
    case 'color':
      return element('mark', colorStyle(inline), inline.inlines)
    case 'element':
      return isVoidElement(inline.name)
        ? writeOpenTag(inline.name, inline.attributes)
        : element(inline.name, inline.attributes, inline.inlines)
    default:
      return element(markTags[inline.type], {}, inline.inlines)
  }
}

/** Inserts empty comments so that braces and names of emoji are not read as expressions or emoji. */
function writeText(text: string, isPreformatted: boolean): string {
  return onOneLine(escapeHtml(text), isPreformatted)
    .replace(/\{(?=\{)/g, '{<!---->')
    .replace(/:(?=([a-z0-9_+-]+):)/gi, (colon, name: string) => (emojiNamed(name) ? ':<!---->' : colon))
}

/** Turns line ends into blanks, except in preformatted text, where they matter. */
const onOneLine = (text: string, isPreformatted: boolean): string =>
  isPreformatted ? text.replace(/\r\n|\r|\n/g, '&#10;') : text.replace(/[\r\n]+/g, ' ')

/** Returns the address that GitBook gives to an annotated text. */
export const annotationHref = (label: string): string => `#user-content-fn-${label}`

/** The HTML name of each mark. */
export const markTags = {
  strong: 'strong',
  emphasis: 'em',
  strikethrough: 'del',
  underline: 'u',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
} as const

export function colorStyle({ color, background }: Color): Attributes {
  const style = (color ? `color:${color};` : '') + (background ? `background-color:${background};` : '')
  return style === '' ? {} : { style }
}
