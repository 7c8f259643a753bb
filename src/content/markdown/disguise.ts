import { defuse, unusedCharacter, type Defused } from './defuse.ts'
import { lineEndAt, lineStartAt } from './lines.ts'
import { limits } from '../limits.ts'
import { readTag, type Tag } from './tag.ts'

/**
 * `{% %}` lines mean nothing to a Markdown parser: it would run them together with the paragraph around them. So
 * `{% hint %}` is handed over as `<?…?>`, which CommonMark keeps as a block of its own in every place where the
 * tag may stand, list items and quotes included. The disguise is as long as the tag, so offsets stay as they are.
 *
 * The one exception: an HTML block ends only at a blank line, so `<figure>…</figure>` directly above `{% endtab %}`
 * would swallow it. There a blank line goes in, and `toSource` takes it out of all offsets behind it.
 *
 * Tags inside code come back as they were through `restore`: nobody has to know beforehand what is code.
 */
export interface Disguised {
  readonly text: string
  /** From an offset in `text` to the same place in the source. */
  toSource(offset: number): number
  /** The tag that a node starting at this offset of `text` stands for. */
  tagAt(offset: number): Tag | undefined
  /** The words as the author wrote them; `offset` is where the node that holds them starts in `text`. */
  restore(value: string, offset: number): string
}

interface TagLine {
  readonly tag: Tag
  readonly start: number
  readonly end: number
  /** The blank line that goes in above, with the marks of the quotes that it stands in. */
  readonly above: string
}

export function disguise(source: string): Disguised {
  const defused = defuse(source)
  const lines = findTagLines(source)
  return lines.length === 0 ? withoutTags(defused) : withTags(source, defused, lines)
}

function withoutTags(defused: Defused): Disguised {
  return {
    text: defused.text,
    toSource: (offset) => offset,
    tagAt: () => undefined,
    restore: (value) => defused.restore(value),
  }
}

function withTags(source: string, defused: Defused, lines: readonly TagLine[]): Disguised {
  const opening = `<?${unusedCharacter(defused.text)}`
  const parts: string[] = []
  /** Where each disguised tag starts in the text, and by how much the lines put in so far have moved it. */
  const starts: number[] = []
  const shifts: number[] = []
  let copied = 0
  let shift = 0
  for (const line of lines) {
    const lineStart = line.above ? lineStartAt(source, line.start) : copied
    shift += line.above.length
    parts.push(defused.text.slice(copied, lineStart), line.above, defused.text.slice(lineStart, line.start))
    parts.push(opening, defused.text.slice(line.start + opening.length, line.end - 2), '?>')
    starts.push(line.start + shift)
    shifts.push(shift)
    copied = line.end
  }
  parts.push(defused.text.slice(copied))
  const tags = new Map(lines.map((line, index) => [starts[index], line.tag]))

  return {
    text: parts.join(''),
    toSource: (offset) => offset - (shifts[lastUpTo(starts, offset)] ?? 0),
    tagAt: (offset) => tags.get(offset),
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
      return defused.restore(restored + value.slice(copied))
    },
  }
}

/** The index of the last number that is not above a limit, -1 where all are. */
function lastUpTo(sorted: readonly number[], limit: number): number {
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
  for (let start = source.indexOf('{%'); start !== -1; start = source.indexOf('{%', seen)) {
    const lineEnd = lineEndAt(source, start)
    const close = source.indexOf('%}', start + 2)
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

const containerMarks = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*$/

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
