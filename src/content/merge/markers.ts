import type { LineMerge } from './lines.ts'

/**
 * Writes the merged text with both sides of each conflict between marker lines. The markers contain the conflict's id,
 * so that pages about git never look conflicted.
 */
export function writeMarkers(merge: LineMerge, id: string): string {
  const marker = markersOf(id)
  let text = ''
  let from = 0
  for (const { at, ours, theirs } of merge.conflicts) {
    text += merge.text.slice(from, at)
    text += `${marker.ours}\n${wholeLines(ours)}${marker.between}\n${wholeLines(theirs)}${marker.theirs}\n`
    from = at + ours.length
  }
  return text + merge.text.slice(from)
}

/**
 * Whether the text still has any of that conflict's markers. A client that edits a tree of blocks sends them back the
 * way Markdown reads them: escaped, joined with the line before, or as seven nested quotes. The conflict is not decided
 * by that.
 */
export function hasMarkers(text: string, id: string): boolean {
  if (!text.includes(id)) return false
  return new RegExp(String.raw`(?:(?:\\?<|&lt;){7} change request|(?:\\?=){7}|(?:(?:\\?>|&gt;) ?){7}main) ${id}`).test(
    text,
  )
}

/** A text split into the parts that nobody disputes and the pieces with both sides. */
export type Marked = (string | { ours: string; theirs: string })[]

/**
 * Splits a text at its markers. Returns undefined if the lines of that conflict are not all present, whole and in
 * order: then only a person can decide.
 */
export function readMarkers(text: string, id: string): Marked | undefined {
  const { ours, between, theirs } = markersOf(id)
  const markers = [ours, between, theirs]
  const marked: Marked = []
  // The text before a piece, our side of it, and their side of it.
  let parts: [string, string, string] = ['', '', '']
  let at: 0 | 1 | 2 = 0
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const found = markers.indexOf(line.trimEnd())
    if (found === -1) parts[at] += line
    else if (found !== at) return undefined
    else if (at < 2) at = at === 0 ? 1 : 2
    else {
      marked.push(parts[0], { ours: parts[1], theirs: parts[2] })
      parts = ['', '', '']
      at = 0
    }
  }
  marked.push(parts[0])
  const isWhole = at === 0 && marked.length > 1
  return isWhole && !marked.some((part) => typeof part === 'string' && hasMarkers(part, id)) ? marked : undefined
}

/** Returns the text with one side chosen for every piece. */
export function takeSide(marked: Marked, side: 'ours' | 'theirs'): string {
  return marked.map((part) => (typeof part === 'string' ? part : part[side])).join('')
}

function markersOf(id: string) {
  return {
    ours: `<<<<<<< change request ${id}`,
    between: `======= ${id}`,
    theirs: `>>>>>>> main ${id}`,
  }
}

/** Adds a missing newline at the end of a text, because a marker must not be appended to its last line. */
function wholeLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
