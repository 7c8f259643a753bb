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
