import type { LineMerge } from '../../content/merge/lines.ts'
import type { Three } from '../../content/merge/lookups.ts'
import { Thread } from '../../thread.ts'

/** The thread takes 10 MB of memory. */
const thread = new Thread<Three<string>, LineMerge>(new URL('line-merges.thread.ts', import.meta.url), {
  idleMs: 10_000,
})

/** Merges bodies line by line in a separate thread. */
export function mergeApart(texts: Three<string>): Promise<LineMerge> {
  return thread.ask(texts)
}
