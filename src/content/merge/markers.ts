import type { LineMerge } from './lines.ts'

/**
 * The merged text with both sides of each conflict between marker lines. They carry the conflict's id, so that pages
 * about git never look conflicted.
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
 * Whether any of that conflict's markers is still there. Whoever edits a tree of blocks sends them back as Markdown reads
 * them, escaped, run together with the line before, or as seven quotes inside each other: nobody has decided by that.
 */
export function hasMarkers(text: string, id: string): boolean {
  if (!text.includes(id)) return false
  return new RegExp(String.raw`(?:(?:\\?<|&lt;){7} change request|(?:\\?=){7}|(?:(?:\\?>|&gt;) ?){7}main) ${id}`).test(
    text,
  )
}

/** A text taken apart: what nobody disputes, and each piece as both sides have it. */
export type Marked = (string | { ours: string; theirs: string })[]

/** Undefined where the lines of that conflict are not all there, whole and in their order: then only a person can tell. */
export function readMarkers(text: string, id: string): Marked | undefined {
  const { ours, between, theirs } = markersOf(id)
  const markers = [ours, between, theirs]
  const marked: Marked = []
  // Before a piece, on our side of it, on theirs.
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

/** The text with every piece as one side has it. */
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

/** The last line of a text may lack its newline; a marker must not be glued to it. */
function wholeLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
