import { endingsOf, isSame, mergeEndings, withEndings, withPlainEndings } from './endings.ts'
import { changedRegions, numberLines, textOf, type Lines, type Region } from './alignment.ts'

/** A place where both sides changed the same lines. `ours` begins at `at` in the merged text. */
export type LineConflict = { at: number; base: string; ours: string; theirs: string }

/** The merged text. Where the sides conflict, it contains ours. */
export type LineMerge = { text: string; conflicts: LineConflict[] }

/**
 * Merges two texts line by line. Changes that overlap or touch count as one: two sides that write next to each other
 * usually write about the same thing, and git does the same.
 */
export function mergeLines(base: string, ours: string, theirs: string): LineMerge {
  if (base === ours || base === theirs) return mergeAsTheyAre(base, ours, theirs)
  const before = endingsOf(base)
  const [mine, other] = [endingsOf(ours, before), endingsOf(theirs, before)]
  // Texts with mixed line endings are merged as they are.
  if (!before || !mine || !other || (isSame(before, mine) && isSame(before, other))) {
    return mergeAsTheyAre(base, ours, theirs)
  }
  const plain = mergeAsTheyAre(withPlainEndings(base), withPlainEndings(ours), withPlainEndings(theirs))
  return withEndings(plain, mergeEndings(before, mine, other))
}

function mergeAsTheyAre(base: string, ours: string, theirs: string): LineMerge {
  if (ours === theirs || base === theirs) return { text: ours, conflicts: [] }
  if (base === ours) return { text: theirs, conflicts: [] }

  const [baseLines, ourLines, theirLines] = numberLines(base, ours, theirs)
  const conflicts: LineConflict[] = []
  let text = ''
  let kept = 0
  for (const group of groupTouching(changedRegions(baseLines, ourLines), changedRegions(baseLines, theirLines))) {
    text += textOf(baseLines, kept, group.start)
    kept = group.end

    const before = textOf(baseLines, group.start, group.end)
    const mine = sideOf(group, group.ours, ourLines) ?? before
    const other = sideOf(group, group.theirs, theirLines) ?? before
    if (mine !== before && other !== before && mine !== other) {
      conflicts.push({ at: text.length, base: before, ours: mine, theirs: other })
    }
    text += mine === before ? other : mine
  }
  return { text: text + textOf(baseLines, kept, baseLines.numbers.length), conflicts }
}

/** A stretch of the base, and the changes of both sides in it. */
type Group = { start: number; end: number; ours: Region[]; theirs: Region[] }

function groupTouching(ours: Region[], theirs: Region[]): Group[] {
  const groups: Group[] = []
  for (let i = 0, j = 0; i < ours.length || j < theirs.length;) {
    const oursIsNext = i < ours.length && (j === theirs.length || ours[i]!.start <= theirs[j]!.start)
    const region = oursIsNext ? ours[i++]! : theirs[j++]!
    let group = groups.at(-1)
    if (!group || region.start > group.end) {
      groups.push((group = { start: region.start, end: region.end, ours: [], theirs: [] }))
    }
    group.end = Math.max(group.end, region.end)
    group[oursIsNext ? 'ours' : 'theirs'].push(region)
  }
  return groups
}

/** Returns the group's lines as one side has them: its changes, and the lines around them that it kept of the base. */
function sideOf(group: Group, regions: Region[], side: Lines): string | null {
  const first = regions[0]
  const last = regions.at(-1)
  if (!first || !last) return null
  return textOf(side, first.newStart - (first.start - group.start), last.newEnd + (group.end - last.end))
}
