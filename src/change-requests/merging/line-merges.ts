import { type LineMerge, mergeLines } from '../../content/merge/lines.ts'
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

/** The number of characters up to which a merge is over before the thread would answer. */
const longestHere = 64 * 1024

/** The same, but short texts are merged at once: for single texts that somebody waits for. */
export async function mergeHereOrApart(texts: Three<string>): Promise<LineMerge> {
  return areShort(texts) ? mergeLines(texts.base, texts.ours, texts.theirs) : mergeApart(texts)
}

/** Whether these texts may be merged without the thread. */
export const areShort = ({ base, ours, theirs }: Three<string>) =>
  base.length + ours.length + theirs.length <= longestHere
