import type * as hast from 'hast'
import type { HtmlWriter } from '../blocks/kind.ts'
import { isSafeLink } from '../html/urls.ts'
import { attributes, html, trusted, type Html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { inlineFromElement } from '../inlines/element.ts'
import { isMark, mergeTexts } from '../inlines/merge.ts'
import { plainText } from '../inlines/text.ts'
import { drawInlines } from '../inlines/to-html.ts'
import { limits } from '../limits.ts'
import { markTags } from '../markdown/write-inline-html.ts'
import { writeInlines } from '../markdown/write-inlines.ts'
import { newFormula, readPiece, saidOf } from './pieces.ts'

/**
 * Draws words, marks and links for editing in a browser. Everything else in a text (a picture, a formula, a mention) is
 * one piece that is deleted or moved as a whole. It is identified by its number among `pieces`, so only changes to it
 * have to come back.
 */
export function drawWords(inlines: readonly Inline[], pieces: Inline[], draw: HtmlWriter, isInLink = false): Html {
  return html`${inlines.map((inline) => drawWord(inline, pieces, draw, isInLink))}`
}

function drawWord(inline: Inline, pieces: Inline[], draw: HtmlWriter, isInLink: boolean): Html {
  if (inline.type === 'text') return drawLines(inline.text)
  if (inline.type === 'code') return html`<code>${inline.text}</code>`
  if (inline.type === 'break') return html`<br />`
  if (isMark(inline)) {
    const tag = trusted(markTags[inline.type])
    return html`<${tag}>${drawWords(inline.inlines, pieces, draw, isInLink)}</${tag}>`
  }
  if (inline.type === 'link' && !isInLink && inline.inlines.length > 0 && isSafeLink(inline.href)) {
    const { title } = inline
    // If an address is its own text, a cursor in it is only drawn in the text.
    const href = inline.href.replace(cursorSigns, '')
    const place = { href, title, 'data-bare': isBare(href, inline.inlines) ? '' : undefined }
    return html`<a${attributes(place)}>${drawWords(inline.inlines, pieces, draw, true)}</a>`
  }
  return drawPiece(inline, pieces, draw, isInLink)
}

/** Whether an address is its own text. A user who edits that text changes the target. */
const isBare = (href: string, inlines: readonly Inline[]): boolean =>
  inlines.every(({ type }) => type === 'text') && plainText(inlines).replace(cursorSigns, '') === href

const addressNow = (words: string, before: string): string =>
  /^https?:\/\/[^\s/]\S*$/.test(words) && isSafeLink(words) ? words : before

/**
 * Draws a piece, which cannot be typed into. If a cursor is in it, as in its Markdown, it is drawn behind it: the signs
 * are not part of the piece.
 */
function drawPiece(marked: Inline, pieces: Inline[], draw: HtmlWriter, isInLink: boolean): Html {
  const source = JSON.stringify(marked)
  const signs = [...new Set(source.match(cursorSigns))].join('')
  const inline = signs === '' ? marked : (JSON.parse(source.replace(cursorSigns, '')) as Inline)
  const number = pieces.push(inline) - 1
  const look = drawInlines([inline], draw)
  // A browser would split a paragraph around a block in it, and a link around another link.
  const isFit = inline.type === 'math' || !beyondWords.test(look.toString())
  const isTorn = !isFit || (isInLink && look.toString().includes('<a'))
  // When copied, the piece is the Markdown that it is in the text.
  const own = { 'data-piece': number, 'data-markdown': writeInlines([inline]), contenteditable: 'false' }
  const place = { ...own, ...saidOf(inline) }
  return html`<span${attributes(place)}>${isTorn ? plainText([inline]) : look}</span>${signs}`
}

/** The signs at the start and end of the selection. */
const cursorSigns = /[\uFDD0\uFDD1]/g

/** Any element other than those of running text. */
const beyondWords =
  /<(?!\/|(?:a|abbr|b|br|code|del|em|i|img|ins|kbd|mark|picture|q|s|small|source|span|strong|sub|sup|time|u|wbr)[\s/>])/

/**
 * Draws text. A line end of the source is a blank to readers. It is marked, so that it stays in place when words near
 * it change.
 */
const drawLines = (text: string): Html =>
  html`${text.split(/\r\n|\r|\n/).map((line, at) => html`${at > 0 && html`<span class="line-end">${' '}</span>`}${line}`)}`

/** Finds pieces by their numbers. */
type Pieces = (number: number) => Inline | undefined

/**
 * Reads the running text in an editable field of the browser. Elements that only affect the look, which browsers leave
 * behind, are ignored.
 */
export function readWords(nodes: readonly hast.Nodes[], pieces: Pieces): Inline[] {
  const inlines = readNodes(nodes, pieces, 0)
  // Browsers put a line break at the end of an element that would have no height without it.
  return withoutEdges(inlines.at(-1)?.type === 'break' ? inlines.slice(0, -1) : inlines)
}

/** Removes blanks at the beginning, at the end, and around the end of a line: Markdown ignores them. */
function withoutEdges(inlines: readonly Inline[]): Inline[] {
  const isAtEdge = (at: number) => inlines[at] === undefined || inlines[at].type === 'break'
  return inlines.flatMap((inline, at): Inline[] => {
    if (inline.type !== 'text') return [inline]
    const lines = inline.text.split('\n')
    const isEdge = (line: number) => [line > 0 || isAtEdge(at - 1), line < lines.length - 1 || isAtEdge(at + 1)]
    let text = lines.map((line, number) => withoutBlanks(line, isEdge(number))).join('\n')
    if (isAtEdge(at - 1)) text = text.replace(/^\n+/, '')
    if (isAtEdge(at + 1)) text = withoutBlanks(text, [false, true], '\n')
    return text === '' ? [] : [{ type: 'text', text }]
  })
}

/**
 * Removes blanks step by step: a regular expression for the end of a text would begin anew at each of a million blanks.
 */
function withoutBlanks(text: string, [before, behind]: readonly boolean[], blanks = ' \t'): string {
  let from = 0
  let to = text.length
  if (before) while (from < to && blanks.includes(text.charAt(from))) from++
  if (behind) while (to > from && blanks.includes(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

function readNodes(nodes: readonly hast.Nodes[], pieces: Pieces, depth: number): Inline[] {
  if (depth > limits.nesting) return []
  return mergeTexts(nodes.flatMap((node) => readNode(node, pieces, depth)))
}

function readNode(node: hast.Nodes, pieces: Pieces, depth: number): Inline[] {
  if (node.type === 'text') return readText(node.value)
  if (node.type !== 'element') return []
  const { tagName, properties, children } = node
  const piece = pieces(Number(properties['dataPiece'] ?? -1))
  if (piece) return [readPiece(node, piece)]
  if (properties['dataFormula'] !== undefined) return newFormula(node)
  const inside = readNodes(children, pieces, depth + 1)
  if (isLineEnd(node)) return isBlank(inside) ? [{ type: 'text', text: '\n' }] : inside
  if (tagName === 'br') return [{ type: 'break' }]
  if (tagName === 'code') return [{ type: 'code', text: wordsOf(node) }].filter(({ text }) => text !== '') as Inline[]
  if (tagName === 'a' && typeof properties['href'] === 'string') {
    const { href, title } = properties
    const leads = properties['dataBare'] === undefined ? href : addressNow(plainText(inside), href)
    return inside.length === 0 ? [] : [{ type: 'link', href: leads, ...(title ? { title } : {}), inlines: inside }]
  }
  if (!marks.has(tagName)) return inside
  const mark = inlineFromElement(tagName, {}, inside)
  return inside.length > 0 ? [mark] : []
}

/** Reads text. Drawn words contain no line ends, so any that are found were typed. */
const readText = (words: string): Inline[] =>
  words
    .split('\n')
    .flatMap((line, at): Inline[] => [
      ...(at > 0 ? [{ type: 'break' } as const] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line } as const]),
    ])

const marks = new Set(['b', 'strong', 'i', 'em', 's', 'strike', 'del', 'u', 'ins', 'kbd', 'sub', 'sup'])

const isLineEnd = ({ properties }: hast.Element): boolean =>
  Array.isArray(properties['className']) && properties['className'].includes('line-end')

const isBlank = ([only, ...more]: readonly Inline[]): boolean =>
  only?.type === 'text' && only.text === ' ' && more.length === 0

/** Returns all text in an element, and nothing else. */
export function wordsOf(node: hast.Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && node.tagName === 'br') return '\n'
  return 'children' in node ? node.children.map(wordsOf).join('') : ''
}
