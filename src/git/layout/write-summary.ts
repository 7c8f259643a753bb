import { isDeepStrictEqual } from 'node:util'
import { escapeText } from '../../content/markdown/escape.ts'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import type { Listed } from './shape.ts'
import { readSummary } from './summary.ts'

const yaml = packageOnFirstUse<typeof import('yaml')>('yaml')

/**
 * The style in which the previous table of contents was written. The new one follows it, so that a small change gives a
 * small diff.
 */
interface Hand {
  /** All that stands above the first entry. */
  opening: string
  bullet: string
  /** The indentation of nested entries. */
  step: string
  lineBreak: string
  /** The link text of each address as it was written: it may contain code and characters that we would escape. */
  labels: ReadonlyMap<string, string>
}

/**
 * Writes the table of contents. Groups at the top level are headings, as in the format, and a horizontal rule precedes
 * pages that follow a group. A nested group is an entry without a link.
 */
export function writeSummary(items: readonly Listed[], before: string | undefined): string {
  const hand = handOf(before)
  const text = writeAll(items, hand)
  const plain = writeAll(items, { ...hand, ...plainHand(hand, before) })
  // The text that somebody wrote above the list, or their indentation, may be read differently with another list below.
  const isRight = items.length > 0 && (text === plain || isDeepStrictEqual(readSummary(text), readSummary(plain)))
  return isRight ? text : plain
}

function writeAll(items: readonly Listed[], hand: Hand): string {
  const { opening, lineBreak } = hand
  const sections: string[] = []
  const list = (all: readonly Listed[]) => {
    if (all.length > 0) sections.push(all.map((item) => writeItem(item, hand, '')).join('\n'))
  }
  for (let at = 0; at < items.length;) {
    const group = items[at]!
    if (isHeading(group)) {
      sections.push(`## ${escapeTitle(group.title)}`)
      list(group.items)
      at += 1
      continue
    }
    const next = items.findIndex((item, index) => index > at && isHeading(item))
    const until = next === -1 ? items.length : next
    if (at > 0) sections.push('***')
    list(items.slice(at, until))
    at = until
  }
  if (sections.length === 0) return opening.trimEnd() + lineBreak
  return opening + `${sections.join('\n\n')}\n`.replaceAll('\n', lineBreak)
}

const isHeading = ({ href, fields, title }: Listed) => href === undefined && !fields && title.trim() !== ''

function handOf(before = ''): Hand {
  const bullet = /^[ \t]*([*+-]) /m.exec(before)?.[1] ?? '*'
  const lineBreak = /\r\n|\n/.exec(before)?.[0] ?? '\n'
  const labels = new Map(Array.from(before.matchAll(labelled), ([, label, href]) => [href!, label!]))
  const hand = { bullet, lineBreak, labels, ...plainHand({ lineBreak }, before) }
  const start = readFrontMatter(before)?.range.end ?? 0
  const first = before.slice(start).search(firstEntry)
  const step = firstNested.exec(before)?.[1] ?? hand.step
  return { ...hand, step, ...(first !== -1 && { opening: before.slice(0, start + first) }) }
}

/** The default style. An existing heading stays, whatever its text. */
function plainHand({ lineBreak }: Pick<Hand, 'lineBreak'>, before = ''): Pick<Hand, 'opening' | 'step'> {
  const heading = /^\uFEFF?(# [^\r\n]*)/.exec(before)?.[1] ?? '# Table of contents'
  return { opening: heading + lineBreak.repeat(2), step: '  ' }
}

const firstEntry = /^(?: {0,3}(?:[*+-]|\d{1,9}[.)])[ \t]| {0,3}#{2,6}[ \t]|\[)/m
const firstNested = /^[*+-] [^\r\n]*(?:\r?\n){1,2}( {2,5}|\t)[*+-] /m
const labelled = /^[ \t]*[*+-] \[((?:[^[\]\\\r\n]|\\.)+)\]\(<?([^()<>\s]+)/gm

function writeItem(item: Listed, hand: Hand, indent: string): string {
  const lines = [`${indent}${hand.bullet} ${writeOwn(item, hand, `${indent}  `)}`]
  for (const child of item.items) lines.push(writeItem(child, hand, indent + hand.step))
  return lines.join('\n')
}

function writeOwn({ title, href, menuTitle, fields }: Listed, { labels }: Hand, indent: string): string {
  if (fields) {
    const text = yaml().stringify(fields, { lineWidth: 0 }).trimEnd()
    // The fence is longer than any row of backticks in the text, so that it ends where it should.
    const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
    return [`${fence}yaml`, ...text.split('\n'), fence].join(`\n${indent}`)
  }
  if (href === undefined) return escapeTitle(title)
  const quoted = menuTitle === undefined ? '' : ` "${menuTitle.replace(/[\\"]/g, '\\$&')}"`
  return `[${labelOf(title, labels.get(href))}](${href}${quoted})`
}

/** Returns the link text as it was written before, if it still gives this title. */
function labelOf(title: string, before: string | undefined): string {
  const label = escapeTitle(title)
  if (before === undefined || before === label) return label
  const [read] = readSummary(`* [${before}](page.md)`)
  return read?.href === 'page.md' && escapeTitle(read.title) === label ? before : label
}

/** Puts a title on one line, and escapes what Markdown would interpret, also at its beginning. */
function escapeTitle(title: string): string {
  return escapeText(title.replace(/\s+/g, ' ').trim())
    .replace(/^(?=[#>|+=-])/, '\\')
    .replace(/^(\d{1,9})(?=[.)])/, '$1\\')
    .replace(/(^|[ \t])(#+)$/, '$1\\$2')
}
