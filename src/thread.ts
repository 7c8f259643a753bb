import { type MessagePort, Worker, parentPort } from 'node:worker_threads'

type ToThread<Question> = { id: number; question: Question }
type FromThread<Answer> = { id: number; answer: Answer }

interface Waiting<Answer> {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/**
 * A thread that does expensive work while this one answers requests. It is started on first use and kept for a while,
 * because starting it takes a moment.
 */
export class Thread<Question, Answer> {
  readonly #file: URL
  readonly #idleMs: number
  readonly #waiting = new Map<number, Waiting<Answer>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(file: URL, { idleMs }: { idleMs: number }) {
    this.#file = file
    this.#idleMs = idleMs
  }

  ask(question: Question): Promise<Answer> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    // A pending question keeps the process alive. An idle thread does not.
    worker.ref()
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, question } satisfies ToThread<Question>, [])
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#file)
    worker.on('message', ({ id, answer }: FromThread<Answer>) => {
      this.#waiting.get(id)?.resolve(answer)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#rest(worker)
    })
    worker.on('error', (error: Error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Error(`The thread of ${this.#file.pathname} has ended`)))
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#idle = setTimeout(() => {
      // A question that arrives while it ends gets a new thread.
      this.#worker = undefined
      void worker.terminate()
    }, this.#idleMs)
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

/** The other end: answers each question inside the thread. */
export function answerQuestions<Question, Answer>(work: (question: Question) => Answer | Promise<Answer>): void {
  const port: MessagePort = parentPort!
  port.on('message', async ({ id, question }: ToThread<Question>) => {
    port.postMessage({ id, answer: await work(question) } satisfies FromThread<Answer>)
  })
}
