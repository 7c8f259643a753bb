import { writeOpenTag } from '../html/attributes.ts'
import { isVoidElement } from '../html/tags.ts'
import type { Inline, Link, Mark, Mention } from '../inlines.ts'
import { writeImage } from '../inlines/image.ts'
import { isMark, mergeNeighbours } from '../inlines/merge.ts'
import { plainText } from '../inlines/text.ts'
import { writeDestination, writeTitle } from './destination.ts'
import { encodeEdges, escapeLineStarts, escapeText, hideLastAddress, isBlank } from './escape.ts'
import { onOneLine } from './lines.ts'
import { annotationHref, colorStyle, markTags, writeInlineHtml } from './write-inline-html.ts'

/**
 * Where inlines are written. A paragraph has lines, a heading and a table cell are one line, and in HTML only tags mean
 * something.
 */
export type Place = 'paragraph' | 'line' | 'cell' | 'html'

/** Writes inlines as canonical Markdown that reads back as the same inlines. */
export function writeInlines(inlines: readonly Inline[], place: Place = 'paragraph'): string {
  if (place === 'html') return writeInlineHtml(inlines)
  const written = join(inlines, { place, within: [], next: '' })
  if (place === 'paragraph') return escapeLineStarts(joinLoneTag(written))
  const line = onOneLine(written)
  return place === 'cell' ? encodeEdges(line).replaceAll('|', '\\|') : encodeEdges(line)
}

/**
 * Joins a tag that fills the first line, such as a picture with a width, with the next line. Otherwise the lines below
 * it would become HTML.
 */
const joinLoneTag = (written: string): string => written.replace(/^(<[a-z](?:"[^"]*"|[^"<>\n])*>)[ \t]*\n/i, '$1 ')

/** What the inlines are inside of. A mark inside the same mark, and a link inside a link, add nothing. */
interface Surroundings {
  readonly place: Place
  readonly within: readonly Inline['type'][]
  /** The text written behind them, without the signs of marks. */
  readonly next: string
}

function join(inlines: readonly Inline[], around: Surroundings): string {
  const parts: { inline: Inline; text: string }[] = []
  let next = around.next
  for (const inline of mergeNeighbours(inlines).toReversed()) {
    const text = writeInline(inline, { ...around, next })
    parts.push({ inline, text })
    if (text !== '') next = isBlank(text) ? ` ${next.trimStart().charAt(0)}` : text
  }
  parts.reverse()
  const written: string[] = []
  // Reading the end of a text that is still being joined costs as much as the whole text.
  let last = ''
  parts.forEach(({ inline, text }, index) => {
    const next = parts[index + 1]?.text ?? ''
    const made = writePart(inline, text, last, next, around)
    if (made === '') return
    written.push(made)
    last = made.at(-1) ?? ''
  })
  return written.join('')
}

function writePart(inline: Inline, text: string, last: string, next: string, around: Surroundings): string {
  // At an edge of the text, and before a blank line, a backslash would be literal. At the start of a line, a tag may
  // become more than a part of the text.
  if (inline.type === 'break') return last === '' || last === '\n' || /^(?:$|<|[ \t]*\n)/.test(next) ? '<br>' : text
  if (!isMark(inline) || around.within.includes(inline.type)) return text
  return writeMark(inline, text, last, next)
}

function writeInline(inline: Inline, around: Surroundings): string {
  const inside = (inlines: readonly Inline[], type: Inline['type'] = inline.type) =>
    join(inlines, { ...around, within: [...around.within, type], next: isMark(inline) ? around.next : '' })
  switch (inline.type) {
    case 'text': {
      const isLast = around.next === '' && around.within.length === 0
      const text = escapeText(inline.text.replace(/(?:\r\n|\r|\n)+/g, '\n'), isLast)
      return around.within.includes('link') ? text : hideLastAddress(text, around.next)
    }
    case 'code':
      return writeCode(inline.text, around.place)
    case 'math':
      // One blank on each side does not belong to the formula.
      return /^\$|\$$/.test(inline.text) ? `$$ ${inline.text} $$` : `$$${inline.text}$$`
    case 'expression':
      return `<code class="expression">${escapeText(inline.source)}</code>`
    case 'emoji':
      return `:${inline.name}:`
    case 'break':
      return around.place === 'paragraph' ? '\\\n' : '<br>'
    case 'link':
    case 'mention':
      return around.within.includes('link') ? inside(inline.inlines) : writeLink(inline, inside(inline.inlines, 'link'))
    case 'image':
      return inline.srcDark || inline.sources || inline.size || inline.width || inline.height || inline.others
        ? writeImage(inline)
        : `![${escapeText(inline.alt)}](${writeDestination(inline.src)}${writeTitle(inline.title)})`
    case 'footnote-reference':
      return inline.inlines && !around.within.includes('link')
        ? `[${inside(inline.inlines, 'link')}](${annotationHref(inline.label)})[^${inline.label}]`
        : `${inside(inline.inlines ?? [])}[^${inline.label}]`
    case 'html':
      return inline.html
    case 'icon':
    case 'anchor':
      return writeInlineHtml([inline])
    case 'button': {
      const { href, kind, icon } = inline
      const attributes = { href, class: `button ${kind}`, ...(icon === undefined ? {} : { 'data-icon': icon }) }
      return `${writeOpenTag('a', attributes)}${inside(inline.inlines, 'link')}</a>`
    }
    case 'color':
      return `${writeOpenTag('mark', colorStyle(inline))}${inside(inline.inlines)}</mark>`
    case 'element':
      return isVoidElement(inline.name)
        ? writeOpenTag(inline.name, inline.attributes)
        : `${writeOpenTag(inline.name, inline.attributes)}${inside(inline.inlines)}</${inline.name}>`
    default:
      return inside(inline.inlines)
  }
}

function writeLink(link: Link | Mention, text: string): string {
  const title = link.type === 'mention' ? 'mention' : link.title
  const bare = title === undefined && link.inlines.every((inline) => inline.type === 'text')
  if (bare && plainText(link.inlines) === link.href && /^(?:https?|mailto):[^\s<>]+$/.test(link.href)) {
    return `<${link.href}>`
  }
  return `[${text}](${writeDestination(link.href)}${writeTitle(title)})`
}

function writeCode(text: string, place: Place): string {
  const line = text.replace(/\r\n|\r|\n/g, ' ')
  // A table cell cannot hold a backslash before a pipe in code.
  if (line === '' || (place === 'cell' && line.includes('\\|'))) return `<code>${escapeText(line)}</code>`
  const runs = new Set(line.match(/`+/g)?.map((run) => run.length))
  let length = 1
  while (runs.has(length)) length++
  const fence = '`'.repeat(length)
  const padded = /^`|`$/.test(line) || (/^ .* $/.test(line) && /[^ ]/.test(line)) ? ` ${line} ` : line
  return `${fence}${padded}${fence}`
}

const signs: Partial<Record<Mark['type'], readonly string[]>> = {
  strong: ['**'],
  emphasis: ['_', '*'],
  strikethrough: ['~~'],
}

/**
 * Writes a mark with signs if they are sure to be read as such, given the characters around and inside, else with tags.
 */
function writeMark(mark: Mark, inside: string, before: string, after: string): string {
  const lead = inside.slice(0, inside.length - inside.trimStart().length)
  const core = inside.trim()
  const trail = inside.slice(lead.length + core.length)
  const sign =
    core === ''
      ? undefined
      : signs[mark.type]?.find((candidate) => isSafeSign(candidate, lead ? ' ' : before, core, trail ? ' ' : after))
  const tag = markTags[mark.type]
  return sign === undefined ? `<${tag}>${inside}</${tag}>` : `${lead}${sign}${core}${sign}${trail}`
}

/** A stricter form of CommonMark's rule: a blank or punctuation outside, a letter or a digit inside. */
function isSafeSign(sign: string, before: string, core: string, behind: string): boolean {
  const after = behind.charAt(0)
  const outside = (character: string) => character === '' || /[\s\p{P}\p{S}]/u.test(character)
  const nearSign = (character: string | undefined) => character === sign[0]
  const wordy = (character: string | undefined) => /[\p{L}\p{N}]/u.test(character ?? '')
  const letters = [...core]
  if (nearSign(before) || nearSign(after)) return false
  // An e-mail address would take the sign for a part of its name.
  if (sign === '_' && (before === '@' || /^[\w.+-]*@|@[\w.-]*$/.test(core) || /^[\w.+-]*@/.test(behind))) return false
  if (wordy(letters[0]) && wordy(letters.at(-1))) return sign !== '_' || (outside(before) && outside(after))
  return outside(before) && outside(after) && !nearSign(letters[0]) && !nearSign(letters.at(-1))
}
