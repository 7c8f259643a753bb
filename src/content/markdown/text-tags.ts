import type * as mdast from 'mdast'
import { isVoidTag, tagReader } from '../blocks/from-tag.ts'
import { limits } from '../limits.ts'
import { containerMarks, furtherMarks, lastUpTo, type Disguised, type TagLine, type TextTag } from './disguise.ts'
import { lineEndAt, lineStartAt } from './lines.ts'
import { matchMarks } from './nest.ts'
import { markOfTag, readTag, type Tag } from './tag.ts'

/**
 * Tags that share a line with text, as in `{% hint %} text {% endhint %}`: people write blocks on one line, and tools
 * join the lines of others. Tags count on a line that begins with one, and closing tags at the end of any line, if both
 * tags of the pair are found. All other tags are part of a text that is about tags.
 */
export interface TagsOfLine {
  readonly tags: readonly TextTag[]
  /** Whether the line begins with a tag. */
  readonly leads: boolean
  /** Whether the line can be a table row on its own, not just because a table is above it. */
  readonly isRow: boolean
  /** The marks that a further line needs to be in the same quotes and items. */
  readonly prefix: string
}

/** Finds the lines with tags that may be meant as blocks. Only the parser knows whether they are text at all. */
export function findTextTags(source: string): TagsOfLine[] {
  const found: TagsOfLine[] = []
  for (let start = source.indexOf('{%'), seen = 0; start !== -1; start = source.indexOf('{%', seen)) {
    seen = lineEndAt(source, start)
    const lineStart = lineStartAt(source, start)
    const line = readLine(source.slice(lineStart, seen), lineStart)
    if (line) found.push(line)
  }
  return found
}

function readLine(line: string, offset: number): TagsOfLine | undefined {
  const marks = line.slice(0, line.indexOf('{%'))
  const leads = containerMarks.test(marks)
  const isAlone = leads && line.slice(line.indexOf('%}') + 2).trim() === ''
  const found = isAlone ? [] : tagsOf(line)
  if (found.length === 0) return undefined
  const texts = [...found, undefined].map((tag, index) =>
    line.slice(found[index - 1]?.end ?? (leads ? marks.length : 0), tag?.start).trim(),
  )
  if (!mayBeBlocks(found, texts, leads)) return undefined

  const prefix = furtherMarks(marks)
  const tags = found.map((tag, index): TextTag => {
    // An HTML block continues to the next blank line.
    const gap = texts[index]?.startsWith('<') ? `\n${prefix.trimEnd()}\n${prefix}` : `\n${prefix}`
    const before = index === 0 && leads ? '' : gap
    const after = texts[index + 1] === '' ? '' : `\n${prefix}`
    const isApart = texts[index] === '' && texts[index + 1] === ''
    const next = offset + tag.end + (/^[ \t]*/.exec(line.slice(tag.end))?.[0].length ?? 0)
    return {
      tag: tag.tag,
      start: offset + tag.start,
      end: offset + tag.end,
      isApart,
      above: '',
      before,
      after,
      next,
    }
  })
  return { tags, leads, isRow: !leads || texts.some((text) => text.includes('|')), prefix }
}

/**
 * Whether the tags of a line may be blocks: tags at either end of the line; between texts, only tags that are never
 * meant as a part of a sentence.
 */
function mayBeBlocks(tags: readonly PlacedTag[], texts: readonly string[], leads: boolean): boolean {
  const first = leads ? texts.findIndex((text, index) => index > 0 && text !== '') : 0
  const last = texts.findLastIndex((text) => text !== '')
  return tags.every(({ tag: { name } }, index) => {
    if (leads && (first === -1 || index < first)) return true
    if (index >= last && name.startsWith('end')) return true
    const bare = name.replace(/^end/, '')
    const follows = leads || (index > last && tags[last]?.tag.name.startsWith('end') === true)
    return follows && tagReader(bare) !== undefined && bare !== 'if' && bare !== 'include'
  })
}

type PlacedTag = Omit<TagLine, 'above'>

/** Returns all tags of a line in order, or none if one of them is broken. */
function tagsOf(line: string): PlacedTag[] {
  const found: PlacedTag[] = []
  let at = line.indexOf('{%')
  while (at !== -1) {
    const close = line[at - 1] === '\\' ? at : line.indexOf('%}', at + 2)
    if (close === -1) return []
    if (close > at) {
      const content = line.slice(at + 2, close)
      const tag = /\{%|\?>/.test(content) ? undefined : readTag(content)
      if (!tag) return []
      found.push({ tag, start: at, end: close + 2 })
    }
    at = line.indexOf('{%', close + 2)
  }
  return found
}

/** How the parser read the tags of a text. */
export interface ReadTags {
  /** The tags that are blocks. */
  readonly blocks: readonly TagLine[]
  isBlock(tag: TagLine): boolean
  /** Whether a tag is in a paragraph or heading, and not in code there. */
  isText(tag: TagLine): boolean
  /** The number of the table that a tag is in. */
  tableOf(tag: TagLine): number | undefined
  /** Whether a tag was swallowed by HTML that a blank line would have ended. */
  isHtml(tag: TagLine): boolean
}

export function readTags(root: mdast.Root, disguised: Disguised): ReadTags {
  const found = new Set<Tag>()
  const texts: Stretches = { starts: [], ends: [] }
  const codes: Stretches = { starts: [], ends: [] }
  const tables: Stretches = { starts: [], ends: [] }
  const htmls: Stretches = { starts: [], ends: [] }
  const note = ({ starts, ends }: Stretches, { position }: mdast.Nodes) => {
    starts.push(disguised.toSource(position?.start.offset ?? 0))
    ends.push(disguised.toSource(position?.end.offset ?? 0))
  }
  const visit = (node: mdast.Nodes, depth: number, inText: boolean): void => {
    const tag = inText ? undefined : disguised.tagOf(node)
    if (tag) found.add(tag)
    else if (node.type === 'html' && !inText && !endsItself.test(node.value)) note(htmls, node)
    const isText = node.type === 'paragraph' || node.type === 'heading'
    if (isText) note(texts, node)
    if (node.type === 'table') note(tables, node)
    if (node.type === 'inlineCode' || node.type === 'inlineMath') note(codes, node)
    if (!('children' in node) || depth > limits.nesting * 2) return
    for (const child of node.children) visit(child, depth + 1, inText || isText)
  }
  visit(root, 0, false)
  const blocks = disguised.tags.filter(({ tag }) => found.has(tag))
  const starts = new Set(blocks.map(({ start }) => start))
  return {
    blocks,
    isBlock: ({ start }) => starts.has(start),
    isText: (tag) => isWithin(texts, tag) && !isWithin(codes, tag),
    tableOf: (tag) => (isWithin(tables, tag) && !isWithin(codes, tag) ? lastUpTo(tables.starts, tag.start) : undefined),
    isHtml: (tag) => isWithin(htmls, tag),
  }
}

/** HTML that continues to an end of its own, regardless of blank lines. */
const endsItself = /^\s*<(?:[!?]|(?:pre|script|style|textarea)(?=[\s>]))/i

/**
 * Returns the lines whose tags can be blocks: they are text, or are right below a table or HTML that swallowed them.
 */
export function readableLines(lines: readonly TagsOfLine[], read: ReadTags): TagsOfLine[] {
  const ended = new Set<number>()
  return lines.flatMap((line) => {
    if (line.tags.every((tag) => read.isText(tag))) return [line]
    const [table, ...others] = new Set(line.tags.map((tag) => read.tableOf(tag)))
    if (table !== undefined && others.length === 0) {
      // Nothing after a tag belongs to the table any more.
      if (!line.isRow) ended.add(table)
      return ended.has(table) ? [line] : []
    }
    return line.tags.every((tag) => read.isHtml(tag)) ? [apartFromHtml(line)] : []
  })
}

function apartFromHtml(line: TagsOfLine): TagsOfLine {
  const { prefix, leads } = line
  // If a tag leads its line, the marks before it form the blank line.
  const before = leads ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`
  return { ...line, tags: line.tags.map((tag, index) => (index === 0 ? { ...tag, before } : tag)) }
}

interface Stretches {
  readonly starts: number[]
  readonly ends: number[]
}

function isWithin({ starts, ends }: Stretches, { start, end }: TagLine): boolean {
  const index = lastUpTo(starts, start)
  return index >= 0 && end <= (ends[index] ?? 0)
}

/**
 * Returns the lines in which every tag has its partner, either in these lines or among the tags that are already
 * blocks.
 */
export function pairedLines(lines: readonly TagsOfLine[], alone: readonly TagLine[]): readonly TagsOfLine[] {
  let left = lines
  // A dropped line leaves the partners of its tags unpaired, so their lines are dropped next, and so on. People write
  // only a few of those.
  for (let turn = 0; turn < maxTurns; turn++) {
    const tags = [...alone, ...left.flatMap((line) => line.tags)].toSorted((a, b) => a.start - b.start)
    const paired = new Set([...matchMarks(tags, ({ tag }) => markOfTag(tag))].flat().map((index) => tags[index]))
    const kept = left.filter(({ tags }) =>
      tags.every((each) => paired.has(each) || (each.isApart && isVoidTag(each.tag.name))),
    )
    if (kept.length === left.length) return kept
    left = kept
  }
  return []
}

const maxTurns = 4
