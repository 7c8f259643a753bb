import { widthOf } from '../../content/blocks/table-room.ts'
import { isStripped } from '../../content/html/stripped.ts'
import { type Inline, type InlineElement, markTypes } from '../../content/inlines.ts'
import { isAddress, isApart, isBlank, isList, plainText } from '../../content/inlines/text.ts'
import { partsOf } from '../../pages/references.ts'
import { percentDecoded } from '../../percent.ts'
import { iconNamed } from '../../published/icons/icons.ts'
import { toneOf } from '../../published/look/tones.ts'
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

/** Prints running text. */
export function printWords(inlines: readonly Inline[], printing: Printing, depth = 0): Words {
  if (depth > deepest) return [asText(plainText(inlines))]
  return inlines.flatMap((inline, index): Words => {
    const words = printInline(withBreakBefore(inline, inlines[index - 1]), printing, depth)
    const isBroken = index > 0 && (isApart(inline) || isApart(inlines[index - 1]!))
    return isBroken ? [{ t: 'br' }, ...words] : words
  })
}

/**
 * The typesetter does not end a line before such a character, not even after a space: without this break, a row of
 * names such as `.status` would run off the sheet.
 */
function withBreakBefore(inline: Inline, before: Inline | undefined): Inline {
  const isApart = inline.type === 'code' && before?.type === 'text' && /\s$/.test(before.text)
  return isApart && /^[.,:;!?/]\w/.test(inline.text) ? { ...inline, text: `\u200b${inline.text}` } : inline
}

function printInline(inline: Inline, printing: Printing, depth: number): Words {
  const inside = (list: readonly Inline[] = []) => printWords(list, printing, depth + 1)
  switch (inline.type) {
    case 'text':
    case 'emoji':
      return [asText(inline.text)]
    case 'math': {
      const formula = printFormula(inline.text, printing.formulas)
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
    case 'link': {
      const words = inside(inline.inlines)
      // A picture that cannot be printed and has no alternative text would take the link with it.
      if (isSilent(words) && !isBlank(inline.inlines)) return printAddress(inline.href, printing)
      return [linkTo(inline.href, isAddress(inline.inlines) ? [{ t: 'ltr', c: words }] : words, printing)]
    }
    case 'button': {
      const words = [...printIcon(inline.icon, printing, ' '), ...inside(inline.inlines)]
      return [linkTo(inline.href, words, printing)]
    }
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
    case 'color': {
      const [tone = null, on] = [toneOf(inline.color), toneOf(inline.background)]
      // Text without a background is highlighted too if its colour is unknown.
      const isMarked = inline.background !== undefined || tone === null
      return [{ t: 'toned', tone, on: isMarked ? (on ?? 'warning') : null, c: inside(inline.inlines) }]
    }
    case 'icon':
      return printIcon(inline.name, printing)
    case 'expression':
    case 'html':
      return []
    default:
      return [{ t: marks[inline.type], c: inside(inline.inlines) }]
  }
}

/** Whether nothing of these words is seen. */
const isSilent = (words: Words): boolean =>
  words.every((word) => {
    if (typeof word === 'string') return word.trim() === ''
    return word.t === 'at' || word.t === 'br' || ('c' in word && Array.isArray(word.c) && isSilent(word.c))
  })

/** Prints a link with the title of its page, or with its address. */
function printAddress(href: string, printing: Printing): Words {
  const title = printing.chapter.around.link(href)?.title
  if (title !== undefined) return [linkTo(href, [asText(title)], printing)]
  const link = linkTo(href, [], printing)
  return link.url === null ? [] : [{ ...link, c: [{ t: 'ltr', c: [asText(link.url)] }] }]
}

/** Prints an icon, followed by what separates it from the words. An unknown icon prints nothing. */
export function printIcon(named: string | undefined, printing: Printing, between?: string): Words {
  const name = iconNamed(named)
  if (name === undefined) return []
  const icon: WordNode = { t: 'icon', name: printing.icon(name) }
  return between === undefined ? [icon] : [icon, between]
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

/** Returns the name under which the template finds a picture, if it is available. */
export function fileNamed(src: string, printing: Printing): string | undefined {
  const file = printing.pictures ? printing.chapter.around.file(src) : undefined
  return file && printing.shelf.take(file)
}

/** In pixels: wider pictures get a line of their own. */
const widestAmongWords = 400

function pictureOf(inline: Extract<Inline, { type: 'image' }>, printing: Printing): WordNode | undefined {
  const name = fileNamed(inline.src, printing)
  if (name === undefined) return undefined
  const { alt, size } = inline
  const wanted = pixels(inline.width)
  const width = wanted ?? printing.chapter.around.file(inline.src)?.width ?? null
  const fits = width === null || (wanted === null && width > widestAmongWords)
  return { t: 'picture', file: name, alt, isLine: size === 'line', width, fits }
}

/** Parses a length in pixels. Null for percentages and anything else. */
export const pixels = (length: string | undefined) => {
  const [number] = /^\d{1,5}(?=px$|$)/.exec(length ?? '') ?? []
  return number === undefined || number === '0' ? null : Number(number)
}

/** Makes a link into the file if its page is in there, otherwise to the address where it can be read. */
export function linkTo(href: string, c: Words, printing: Printing): LinkNode {
  const { around, entry } = printing.chapter
  const { address, anchor } = partsOf(href)
  if (address === '') return { t: 'a', to: null, page: entry.entry, anchor: decoded(anchor), url: null, c }
  const { page = null, anchor: place, url } = around.link(href) ?? {}
  return { t: 'a', to: null, page, anchor: decoded(place), url: safeAddress(url), c }
}

/** Decodes an anchor to the way headings are named: a browser does this with an address, a file does not. */
const decoded = (anchor: string | undefined): string | null =>
  anchor === undefined ? null : (percentDecoded(anchor) ?? anchor)

/** Programs that show PDF files refuse longer ones. */
const longestAddress = 2_000

function safeAddress(url: string | undefined): string | null {
  if (url === undefined || url.length > longestAddress || !/^(https?:\/\/|mailto:|tel:)./i.test(url)) return null
  return url
}

/** Allows long words to be broken after every twentieth letter, because nothing scrolls in a file. */
export const breakable = (text: string) =>
  text.replace(/[^\s\u200b]{48,}/gu, (word) => word.replace(/(?:[^\s\u200b]){20}/gu, '$&\u200b'))

/** Gives a picture in a cell a line of its own, whatever its size, unless it is as small as an icon. */
export function fitPictures(words: Words): Words {
  return words.map((word) => {
    if (typeof word === 'string') return word
    if (word.t === 'picture') return { ...word, fits: word.fits || (word.width ?? 0) > widestSign }
    return 'c' in word && Array.isArray(word.c) ? ({ ...word, c: fitPictures(word.c) } as typeof word) : word
  })
}

/** In pixels. */
const widestSign = 48

/** Allows a break in words that cannot fit in `most` letters: in a narrow column, even shorter words are too long. */
export function breakIn(words: Words, most: number): Words {
  return words.map((word) => {
    if (typeof word === 'string') return brokenIn(word, most, widthOf)
    // All letters of code have the same width.
    if (word.t === 'mono') return { ...word, text: brokenIn(word.text, most, () => 1) }
    return 'c' in word && Array.isArray(word.c) ? ({ ...word, c: breakIn(word.c, most) } as typeof word) : word
  })
}

function brokenIn(text: string, most: number, widthOf: (code: number) => number): string {
  return text.replace(/[^\s\u200b]+/gu, (word) => {
    let [broken, width] = ['', 0]
    for (const letter of word) {
      const wide = widthOf(letter.codePointAt(0)!)
      if (width + wide > most && width > 0) [broken, width] = [`${broken}\u200b`, 0]
      broken += letter
      width += wide
    }
    return broken
  })
}

/** Line ends within a paragraph become spaces. */
export const asText = (text: string) => breakable(text.replace(/\s+/g, ' ').replace(/ (?=[.,:;!?/]\w)/g, ' \u200b'))
