import { changedRegions, numberLines, textOf, type Lines, type Region } from './merge/alignment.ts'

/** A line with its ending, and its number (from 1) in the old and in the new text. */
export type DiffLine =
  | { type: 'kept'; text: string; before: number; after: number }
  | { type: 'removed'; text: string; before: number }
  | { type: 'added'; text: string; after: number }

/** Changes that are close together, with some lines around them. */
export type Hunk = { lines: DiffLine[] }

/** Returns what changed from one text to another, for people to read: `context` lines are kept around each change. */
export function diffLines(before: string, after: string, context = 3): Hunk[] {
  const [old, current] = numberLines(before, after)
  const shown = groupNear(changedRegions(old, current), 2 * context)
  return shown.map((regions) => ({ lines: hunkLines(regions, old, current, context) }))
}

/** Groups regions whose context would meet. */
function groupNear(regions: Region[], distance: number): Region[][] {
  const groups: Region[][] = []
  for (const region of regions) {
    const last = groups.at(-1)?.at(-1)
    if (last && region.start - last.end <= distance) groups.at(-1)!.push(region)
    else groups.push([region])
  }
  return groups
}

function hunkLines(regions: Region[], old: Lines, current: Lines, context: number): DiffLine[] {
  const lines: DiffLine[] = []
  let at = Math.max(0, regions[0]!.start - context)
  const keep = (end: number, ahead: number) => {
    for (; at < end; at++) {
      lines.push({ type: 'kept', text: lineOf(old, at), before: at + 1, after: at + ahead + 1 })
    }
  }
  for (const { start, end, newStart, newEnd } of regions) {
    keep(start, newStart - start)
    for (; at < end; at++) lines.push({ type: 'removed', text: lineOf(old, at), before: at + 1 })
    for (let line = newStart; line < newEnd; line++) {
      lines.push({ type: 'added', text: lineOf(current, line), after: line + 1 })
    }
  }
  const { end, newEnd } = regions.at(-1)!
  keep(Math.min(old.numbers.length, end + context), newEnd - end)
  return lines
}

function lineOf(lines: Lines, at: number): string {
  return textOf(lines, at, at + 1)
}
