import { escapeText } from '../../content/markdown/escape.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import type { Listed } from './shape.ts'

const yaml = packageOnFirstUse<typeof import('yaml')>('yaml')

/** How an older table of contents was written: a new one follows it, so that a change is a small change. */
interface Hand {
  heading: string
  bullet: string
  lineBreak: string
}

/**
 * The table of contents as text. Groups at the end of the top are headings, as the format has it. A group that pages
 * follow, or that stands within something, is an entry that leads nowhere: behind a heading all would belong to it.
 */
export function writeSummary(items: readonly Listed[], before: string | undefined): string {
  const { heading, bullet, lineBreak } = handOf(before)
  const from = items.findLastIndex((item) => !isHeading(item)) + 1
  const sections = [heading]
  const plain = items.slice(0, from)
  if (plain.length > 0) sections.push(plain.map((item) => writeItem(item, bullet, '')).join('\n'))
  for (const group of items.slice(from)) {
    sections.push(`## ${escapeTitle(group.title)}`)
    if (group.items.length > 0) sections.push(group.items.map((item) => writeItem(item, bullet, '')).join('\n'))
  }
  return `${sections.join('\n\n')}\n`.replaceAll('\n', lineBreak)
}

const isHeading = ({ href, fields, title }: Listed) => href === undefined && !fields && title.trim() !== ''

function handOf(before = ''): Hand {
  return {
    heading: /^\uFEFF?(# [^\r\n]*)/.exec(before)?.[1] ?? '# Table of contents',
    bullet: /^[ \t]*([*+-]) /m.exec(before)?.[1] ?? '*',
    lineBreak: /\r\n|\n/.exec(before)?.[0] ?? '\n',
  }
}

function writeItem(item: Listed, bullet: string, indent: string): string {
  const lines = [`${indent}${bullet} ${writeOwn(item, `${indent}  `)}`]
  for (const child of item.items) lines.push(writeItem(child, bullet, `${indent}  `))
  return lines.join('\n')
}

function writeOwn({ title, href, menuTitle, fields }: Listed, indent: string): string {
  if (fields) {
    const text = yaml().stringify(fields, { lineWidth: 0 }).trimEnd()
    // A fence that is longer than any in it, so that it ends where it should.
    const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
    return [`${fence}yaml`, ...text.split('\n'), fence].join(`\n${indent}`)
  }
  if (href === undefined) return escapeTitle(title)
  const quoted = menuTitle === undefined ? '' : ` "${menuTitle.replace(/[\\"]/g, '\\$&')}"`
  return `[${escapeTitle(title)}](${href}${quoted})`
}

/** On one line, and not taken for anything else at the beginning of it. */
function escapeTitle(title: string): string {
  return escapeText(title.replace(/\s+/g, ' ').trim())
    .replace(/^(?=[#>|+=-])/, '\\')
    .replace(/^(\d{1,9})(?=[.)])/, '$1\\')
    .replace(/(^|[ \t])(#+)$/, '$1\\$2')
}
