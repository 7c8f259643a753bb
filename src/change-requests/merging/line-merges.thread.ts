// The thread that merges long bodies by line.
import { parentPort } from 'node:worker_threads'
import { mergeLines } from '../../content/merge/lines.ts'
import type { FromThread, ToThread } from './line-merges.ts'

const port = parentPort!

port.on('message', ({ id, texts: { base, ours, theirs } }: ToThread) => {
  port.postMessage({ id, merge: mergeLines(base, ours, theirs) } satisfies FromThread)
})
