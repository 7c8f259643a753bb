import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Figure, counter, gauge } from './figures.ts'

/** Milliseconds between two looks. What is measured is the time from one to the next. */
const resolution = 20

/** What this process takes of the machine, with the names that dashboards for Node know. */
export class ProcessFigures {
  readonly #delay = monitorEventLoopDelay({ resolution })

  constructor() {
    this.#delay.enable()
  }

  /** The delays are those since the last time. */
  figures(): Figure[] {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const late = { p50: this.#delay.percentile(50), p99: this.#delay.percentile(99) }
    this.#delay.reset()
    return [
      counter('process_cpu_seconds_total', 'CPU time in seconds.', [{ value: (user + system) / 1e6 }]),
      gauge('process_start_time_seconds', 'Start time.', Date.now() / 1000 - process.uptime()),
      gauge('process_resident_memory_bytes', 'Memory.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Heap memory in use.', heapUsed),
      gauge('nodejs_eventloop_lag_p50_seconds', 'Event loop delay, median.', seconds(late.p50)),
      gauge('nodejs_eventloop_lag_p99_seconds', 'Event loop delay, 99th percentile.', seconds(late.p99)),
    ]
  }

  close(): void {
    this.#delay.disable()
  }
}

/** Where nothing was measured yet, it is no number. */
const seconds = (measured: number): number =>
  Number.isFinite(measured) ? Math.max(0, measured / 1e6 - resolution) / 1000 : 0
