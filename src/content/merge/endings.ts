import type { LineMerge } from './lines.ts'

/**
 * How the lines of a text end. This is a property of its own, like a title: an editor that ends lines another way, or
 * leaves the last line without an end, has changed neither every line nor the last one. If it were treated as such a
 * change, it would conflict with everything that others had written in the meantime.
 */
export interface Endings {
  crlf: boolean
  /** Whether the last line has a line ending. */
  last: boolean
}

/**
 * Returns the line endings of a text, or undefined if its lines end differently. What a text with few lines does not
 * show is taken from `others`.
 */
export function endingsOf(text: string, others: Endings = { crlf: false, last: true }): Endings | undefined {
  const [all, crlf] = [count(text, '\n'), count(text, '\r\n')]
  if (crlf !== 0 && crlf !== all) return undefined
  return {
    crlf: all === 0 ? others.crlf : crlf > 0,
    last: text === '' ? others.last : text.endsWith('\n'),
  }
}

/**
 * Merges the line endings of both sides. There are only two ways each, so two sides that changed one made the same
 * change.
 */
export function mergeEndings(base: Endings, ours: Endings, theirs: Endings): Endings {
  return {
    crlf: ours.crlf === base.crlf ? theirs.crlf : ours.crlf,
    last: ours.last === base.last ? theirs.last : ours.last,
  }
}

export const isSame = (a: Endings, b: Endings) => a.crlf === b.crlf && a.last === b.last

export function withPlainEndings(text: string): string {
  const plain = text.replaceAll('\r\n', '\n')
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`
}

/** Returns a text with the line endings of another. If either text mixes line endings, it is returned unchanged. */
export function endedLike(text: string, model: string): string {
  const endings = endingsOf(text)
  const wanted = endings && endingsOf(model, endings)
  if (!wanted || wanted.crlf === endings.crlf) return text
  return wanted.crlf ? text.replaceAll('\n', '\r\n') : text.replaceAll('\r\n', '\n')
}

/** Applies line endings to a merge that was made with plain ones. */
export function withEndings({ text, conflicts }: LineMerge, { crlf, last }: Endings): LineMerge {
  const ended = (lines: string) => (crlf ? lines.replaceAll('\n', '\r\n') : lines)
  const clash = conflicts.at(-1)
  const endsInClash = clash !== undefined && clash.at + clash.ours.length === text.length
  // Measured from one conflict to the next: from the top each time, thousands of them in one text took many seconds.
  let [from, endedFrom] = [0, 0]
  return {
    text: ended(last || endsInClash ? text : text.replace(/\n$/, '')),
    conflicts: conflicts.map(({ at, base, ours, theirs }) => {
      endedFrom += ended(text.slice(from, at)).length
      from = at
      return { at: endedFrom, base: ended(base), ours: ended(ours), theirs: ended(theirs) }
    }),
  }
}

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++
  return found
}
