import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { processorMs, startApart } from '../apart.ts'
import { ApiError } from '../http/errors.ts'
import type { Place } from './places.ts'

/** What the press prints: the data of a book and the pictures that it names. */
export interface Sheets {
  /** JSON, in pieces. */
  data: Uint8Array[]
  pictures: Picture[]
}

export interface Picture {
  name: string
  bytes: Uint8Array
}

/** Sheets are sent in pieces: sending a whole book in one message would block the server for everybody else. */
export type ToPress = { data: Uint8Array } | { picture: Picture } | { print: number; fonts: string | undefined }
export type FromPress = { id: number; memory: number } & ({ pdf: Uint8Array } | { failure: string })

/** The press takes a moment to start, and 100 MB: it keeps running for a while, but not on servers that never print. */
const idleMs = 15_000
/**
 * Processor time. On a busy machine the press gets little of it, and large books must not be given up because of that.
 */
const mostProcessorMs = 120_000
/** Elapsed time: `atAll` applies in any case, `unknown` if the processor time cannot be read. */
const longestMs = { unknown: 120_000, atAll: 1_200_000 }
const lookMs = 1000
/** The press does not give back this memory: above this limit, the next book gets a new process. */
const mostMemory = 512 * 1024 ** 2
/**
 * With this priority, the press gets a tenth of the processor time of other processes that want it at the same moment.
 */
const lowerPriority = 10
/** The typesetter would use all cores, and is hardly faster for it: 6.2 s instead of 5.9 s on two, for 500 pages. */
const oneCore = { RAYON_NUM_THREADS: '1' }

/** The sheets cannot be printed. */
export class PressFailure extends Error {}

/** Who a book is printed for, and the signal that they no longer want it. */
type Asker = Pick<Place, 'who' | 'signal' | 'begin'>

const anybody: Asker = { who: '', signal: new AbortController().signal, begin: () => {} }

interface Order {
  sheets: Sheets
  asker: Asker
  resolve: (pdf: Uint8Array) => void
  reject: (error: Error) => void
}

/**
 * Prints one book after the other in a separate process, taking turns between the askers. Not in a thread: there, the
 * typesetter could not be stopped, the memory that it keeps would stay in use, and a crash would take the server down.
 */
export class Press {
  readonly #fonts: string | undefined
  readonly #mostProcessorMs: number
  readonly #orders: Order[] = []
  #current: Order | undefined
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #last = 0
  /** The last turn of each asker, as the number of the print. */
  readonly #turns = new Map<string, number>()
  #isClosed = false

  /** `fonts`: a folder with more fonts, for scripts and emoji that the bundled fonts lack. */
  constructor(fonts: string | undefined, most = mostProcessorMs) {
    this.#fonts = fonts
    this.#mostProcessorMs = most
  }

  /** Calls `begin` of the asker when its turn has come. */
  print(sheets: Sheets, asker: Asker = anybody): Promise<Uint8Array> {
    if (this.#isClosed) throw stopping()
    asker.signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const order = { sheets, asker, resolve, reject }
      this.#orders.push(order)
      asker.signal.addEventListener('abort', () => this.#forget(order), { once: true })
      this.#next()
    })
  }

  close(): void {
    this.#isClosed = true
    const waiting = this.#orders.splice(0)
    for (const { reject } of waiting) reject(stopping())
    this.#stop(stopping())
  }

  #next(): void {
    if (this.#current) return
    this.#current = this.#takeOrder()
    clearTimeout(this.#timer)
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#stop(), idleMs).unref()
      return
    }
    this.#current.asker.begin()
    const child = (this.#child ??= this.#start())
    this.#watch(child)
    this.#handOver(child, this.#current.sheets).catch((error: Error) => this.#end(child, error))
  }

  /** Takes the first order of the asker who has had no turn for longest. */
  #takeOrder(): Order | undefined {
    if (this.#orders.length === 0) this.#turns.clear()
    const lastTurn = ({ asker }: Order) => this.#turns.get(asker.who) ?? 0
    const [order] = this.#orders.toSorted((a, b) => lastTurn(a) - lastTurn(b))
    if (!order) return undefined
    this.#orders.splice(this.#orders.indexOf(order), 1)
    this.#turns.set(order.asker.who, this.#last + 1)
    return order
  }

  /** An order whose turn has come is printed anyway. */
  #forget(order: Order): void {
    const at = this.#orders.indexOf(order)
    if (at === -1) return
    this.#orders.splice(at, 1)
    order.reject(order.asker.signal.reason as Error)
  }

  #watch(child: ChildProcess): void {
    const from = { time: performance.now(), processor: processorMs(child.pid) }
    const look = () => {
      const took = performance.now() - from.time
      const worked = (processorMs(child.pid) ?? Number.NaN) - (from.processor ?? Number.NaN)
      const isLate = Number.isNaN(worked) ? took > longestMs.unknown : worked > this.#mostProcessorMs
      if (isLate || took > longestMs.atAll) this.#stop(new PressFailure('It takes too long'))
    }
    this.#timer = setInterval(look, lookMs)
  }

  async #handOver(child: ChildProcess, { data, pictures }: Sheets): Promise<void> {
    const print = ++this.#last
    for (const piece of data) await give(child, { data: piece })
    for (const picture of pictures) await give(child, { picture })
    await give(child, { print, fonts: this.#fonts })
  }

  #start(): ChildProcess {
    const child = startApart(new URL('press.process.ts', import.meta.url), { env: oneCore })
    // Requests for pages come first. Where the priority cannot be set, they share the processor with the press.
    try {
      setPriority(child.pid!, lowerPriority)
    } catch {
      // Nothing depends on the priority.
    }
    child.on('message', (message) => this.#take(child, message as FromPress))
    child.on('error', (error) => this.#end(child, error))
    child.on('exit', () => this.#end(child, new PressFailure('The press has ended')))
    // The request that waits for a book keeps the server process alive, not the press.
    child.unref()
    child.channel?.unref()
    return child
  }

  #take(child: ChildProcess, message: FromPress): void {
    const order = this.#current
    if (child !== this.#child || !order || message.id !== this.#last) return
    this.#current = undefined
    if (message.memory > mostMemory) this.#stop()
    if ('pdf' in message) order.resolve(message.pdf)
    else order.reject(new PressFailure(message.failure))
    this.#next()
  }

  #stop(error?: Error): void {
    const child = this.#child
    if (child) this.#end(child, error ?? new PressFailure('The press has ended'))
    child?.kill('SIGKILL')
  }

  #end(child: ChildProcess, error: Error): void {
    if (this.#child !== child) return
    this.#child = undefined
    clearTimeout(this.#timer)
    const order = this.#current
    this.#current = undefined
    order?.reject(error)
    this.#next()
  }
}

/** Not a `PressFailure`: that would make the caller try to print the book in another way. */
const stopping = () => new ApiError('unavailable', 'The server is stopping. Try again in a moment.')

function give(child: ChildProcess, message: ToPress): Promise<void> {
  return new Promise((resolve, reject) => {
    child.send(message, (error) => (error ? reject(error) : resolve()))
  })
}
