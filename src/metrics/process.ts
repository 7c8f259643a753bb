import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Figure, counter, gauge } from './figures.ts'

/** Sampling interval in milliseconds. The measured delays include it. */
const resolution = 20

/** Resource usage of this process, with the metric names that dashboards for Node expect. */
export class ProcessFigures {
  readonly #delay = monitorEventLoopDelay({ resolution })

  constructor() {
    this.#delay.enable()
  }

  /** The delays cover the time since the last call. */
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

/** Nanoseconds to seconds, without the sampling interval. Before the first measurement, the value is not a number. */
const seconds = (measured: number): number =>
  Number.isFinite(measured) ? Math.max(0, measured / 1e6 - resolution) / 1000 : 0
