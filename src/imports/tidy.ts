import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>

let collect: Collect | undefined

/**
 * Gives back memory that nothing holds any more. An import works through hundreds of megabytes of markup, nearly all of
 * which is dropped at once; left to itself, the heap of this process grows to several times what is in use before anybody
 * looks, and the process keeps that. A look takes some tens of milliseconds, so it is for long imports only.
 */
export async function tidyMemory(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  await collect({ type: 'major', execution: 'async' })
}
