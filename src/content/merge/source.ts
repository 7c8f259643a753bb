import { readFrontMatter } from '../page/front-matter.ts'
import { joinPage, remarksOf, splitPage } from '../page/split.ts'
import { sameJson, type Json } from './entry.ts'
import { mergeLines } from './lines.ts'

/** Names that are fields of a page: those are merged by themselves, and win over the text where it is written. */
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
 * Merges what stands above the body of a page: by line where that goes, else name by name, since two names mostly stand
 * on lines that touch. Null where it cannot be told what is to stand there.
 */
export function mergeSource(base: string, ours: string, theirs: string): string | null {
  const { text, conflicts } = mergeLines(base, ours, theirs)
  const isHead = splitPage(text).body === ''
  if (conflicts.length === 0 && isHead) return text

  const [before, mine, other] = [base, ours, theirs].map((source) => splitPage(source).fields as Record<string, Json>)
  const fields: Record<string, Json> = { ...mine! }
  for (const name of new Set([...Object.keys(before!), ...Object.keys(mine!), ...Object.keys(other!)])) {
    if (sameJson(other![name], before![name]) || sameJson(other![name], mine![name])) continue
    if (!sameJson(mine![name], before![name])) {
      if (!fieldNames.has(name)) return null
    } else if (Object.hasOwn(other!, name)) fields[name] = other![name]!
    else delete fields[name]
  }
  const merged = joinPage(fields, '', isHead ? text : ours)
  const kept = new Set([...commentsOf(base), ...commentsOf(merged)])
  return commentsOf(theirs).every((comment) => kept.has(comment)) ? merged : null
}

/** What is said there to nobody but those who read the text. */
function commentsOf(source: string): string[] {
  const remarks = remarksOf(source)
  return [...(readFrontMatter(source)?.raw.match(/(?:^|[ \t])#.*$/gm) ?? []), ...(remarks === '' ? [] : [remarks])]
}
