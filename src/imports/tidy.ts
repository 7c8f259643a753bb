import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>

let collect: Collect | undefined

/**
 * Gives back unused memory. An import processes hundreds of megabytes of markup, nearly all of which is dropped at
 * once. Without this, the heap of this process grows to several times of what is in use before it is collected, and the
 * process keeps that memory. A collection takes some tens of milliseconds, so it is for long imports only.
 */
export async function tidyMemory(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  await collect({ type: 'major', execution: 'async' })
}
