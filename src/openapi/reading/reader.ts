// The process that reads a specification. A hostile one can use up the time and the memory of this process, and no
// more. A thread would not be enough: if it runs out of memory while V8 parses JSON, the whole process ends.
import { keepCompiled } from '../../apart.ts'
import { Refused } from './failure.ts'
import type { FromReader, ToReader, Work } from './messages.ts'
import { readText } from './text.ts'

process.once('message', (work) => void answer(work as Work))
// Nobody waits for the result any more.
process.once('disconnect', () => process.exit())
keepCompiled()

async function answer(work: Work): Promise<void> {
  try {
    tell({ kind: 'done', result: await readText(work, load) })
  } catch (error) {
    if (error instanceof Refused) tell({ kind: 'refused', message: error.message })
    else tell({ kind: 'failed', reason: String(error instanceof Error ? error.stack : error) })
  }
}

/** Loads one document at a time: the caller waits for it. */
function load(url: string): Promise<Uint8Array> {
  tell({ kind: 'fetch', url })
  return new Promise((resolve) => process.once('message', (message) => resolve((message as ToReader).bytes)))
}

function tell(message: FromReader): void {
  process.send!(message)
}
