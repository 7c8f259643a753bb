import { readFrontMatter } from '../page/front-matter.ts'
import { headingOf, joinPage, putHeading, remarksOf, splitHead } from '../page/split.ts'
import { sameJson, type Json } from './entry.ts'
import { mergeLines } from './lines.ts'
import type { Three } from './lookups.ts'

/** Names that are fields of a page. Fields are merged on their own, and override the text when it is written. */
const fieldNames: ReadonlySet<string> = new Set([
  'title',
  'description',
  'icon',
  'emoji',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'layout',
  'cover',
  'coverDark',
  'coverY',
  'vars',
  'if',
])

/**
 * Merges the part of a page above its body: by line if possible, else name by name, since two names are usually on
 * adjacent lines. Returns null if the result cannot be determined.
 */
export function mergeSource(
  base: string,
  ours: string,
  theirs: string,
  mergedElsewhere: ReadonlySet<string> = fieldNames,
): string | null {
  const { text, conflicts } = mergeLines(base, ours, theirs)
  const isHead = splitHead(text).body === ''
  if (conflicts.length === 0 && isHead) return text

  const [before, mine, other] = [base, ours, theirs].map((source) => splitHead(source).fields as Record<string, Json>)
  const fields: Record<string, Json> = { ...mine! }
  for (const name of new Set([...Object.keys(before!), ...Object.keys(mine!), ...Object.keys(other!)])) {
    if (sameJson(other![name], before![name]) || sameJson(other![name], mine![name])) continue
    if (!sameJson(mine![name], before![name])) {
      if (!mergedElsewhere.has(name)) return null
    } else if (Object.hasOwn(other!, name)) fields[name] = other![name]!
    else delete fields[name]
  }
  const [wasHeading, myHeading, otherHeading] = [base, ours, theirs].map(headingOf) as [string, string, string]
  const isTheirs = otherHeading !== wasHeading && otherHeading !== ''
  const joined = joinPage(fields, '', isHead ? text : ours)
  const merged = isTheirs && myHeading === wasHeading ? putHeading(joined, otherHeading) : joined
  // A title is more than its words. If both changed these, it is known which of them to keep.
  const isDecided = mergedElsewhere.has('title') && myHeading !== wasHeading
  if (isTheirs && !isDecided && headingOf(merged) !== otherHeading) return null
  const kept = new Set([...commentsOf(base), ...commentsOf(merged)])
  return commentsOf(theirs).every((comment) => kept.has(comment)) ? merged : null
}

/** Merges the same part of pages that are nothing but text: their title and settings are merged here, too. */
export function mergeHeads({ base, ours, theirs }: Three<string>): string | null {
  // A title can be written in two places, which a merge by line does not know.
  const [was, mine, other] = [base, ours, theirs].map((source) => splitHead(source).fields.title)
  if (mine !== was && other !== was && mine !== other) return null
  return mergeSource(base, ours, theirs, new Set())
}

/** Returns the comments, which only people who read the source see. */
function commentsOf(source: string): string[] {
  const remarks = remarksOf(source)
  return [...(readFrontMatter(source)?.raw.match(/(?:^|[ \t])#.*$/gm) ?? []), ...(remarks === '' ? [] : [remarks])]
}
