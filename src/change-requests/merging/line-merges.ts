import type { LineMerge } from '../../content/merge/lines.ts'
import type { Three } from '../../content/merge/lookups.ts'
import { Thread } from '../../thread.ts'

/** It costs 10 MB. */
const thread = new Thread<Three<string>, LineMerge>(new URL('line-merges.thread.ts', import.meta.url), {
  idleMs: 10_000,
})

/** Merges bodies by line in a thread of their own. */
export function mergeApart(texts: Three<string>): Promise<LineMerge> {
  return thread.ask(texts)
}
