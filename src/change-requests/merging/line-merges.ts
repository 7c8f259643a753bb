import { Worker } from 'node:worker_threads'
import type { LineMerge } from '../../content/merge/lines.ts'
import type { Three } from '../../content/merge/lookups.ts'

export type ToThread = { id: number; texts: Three<string> }
export type FromThread = { id: number; merge: LineMerge }

/** A thread costs 10 MB and takes a moment to start: it stays for a while, and is not there for those who never need it. */
const idleMs = 10_000

interface Waiting {
  resolve: (merge: LineMerge) => void
  reject: (error: Error) => void
}

/** A thread beside this one that merges bodies by line, one after the other, while this one answers others. */
class LineMerges {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  merge(texts: Three<string>): Promise<LineMerge> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    // A merge that somebody waits for keeps the process alive; a thread that waits does not.
    worker.ref()
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, texts } satisfies ToThread, [])
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('line-merges.thread.ts', import.meta.url))
    worker.on('message', ({ id, merge }: FromThread) => {
      this.#waiting.get(id)?.resolve(merge)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#rest(worker)
    })
    worker.on('error', (error: Error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Error('The thread that merges bodies has ended')))
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#idle = setTimeout(() => {
      // Whoever comes while it ends gets a new one.
      this.#worker = undefined
      void worker.terminate()
    }, idleMs)
    this.#idle.unref()
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}

const merges = new LineMerges()

export function mergeApart(texts: Three<string>): Promise<LineMerge> {
  return merges.merge(texts)
}
