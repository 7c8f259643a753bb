import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { processorMs, startApart } from '../apart.ts'
import { ApiError } from '../http/errors.ts'
import type { Place } from './places.ts'

/** What the press prints from: the data of a book, and the pictures that it names. */
export interface Sheets {
  /** JSON in pieces. */
  data: Uint8Array[]
  pictures: Picture[]
}

export interface Picture {
  name: string
  bytes: Uint8Array
}

/** Sheets are handed over bit by bit: to put a whole book into one message would hold up everybody else. */
export type ToPress = { data: Uint8Array } | { picture: Picture } | { print: number; fonts: string | undefined }
export type FromPress = { id: number; memory: number } & ({ pdf: Uint8Array } | { failure: string })

/** It takes a moment to start and 100 MB: it stays for a while, and is not there for those who never print. */
const idleMs = 15_000
/** Of the processor: on a busy machine the press gets little of it, and large books are not given up for that. */
const mostProcessorMs = 120_000
/** In any case, and where nobody says how much of the processor it had, the first of these. */
const longestMs = { unknown: 120_000, atAll: 1_200_000 }
const lookMs = 1000
/** What it does not give back: above this, the next book gets a new one. */
const mostMemory = 512 * 1024 ** 2
/** Of the processor, a tenth of what others get who want it at the same moment. */
const lowerPriority = 10
/** The typesetter would take all there are, and is hardly faster for it: 6.2 s instead of 5.9 s for 500 pages on two. */
const oneCore = { RAYON_NUM_THREADS: '1' }

/** What was handed over cannot be printed. */
export class PressFailure extends Error {}

/** For whom something is printed, and until when they want it. */
type Asker = Pick<Place, 'who' | 'signal' | 'begin'>

const anybody: Asker = { who: '', signal: new AbortController().signal, begin: () => {} }

interface Order {
  sheets: Sheets
  asker: Asker
  resolve: (pdf: Uint8Array) => void
  reject: (error: Error) => void
}

/**
 * Prints one book after the other, in a process of its own: in turn for those who asked for them. Not in a thread: what the typesetter does there cannot be
 * stopped, what it keeps in memory stays, and if it fell over it would take the server along.
 */
export class Press {
  readonly #fonts: string | undefined
  readonly #mostProcessorMs: number
  readonly #orders: Order[] = []
  #current: Order | undefined
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #last = 0
  /** When each of those who wait had their last turn. */
  readonly #turns = new Map<string, number>()
  #isClosed = false

  /** `fonts`: a folder with more of them, for scripts and emoji that those which come along lack. */
  constructor(fonts: string | undefined, most = mostProcessorMs) {
    this.#fonts = fonts
    this.#mostProcessorMs = most
  }

  /** `begin` of whoever asks is called when its turn has come. */
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

  /** The first of whoever had no turn for longest. */
  #takeOrder(): Order | undefined {
    if (this.#orders.length === 0) this.#turns.clear()
    const lastTurn = ({ asker }: Order) => this.#turns.get(asker.who) ?? 0
    const [order] = this.#orders.toSorted((a, b) => lastTurn(a) - lastTurn(b))
    if (!order) return undefined
    this.#orders.splice(this.#orders.indexOf(order), 1)
    this.#turns.set(order.asker.who, this.#last + 1)
    return order
  }

  /** One whose turn has come is printed all the same. */
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
    // Whoever waits for a page comes first; where that cannot be said, they share.
    try {
      setPriority(child.pid!, lowerPriority)
    } catch {
      // Nothing depends on it.
    }
    child.on('message', (message) => this.#take(child, message as FromPress))
    child.on('error', (error) => this.#end(child, error))
    child.on('exit', () => this.#end(child, new PressFailure('The press has ended')))
    // Whoever waits for a book keeps the process alive, not the press.
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

/** Not a failure of the press: that would have it printed in another way. */
const stopping = () => new ApiError('unavailable', 'The server is stopping. Try again in a moment.')

function give(child: ChildProcess, message: ToPress): Promise<void> {
  return new Promise((resolve, reject) => {
    child.send(message, (error) => (error ? reject(error) : resolve()))
  })
}
