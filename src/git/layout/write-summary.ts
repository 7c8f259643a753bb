import { isDeepStrictEqual } from 'node:util'
import { escapeText } from '../../content/markdown/escape.ts'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import type { Listed } from './shape.ts'
import { readSummary } from './summary.ts'

const yaml = packageOnFirstUse<typeof import('yaml')>('yaml')

/** How an older table of contents was written: a new one follows it, so that a change is a small change. */
interface Hand {
  /** All that stands above the first entry. */
  opening: string
  bullet: string
  /** How far what is nested stands from what holds it. */
  step: string
  lineBreak: string
  /** What each address was called, as it was written: code and signs need not be escaped as we would. */
  labels: ReadonlyMap<string, string>
}

/**
 * The table of contents as text. Groups at the top are headings, as the format has it, and a line stands in front of pages
 * that follow one. A group that stands within something is an entry that leads nowhere.
 */
export function writeSummary(items: readonly Listed[], before: string | undefined): string {
  const hand = handOf(before)
  const text = writeAll(items, hand)
  const plain = writeAll(items, { ...hand, ...plainHand(hand, before) })
  // What somebody wrote above the list, or how they nested it, may be something else with another list below.
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

/** As it is written where nobody had a hand in it; whatever it is called, that stays. */
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
    // A fence that is longer than any in it, so that it ends where it should.
    const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
    return [`${fence}yaml`, ...text.split('\n'), fence].join(`\n${indent}`)
  }
  if (href === undefined) return escapeTitle(title)
  const quoted = menuTitle === undefined ? '' : ` "${menuTitle.replace(/[\\"]/g, '\\$&')}"`
  return `[${labelOf(title, labels.get(href))}](${href}${quoted})`
}

/** As it was written before, if that still says the title. */
function labelOf(title: string, before: string | undefined): string {
  const label = escapeTitle(title)
  if (before === undefined || before === label) return label
  const [read] = readSummary(`* [${before}](page.md)`)
  return read?.href === 'page.md' && escapeTitle(read.title) === label ? before : label
}

/** On one line, and not taken for anything else at the beginning of it. */
function escapeTitle(title: string): string {
  return escapeText(title.replace(/\s+/g, ' ').trim())
    .replace(/^(?=[#>|+=-])/, '\\')
    .replace(/^(\d{1,9})(?=[.)])/, '$1\\')
    .replace(/(^|[ \t])(#+)$/, '$1\\$2')
}
