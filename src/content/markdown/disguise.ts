import type * as mdast from 'mdast'
import { defuse, unusedCharacter, type Defused } from './defuse.ts'
import { lineEndAt, lineStartAt } from './lines.ts'
import { limits } from '../limits.ts'
import { addressEnds, unusedBlank } from './table-addresses.ts'
import { readTag, type Tag } from './tag.ts'

/**
 * Lines with `{% %}` mean nothing to a Markdown parser, which would join them with the paragraph around them. So
 * `{% hint %}` is passed to it as `<?…?>`, which CommonMark keeps as a block of its own in every place where the tag
 * may stand, including list items and quotes. The disguise is as long as the tag, so offsets stay the same.
 *
 * There are three exceptions. An HTML block ends only at a blank line, so `<figure>…</figure>` directly above
 * `{% endtab %}` would swallow the tag: a blank line is inserted there. A tag beside text (`text-tags.ts`) gets a line
 * of its own. And the parser does not end a bare address at the end of its table cell (`table-addresses.ts`): a blank
 * is inserted there. `toSource` removes all three from the offsets behind them.
 *
 * Tags inside code are put back by `restore`, so it need not be known beforehand what is code.
 */
export interface Disguised {
  readonly text: string
  readonly tags: readonly TagLine[]
  /** Maps an offset in `text` to the same place in the source. `isStart`: something begins there. */
  toSource(offset: number, isStart?: boolean): number
  /** Returns the tag that a node stands for. */
  tagOf(node: mdast.Nodes): Tag | undefined
  /** Returns the words as the author wrote them. `offset` is where the node that holds them starts in `text`. */
  restore(value: string, offset: number): string
}

export interface TagLine {
  readonly tag: Tag
  readonly start: number
  readonly end: number
  /** The blank line to insert above, with the marks of the quotes that the tag is in. */
  readonly above: string
}

/** A tag that shares its line with text. Line breaks are inserted so that it gets a line of its own. */
export interface TextTag extends TagLine {
  /** Whether only other tags are beside it. */
  readonly isApart: boolean
  /** Inserted directly before the tag. */
  readonly before: string
  readonly after: string
  /** Where `after` is inserted: behind the blanks that follow the tag. */
  readonly next: number
}

/**
 * Disguises the tags of a source. `inText` are tags beside text that are to be read like tags alone on their line, in
 * source order.
 */
export function disguise(source: string, inText: readonly TextTag[] = []): Disguised {
  const defused = defuse(source)
  const alone = findTagLines(source)
  const lines = inText.length === 0 ? alone : [...alone, ...inText].toSorted((a, b) => a.start - b.start)
  const ends = addressEnds(source)
  return lines.length + ends.length === 0 ? asItStands(defused) : withChanges(source, defused, lines, ends)
}

function asItStands(defused: Defused): Disguised {
  return {
    text: defused.text,
    tags: [],
    toSource: (offset) => offset,
    tagOf: () => undefined,
    restore: (value) => defused.restore(value),
  }
}

/** A text to insert at an offset, or, for a tag, to put in place of source text of the same length. */
interface Change {
  readonly at: number
  readonly text: string
  readonly tag?: Tag
}

function withChanges(
  source: string,
  defused: Defused,
  lines: readonly (TagLine | TextTag)[],
  ends: readonly number[],
): Disguised {
  const opening = `<?${unusedCharacter(defused.text)}`
  const blank = ends.length === 0 ? '' : unusedBlank(source)
  const disguised = (line: TagLine) => `${opening}${defused.text.slice(line.start + opening.length, line.end - 2)}?>`
  const tagsAndBreaks = lines.flatMap((line): Change[] => [
    { at: lineStartAt(source, line.start), text: line.above },
    { at: line.start, text: 'before' in line ? line.before : '' },
    { at: line.start, text: disguised(line), tag: line.tag },
    ...('after' in line ? [{ at: line.next, text: line.after }] : []),
  ])
  const blanks = ends.map((at): Change => ({ at, text: blank }))
  const changes = blanks.length === 0 ? tagsAndBreaks : [...tagsAndBreaks, ...blanks].toSorted((a, b) => a.at - b.at)
  const { text, starts, tags, places, insertions } = applied(defused.text, changes)

  return {
    text,
    tags: lines,
    toSource(offset, isStart = false) {
      const index = lastUpTo(places, offset)
      const last = insertions[index]
      if (!last || offset - last.shift >= last.at) return last ? offset - last.shift : offset
      // A quote that begins in an inserted line begins at the same mark of the line below: two of them, one in the
      // other, do not begin at the same place.
      const marks = last.text.slice(0, offset - places[index]!)
      return isStart && source.startsWith(marks, last.at) ? last.at + marks.length : last.at
    },
    tagOf(node) {
      if (node.type !== 'html') return undefined
      const start = node.position?.start.offset ?? 0
      // The position of an HTML block includes its indentation.
      return tags.get(start) ?? tags.get(start + node.value.search(/\S|$/))
    },
    restore(value, offset) {
      let restored = ''
      let copied = 0
      let index = lastUpTo(starts, offset - 1) + 1
      for (let at = value.indexOf(opening); at !== -1; at = value.indexOf(opening, copied)) {
        const line = lines[index++]
        if (!line) break
        const before = value.slice(copied, at)
        restored += line.above ? before.replace(/(^|\r\n|\r|\n)[ \t>]*(?:\r\n|\r|\n)([ \t]*)$/, '$1$2') : before
        restored += source.slice(line.start, line.end)
        copied = at + line.end - line.start
      }
      const all = defused.restore(restored + value.slice(copied))
      return blank === '' ? all : all.replaceAll(blank, '')
    },
  }
}

/** Applies changes to a text, given in the order of their places, and returns where they are in the result. */
function applied(before: string, changes: readonly Change[]) {
  const parts: string[] = []
  /** Where each disguised tag starts in the text. */
  const starts: number[] = []
  const tags = new Map<number, Tag>()
  /** Where text was inserted, the place in the source that this is, and by how much everything behind it has moved. */
  const places: number[] = []
  const insertions: { at: number; shift: number; text: string }[] = []
  let copied = 0
  let shift = 0
  for (const { at, text, tag } of changes) {
    // An address in an attribute of a tag is part of that tag, so nothing is inserted there.
    if (at < copied || text === '') continue
    parts.push(before.slice(copied, at), text)
    if (tag) {
      starts.push(at + shift)
      tags.set(at + shift, tag)
      copied = at + text.length
    } else {
      places.push(at + shift)
      shift += text.length
      insertions.push({ at, shift, text })
      copied = at
    }
  }
  parts.push(before.slice(copied))
  return { text: parts.join(''), starts, tags, places, insertions }
}

/** Returns the index of the last number that is not above a limit, or -1 if all numbers are above it. */
export function lastUpTo(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Finds the lines that contain one tag and nothing else, apart from the marks of quotes and list items. */
function findTagLines(source: string): TagLine[] {
  const found: TagLine[] = []
  let seen = 0
  let close = -1
  for (let start = source.indexOf('{%'); start !== -1; start = source.indexOf('{%', seen)) {
    const lineEnd = lineEndAt(source, start)
    // The next `%}` is the same for all tags opened before it, so it is not searched for each of them.
    if (close < start + 2) close = source.indexOf('%}', start + 2)
    if (close === -1) return found
    const lineStart = lineStartAt(source, start)
    const marks = source.slice(lineStart, start)
    const isLong = close >= lineEnd && marks === '' && mayBeLong(source, start, close)
    const lastEnd = isLong ? lineEndAt(source, close) : lineEnd
    const alone = close < lastEnd && source.slice(close + 2, lastEnd).trim() === ''
    const tag = alone ? readTag(source.slice(start + 2, close)) : undefined
    if (tag && containerMarks.test(marks)) {
      const swallowed = /^[ \t>]*$/.test(marks) && followsHtml(source, lineStart, found.at(-1)?.end ?? 0)
      found.push({ tag, start, end: close + 2, above: swallowed ? `${marks.trimEnd()}\n` : '' })
    }
    seen = tag ? lastEnd : lineEnd
  }
  return found
}

/**
 * Whether a tag may span several lines. Blocks of integrations contain texts of several lines: GitBook writes diagrams
 * that way.
 */
function mayBeLong(source: string, start: number, close: number): boolean {
  const content = close - start > limits.longTag ? '' : source.slice(start + 2, close)
  return /^[ \t]?@/.test(content) && !/\r|\?>|\{%/.test(content)
}

export const containerMarks = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*$/

/**
 * Returns what a further line begins with to be in the same quotes and items as a tag, given the text before the tag.
 */
export function furtherMarks(before: string): string {
  return containerMarks.test(before) ? before.replace(/[^\s>]/g, ' ') : (/^[ \t>]*/.exec(before)?.[0] ?? '')
}

/**
 * Whether a line above, with no blank line between, begins with `<`. Does not look further up than the previous tag.
 */
function followsHtml(source: string, lineStart: number, lastTag: number): boolean {
  let end = lineStart
  while (end > lastTag) {
    const lineBreak = source.startsWith('\r\n', end - 2) ? 2 : 1
    const start = lineStartAt(source, end - lineBreak)
    const line = source.slice(start, end).replace(/^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*/, '')
    if (start < lastTag || line.trim() === '') return false
    if (line.startsWith('<')) return true
    end = start
  }
  return false
}
