import { isStripped } from '../../content/html/stripped.ts'
import { type Inline, type InlineElement, markTypes } from '../../content/inlines.ts'
import { isList, plainText } from '../../content/inlines/text.ts'
import { partsOf } from '../../pages/references.ts'
import { percentDecoded } from '../../percent.ts'
import { isWide } from './formula-width.ts'
import { printFormula } from './formulas.ts'
import type { LinkNode, WordNode, Words } from './nodes.ts'
import type { Printing } from './print.ts'

const marks = {
  strong: 'b',
  emphasis: 'i',
  strikethrough: 's',
  underline: 'u',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
} as const satisfies Record<(typeof markTypes)[number], string>

const deepest = 8

/** Running text. */
export function printWords(inlines: readonly Inline[], printing: Printing, depth = 0): Words {
  if (depth > deepest) return [asText(plainText(inlines))]
  return inlines.flatMap((inline, index): Words => {
    const words = printInline(inline, printing, depth)
    const isBroken = index > 0 && (isApart(inline) || isApart(inlines[index - 1]!))
    return isBroken ? [{ t: 'br' }, ...words] : words
  })
}

/** Lists and preformatted code, which a cell of a table may hold, stand on lines of their own. */
const isApart = (inline: Inline): boolean => inline.type === 'element' && (isList(inline.name) || inline.name === 'pre')

function printInline(inline: Inline, printing: Printing, depth: number): Words {
  const inside = (list: readonly Inline[] = []) => printWords(list, printing, depth + 1)
  switch (inline.type) {
    case 'text':
    case 'emoji':
      return [asText(inline.text)]
    case 'math': {
      const formula = printing.formulas ? printFormula(inline.text) : undefined
      return [
        formula
          ? { t: 'math', c: formula, isWide: isWide(formula) }
          : { t: 'mono', text: breakable(inline.text.replace(/\s+/g, ' ')) },
      ]
    }
    case 'code':
      return [{ t: 'mono', text: breakable(inline.text.replace(/\s+/g, ' ')) }]
    case 'break':
      return [{ t: 'br' }]
    case 'link':
    case 'button':
      return [linkTo(inline.href, inside(inline.inlines), printing)]
    case 'mention': {
      const title = printing.chapter.around.link(inline.href)?.title
      return [linkTo(inline.href, title === undefined ? inside(inline.inlines) : [asText(title)], printing)]
    }
    case 'image': {
      const picture = pictureOf(inline, printing)
      return [picture ?? asText(inline.alt)]
    }
    case 'footnote-reference': {
      const { number, id } = printing.note(inline.label)
      const mark: WordNode = {
        t: 'sup',
        c: [{ t: 'a', to: id, page: null, anchor: null, url: null, c: [String(number)] }],
      }
      return [...inside(inline.inlines), mark]
    }
    case 'anchor': {
      const id = printing.label(inline.id)
      return id === undefined ? [] : [{ t: 'at', id }]
    }
    case 'element':
      if (isStripped(inline.name)) return []
      if (isList(inline.name)) return printListInWords(inline, inside)
      return inline.name === 'pre' ? printLines(plainText(inline.inlines)) : inside(inline.inlines)
    case 'color':
      return inside(inline.inlines)
    case 'expression':
    case 'icon':
    case 'html':
      return []
    default:
      return [{ t: marks[inline.type], c: inside(inline.inlines) }]
  }
}

function printListInWords(list: InlineElement, inside: (inlines: readonly Inline[]) => Words): Words {
  const start = Number(list.attributes['start'] ?? 1) || 1
  return list.inlines.flatMap((item, index): Words => {
    const sign = list.name === 'ol' ? `${start + index}. ` : '• '
    return [...(index > 0 ? [{ t: 'br' } as const] : []), sign, ...inside([item])]
  })
}

function printLines(text: string): Words {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.flatMap((line, index): Words => {
    const mono: WordNode = {
      t: 'mono',
      text: breakable(line.replace(/^ +| {2,}/g, (run) => '\u00a0'.repeat(run.length))),
    }
    return index > 0 ? [{ t: 'br' }, mono] : [mono]
  })
}

function pictureOf(inline: Extract<Inline, { type: 'image' }>, printing: Printing): WordNode | undefined {
  const file = printing.pictures ? printing.chapter.around.file(inline.src) : undefined
  const name = file && printing.shelf.take(file)
  if (name === undefined) return undefined
  const { alt, size, width } = inline
  return { t: 'picture', file: name, alt, isLine: size === 'line', width: pixels(width) }
}

/** A length in pixels; undefined for percentages and what is none. */
export const pixels = (length: string | undefined) => {
  const [number] = /^\d{1,5}(?=px$|$)/.exec(length ?? '') ?? []
  return number === undefined || number === '0' ? null : Number(number)
}

/** A link into the file, where its page is in it; else to where it is read otherwise. */
export function linkTo(href: string, c: Words, printing: Printing): LinkNode {
  const { around, entry } = printing.chapter
  const { address, anchor } = partsOf(href)
  if (address === '') return { t: 'a', to: null, page: entry.entry, anchor: decoded(anchor), url: null, c }
  const { page = null, anchor: place, url } = around.link(href) ?? {}
  return { t: 'a', to: null, page, anchor: decoded(place), url: safeAddress(url), c }
}

/** As headings are called: a browser decodes what an address names, and a file does not. */
const decoded = (anchor: string | undefined): string | null =>
  anchor === undefined ? null : (percentDecoded(anchor) ?? anchor)

/** Longer ones are refused by those who read the file. */
const longestAddress = 2_000

function safeAddress(url: string | undefined): string | null {
  if (url === undefined || url.length > longestAddress || !/^(https?:\/\/|mailto:|tel:)./i.test(url)) return null
  return url
}

/** In a file nothing scrolls: long words may be broken at every twentieth letter. */
export const breakable = (text: string) =>
  text.replace(/[^\s\u200b]{48,}/gu, (word) => word.replace(/(?:[^\s\u200b]){20}/gu, '$&\u200b'))

/** In a narrow column words are long sooner: those that cannot fit in so many letters may be broken. */
export function breakIn(words: Words, most: number): Words {
  const tooLong = new RegExp(`[^\\s\\u200b]{${most + 1},}`, 'gu')
  const part = new RegExp(`[^\\s\\u200b]{${most}}(?=[^\\s\\u200b])`, 'gu')
  const broken = (text: string) => text.replace(tooLong, (word) => word.replace(part, '$&\u200b'))
  return words.map((word) => {
    if (typeof word === 'string') return broken(word)
    if (word.t === 'mono') return { ...word, text: broken(word.text) }
    return 'c' in word && Array.isArray(word.c) ? ({ ...word, c: breakIn(word.c, most) } as typeof word) : word
  })
}

/** Line ends within a paragraph are blanks. */
export const asText = (text: string) => breakable(text.replace(/\s+/g, ' '))
