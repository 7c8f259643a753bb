import type { LineMerge } from './lines.ts'

/**
 * How the lines of a text end is one thing of its own, as a title is. An editor that ends them another way, or leaves the
 * last one without an end, has not changed every line, nor the last one: taken for that, it clashed with whatever others
 * had written meanwhile.
 */
export interface Endings {
  crlf: boolean
  /** Whether the last line has one. */
  last: boolean
}

/** Of a text whose lines all end alike; one with few lines takes the word of `others` for what it does not show. */
export function endingsOf(text: string, others: Endings = { crlf: false, last: true }): Endings | undefined {
  const [all, crlf] = [count(text, '\n'), count(text, '\r\n')]
  if (crlf !== 0 && crlf !== all) return undefined
  return {
    crlf: all === 0 ? others.crlf : crlf > 0,
    last: text === '' ? others.last : text.endsWith('\n'),
  }
}

/** What both sides made of it: there are two ways each, so that two that changed it made the same change. */
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

/** A text with its lines ended as those of another; as it is where either ends them in more than one way. */
export function endedLike(text: string, model: string): string {
  const endings = endingsOf(text)
  const wanted = endings && endingsOf(model, endings)
  if (!wanted || wanted.crlf === endings.crlf) return text
  return wanted.crlf ? text.replaceAll('\n', '\r\n') : text.replaceAll('\r\n', '\n')
}

/** What was merged with plain ones, with these. */
export function withEndings({ text, conflicts }: LineMerge, { crlf, last }: Endings): LineMerge {
  const ended = (lines: string) => (crlf ? lines.replaceAll('\n', '\r\n') : lines)
  const clash = conflicts.at(-1)
  const endsInClash = clash !== undefined && clash.at + clash.ours.length === text.length
  // From one to the next: measured from the top each time, thousands of them in one text took many seconds.
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
