import type { List, ListItem } from './blocks/list.ts'
import type { Table } from './blocks/table.ts'
import { childBlocks, everyBlock, type Block } from './blocks.ts'
import { furtherMarks } from './markdown/disguise.ts'
import { writeBlock } from './markdown/write-blocks.ts'
import { lineBreakOf, lineStartAt, prefixLines } from './markdown/lines.ts'
import { byteOrderMark, type Document } from './parse.ts'
import type { Range } from './tree.ts'

/**
 * Writes a document as Markdown. Parsed blocks that were not replaced come out byte for byte; a block made by spreading
 * a parsed one (`{ ...list, blocks: [...] }`) keeps the bytes of all children that stayed; new ones are written in
 * canonical form, with the marks of the quotes and list items that they are in.
 */
export function write(document: Document): string {
  if (document.blocks === document.parsed) return document.source
  const first = document.parsed[0]?.range
  const last = document.parsed.at(-1)?.range
  const start = document.frontMatter?.range.end ?? byteOrderMark(document.source)
  const original: Original = {
    source: document.source,
    untouched: new Set(everyBlock(document.parsed)),
    byPlace: new Map([...everyBlock(document.parsed)].map((block) => [placeOf(block), block])),
    lineBreak: lineBreakOf(document.source),
  }
  const page: Family = { siblings: document.parsed, prefix: '' }
  if (!first || !last) return appendTo(document.source, writeSiblings(document.blocks, page, original), original)
  if (document.blocks.length === 0) return document.source.slice(0, start)
  return document.source.slice(0, first.start) + writeSiblings(document.blocks, page, original) + tailOf(document, last)
}

/**
 * Returns the text after the last block. If a block was added at the end, the blank lines of the page, such as those
 * below a lone title, belong above it: below it, one line end is enough.
 */
function tailOf({ source, blocks, parsed }: Document, { end }: Range): string {
  const tail = source.slice(end)
  const { start } = blocks.at(-1)?.range ?? {}
  const isAdded = start === undefined || !parsed.some(({ range }) => range?.start === start)
  return isAdded ? tail.replace(/^(\r\n|\r|\n)[\r\n]+$/, '$1') : tail
}

interface Original {
  readonly source: string
  readonly untouched: ReadonlySet<Block>
  /** Parsed blocks by type and range, so that a changed copy can be traced to its original. */
  readonly byPlace: ReadonlyMap<string, Block>
  readonly lineBreak: string
}

const placeOf = (block: Block): string => `${block.type} ${block.range?.start} ${block.range?.end}`

function appendTo(head: string, text: string, { lineBreak }: Original): string {
  const gap = head === '' || head === '\uFEFF' ? '' : head.endsWith(lineBreak) ? lineBreak : lineBreak.repeat(2)
  return text === '' ? head : head + gap + text + lineBreak
}

interface Family {
  /** The children of the parsed parent: the gaps between them are kept, too. */
  readonly siblings: readonly Block[]
  /** The prefix of each of their lines. */
  readonly prefix: string
  readonly list?: List
}

function writeSiblings(blocks: readonly Block[], family: Family, original: Original): string {
  const { siblings, prefix, list } = family
  const places = new Map(siblings.map((sibling, index) => [placeOf(sibling), index]))
  const gapAfter = (place: number | undefined): string | undefined => {
    if (place === undefined) return undefined
    const [start, end] = [siblings[place]?.range?.end, siblings[place + 1]?.range?.start]
    return start === undefined || end === undefined ? undefined : original.source.slice(start, end)
  }
  const gapBetween = (left: Block, right: Block): string => {
    const [leftPlace, rightPlace] = [places.get(placeOf(left)), places.get(placeOf(right))]
    const before = gapAfter(rightPlace === undefined ? undefined : rightPlace - 1)
    const ownPrefix = right.range && rightPlace !== undefined ? prefixAt(original.source, right.range.start) : prefix
    const blank = `${original.lineBreak}${prefix.trimEnd()}${original.lineBreak}${ownPrefix}`
    const gap = gapAfter(leftPlace) ?? before
    if (gap === undefined) return list?.loose === false ? original.lineBreak + ownPrefix : blank
    if (leftPlace !== undefined && leftPlace + 1 === rightPlace) return gap
    // Beside a new block, a gap must really separate. Items and tabs are separate by themselves.
    return isPart(left) && isPart(right) ? gap : hasBlankLine(gap) ? gap : blank
  }
  let text = ''
  blocks.forEach((block, index) => {
    const left = blocks[index - 1]
    text += (left ? gapBetween(left, block) : '') + writeChild(block, index, family, original)
  })
  return text
}

const isPart = (block: Block): boolean => ['list-item', 'tab', 'step', 'column', 'update'].includes(block.type)

const hasBlankLine = (gap: string): boolean => lines(gap).length > 2

function writeChild(block: Block, index: number, family: Family, original: Original): string {
  const { siblings, prefix, list } = family
  const { source, untouched, byPlace, lineBreak } = original
  const before = block.range ? byPlace.get(placeOf(block)) : undefined
  const own = block.range && untouched.has(block) ? source.slice(block.range.start, block.range.end) : undefined
  const kept = own ?? (before && patch(block, before, original))
  if (kept !== undefined && (siblings.includes(before ?? block) || !before?.range)) return kept
  const led = kept !== undefined && before?.range ? movedTo(prefix, kept, before.range.start, original) : undefined
  if (led !== undefined && (!list || isMarkedLike(led, siblings, source))) return led
  const made = list && block.type === 'list-item' ? writeItem(block, index, list, siblings, source) : writeBlock(block)
  return prefixLines(made, '', prefix).replaceAll('\n', lineBreak)
}

/**
 * Adapts a block that was in another list or quote, or in none. Its lines have other marks in front of them, which
 * would become a part of its text. Returns undefined if a line lacks its marks, as Markdown allows for text.
 */
function movedTo(prefix: string, text: string, start: number, { source, lineBreak }: Original): string | undefined {
  const before = prefixAt(source, start)
  const [first = '', ...more] = lines(text)
  if (before === prefix || more.length === 0) return text
  const isBlank = (line: string) => line.trim() === '' || line.trim() === before.trim()
  if (!more.every((line) => line.startsWith(before) || isBlank(line))) return undefined
  const led = more.map((line) => (isBlank(line) ? '' : line.slice(before.length)))
  return [first, ...led.map((line) => (line === '' ? prefix.trimEnd() : prefix + line))].join(lineBreak)
}

/** Whether an item from another list can continue this one as it is: only if it has the same mark. */
function isMarkedLike(item: string, [first]: readonly Block[], source: string): boolean {
  const markOf = (text: string) => /^(?:[-*+]|\d+([.)]))/.exec(text)
  const [own, others] = [markOf(item), markOf(source.slice(first?.range?.start))]
  return own?.[1] === undefined && own?.[0] === others?.[0]
}

/** Writes an item with the mark of the other items in its list: another mark would begin a list of its own. */
function writeItem(item: ListItem, index: number, list: List, siblings: readonly Block[], source: string): string {
  const { range: _, ...like } = list
  const mark = /^(?:[-*+]|\d+([.)]))/.exec(source.slice(siblings[0]?.range?.start))
  const alone = writeBlock({ ...like, start: (list.start ?? 1) + index, blocks: [item] })
  return alone.replace(/^(?:-|(\d+)\.)/, (own, number?: string) =>
    number === undefined ? (mark?.[0] ?? own) : number + (mark?.[1] ?? '.'),
  )
}

/** Writes a block in which only children changed: everything around them stays as it is. */
function patch(block: Block, before: Block, original: Original): string | undefined {
  if (!before.range) return undefined
  if (!sameFields(block, before))
    return block.type === 'table' && before.type === 'table' ? patchTable(block, before, original) : undefined
  const { source } = original
  if (JSON.stringify(block) === JSON.stringify(before)) return source.slice(before.range.start, before.range.end)
  const [children, siblings] = [childBlocks(block), childBlocks(before)]
  const [first, last] = [siblings[0]?.range, siblings.at(-1)?.range]
  if (!first || !last || children.length === 0) return undefined
  const prefix = prefixAt(source, first.start)
  const family = { siblings, prefix, ...(before.type === 'list' ? { list: before } : {}) }
  const inside = writeSiblings(children, family, original)
  const head = source.slice(before.range.start, first.start)
  const tail = source.slice(last.end, before.range.end)
  // Content that shared a line with a tag stays on that line, and so do other tags.
  const [had, isTag] = [source.slice(first.start, last.end), head.startsWith('{%')]
  const isBeside = (now = '', then = '') => now === then || now.startsWith('{%') || /\{% end[^%]*%\}$/.test(now)
  const headApart = isTag && !hasBreak(head) && !isBeside(lines(inside)[0], lines(had)[0])
  const tailApart = isTag && !hasBreak(tail) && !isBeside(lines(inside).at(-1), lines(had).at(-1))
  const lineBreak = original.lineBreak + prefix
  return (headApart ? head.trimEnd() + lineBreak : head) + inside + (tailApart ? lineBreak + tail.trimStart() : tail)
}

/**
 * Writes a changed table. A row that stayed keeps its line, wherever it is: usually only one row of a long table
 * changes.
 */
function patchTable(block: Table, before: Table, { source, lineBreak }: Original): string | undefined {
  if (!before.range || block.columns.length !== before.columns.length) return undefined
  const [head = '', delimiters = '', ...rows] = lines(source.slice(before.range.start, before.range.end))
  // A table in HTML does not have one line per row.
  if (rows.length !== before.rows.length || !/^(?:[\s>|:-]*>)?[\s|:]*-[\s|:-]*$/.test(delimiters)) return undefined
  const prefix = prefixAt(source, before.range.start)
  const isKept = (field: 'inlines' | 'align') =>
    block.columns.every((column, at) => column[field] === before.columns[at]?.[field])
  const [newHead = '', newDelimiters = '', ...newRows] = writeBlock(block).split('\n')
  const places = new Map(before.rows.map((row, at) => [row, at]))
  return [
    isKept('inlines') ? head : newHead,
    isKept('align') ? delimiters : prefix + newDelimiters,
    ...block.rows.map((row, at) => rows[places.get(row) ?? -1] ?? prefix + (newRows[at] ?? '')),
  ].join(lineBreak)
}

const lines = (text: string): string[] => text.split(/\r\n|\r|\n/)

const hasBreak = (text: string): boolean => /[\r\n]/.test(text)

function sameFields(block: Block, before: Block): boolean {
  const fields = (of: Block) => JSON.stringify({ ...of, blocks: undefined, key: undefined, range: undefined })
  return fields(block) === fields(before)
}

/**
 * Returns what later lines of a block begin with, if the block begins at this offset: quote marks stay, list marks
 * become blanks. A tag before it on the same line, and the text before that tag, count as neither.
 */
function prefixAt(source: string, offset: number): string {
  const line = source.slice(lineStartAt(source, offset), offset)
  const tag = line.indexOf('{%')
  const blanked = (marks: string) => marks.replace(/[^\s>]/g, ' ')
  if (tag === -1) return blanked(line)
  return furtherMarks(line.slice(0, tag)) + blanked(line.slice(line.lastIndexOf('%}') + 2).trimStart())
}
