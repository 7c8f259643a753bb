import type * as mdast from 'mdast'
import { defuse, unusedCharacter, type Defused } from './defuse.ts'
import { lineEndAt, lineStartAt } from './lines.ts'
import { limits } from '../limits.ts'
import { addressEnds, unusedBlank } from './table-addresses.ts'
import { readTag, type Tag } from './tag.ts'

/**
 * `{% %}` lines mean nothing to a Markdown parser: it would run them together with the paragraph around them. So
 * `{% hint %}` is handed over as `<?…?>`, which CommonMark keeps as a block of its own in every place where the
 * tag may stand, list items and quotes included. The disguise is as long as the tag, so offsets stay as they are.
 *
 * Three exceptions: an HTML block ends only at a blank line, so `<figure>…</figure>` directly above `{% endtab %}`
 * would swallow it. There a blank line goes in. And a tag beside text (`text-tags.ts`) gets a line of its own.
 * Nor does a cell of a table end where an address in it does (`table-addresses.ts`): there a blank goes in.
 * `toSource` takes all three out of the offsets behind them.
 *
 * Tags inside code come back as they were through `restore`: nobody has to know beforehand what is code.
 */
export interface Disguised {
  readonly text: string
  readonly tags: readonly TagLine[]
  /** From an offset in `text` to the same place in the source. */
  toSource(offset: number): number
  /** The tag that a node stands for. */
  tagOf(node: mdast.Nodes): Tag | undefined
  /** The words as the author wrote them; `offset` is where the node that holds them starts in `text`. */
  restore(value: string, offset: number): string
}

export interface TagLine {
  readonly tag: Tag
  readonly start: number
  readonly end: number
  /** The blank line that goes in above, with the marks of the quotes that it stands in. */
  readonly above: string
}

/** A tag that shares its line with text: line breaks go in, so that it has a line for itself. */
export interface TextTag extends TagLine {
  /** Whether only other tags stand beside it. */
  readonly isApart: boolean
  /** Directly before the tag. */
  readonly before: string
  readonly after: string
  /** Where `after` goes in: behind the blanks that follow the tag. */
  readonly next: number
}

/** `inText` are tags beside text that are to be read like those alone on their line, in the order of the source. */
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

/** What goes in at an offset, or, for a tag, in place of the source from there on, which is as long. */
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
    toSource(offset) {
      const last = insertions[lastUpTo(places, offset)]
      return last ? Math.max(last.at, offset - last.shift) : offset
    },
    tagOf(node) {
      if (node.type !== 'html') return undefined
      const start = node.position?.start.offset ?? 0
      // An HTML block begins with its indentation.
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

/** A text with changes, in the order of their places, and where they are in it. */
function applied(before: string, changes: readonly Change[]) {
  const parts: string[] = []
  /** Where each disguised tag starts in the text. */
  const starts: number[] = []
  const tags = new Map<number, Tag>()
  /** Where something was put in, what place of the source that is, and by how much all behind it has moved. */
  const places: number[] = []
  const insertions: { at: number; shift: number }[] = []
  let copied = 0
  let shift = 0
  for (const { at, text, tag } of changes) {
    // The address of an attribute belongs to its tag.
    if (at < copied || text === '') continue
    parts.push(before.slice(copied, at), text)
    if (tag) {
      starts.push(at + shift)
      tags.set(at + shift, tag)
      copied = at + text.length
    } else {
      places.push(at + shift)
      shift += text.length
      insertions.push({ at, shift })
      copied = at
    }
  }
  parts.push(before.slice(copied))
  return { text: parts.join(''), starts, tags, places, insertions }
}

/** The index of the last number that is not above a limit, -1 where all are. */
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

/** Lines that hold one tag and nothing else, beside the marks of quotes and list items. */
function findTagLines(source: string): TagLine[] {
  const found: TagLine[] = []
  let seen = 0
  let close = -1
  for (let start = source.indexOf('{%'); start !== -1; start = source.indexOf('{%', seen)) {
    const lineEnd = lineEndAt(source, start)
    // The same for all that are opened before it: a page of them is not searched for each.
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

/** Blocks of integrations have texts of several lines in them: GitBook writes a diagram so. */
function mayBeLong(source: string, start: number, close: number): boolean {
  const content = close - start > limits.longTag ? '' : source.slice(start + 2, close)
  return /^[ \t]?@/.test(content) && !/\r|\?>|\{%/.test(content)
}

export const containerMarks = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*$/

/** What a further line begins with that stands in the same quotes and items as a tag, by what comes before that. */
export function furtherMarks(before: string): string {
  return containerMarks.test(before) ? before.replace(/[^\s>]/g, ' ') : (/^[ \t>]*/.exec(before)?.[0] ?? '')
}

/** Whether a line above, with no blank line between, begins with `<`. Looks no further up than the tag before. */
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
