import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../db/connect.ts'
import { allTasks } from './all-tasks.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { TaskContext } from './task.ts'

const restartMs = 1_000
const concurrency = 2

export interface Worker {
  stop(): Promise<void>
}

/** Runs jobs in the server process. Stops when the database connection is lost, and starts again when it is back. */
export function startWorker(connection: Connection, context: TaskContext): Worker {
  const stopping = new AbortController()
  const running = keepRunning(connection, context, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function keepRunning(connection: Connection, context: TaskContext, stopping: AbortSignal): Promise<void> {
  // Logged once, not every second while the database is unavailable.
  let isTold = false
  while (!stopping.aborted) {
    try {
      await runUntilItEnds(connection, context, stopping, () => (isTold = false))
    } catch (error) {
      if (!isTold) context.log.warn({ err: error }, 'the job worker stopped and starts again')
      isTold = true
    }
    await sleep(restartMs, undefined, { signal: stopping }).catch(() => {})
  }
}

async function runUntilItEnds(
  connection: Connection,
  context: TaskContext,
  stopping: AbortSignal,
  onStarted: () => void,
): Promise<void> {
  // Loaded lazily: no request handler needs it, and it is not small.
  const { Logger, run } = await import('graphile-worker')
  const pgPool = new pg.Pool({ ...connection, application_name: 'lectern jobs', max: concurrency + 1 })
  // Broken connections are replaced. Without these listeners they would end the process.
  pgPool.on('error', () => {})
  pgPool.on('connect', (client) => client.on('error', () => {}))
  try {
    const runner = await run({
      pgPool,
      concurrency,
      noHandleSignals: true,
      pollInterval: 10_000,
      // Without batches, nothing handles the error of a connection that breaks while the end of a job is recorded, and
      // that would end the process. With them, the worker stops, and is started again here.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new Logger(() => (level, message) => {
        if (level === 'error' || level === 'warning') context.log.warn({ jobs: message }, 'job worker')
      }),
      taskList: Object.fromEntries(
        allTasks.map((task) => [task.name, oneAtATime(() => task.run({ ...context, stopping }), stopping)]),
      ),
      crontab: allTasks.flatMap(({ name, schedule }) => (schedule ? [`${schedule} ${name} ?max=3`] : [])).join('\n'),
    })
    onStarted()
    const stop = () => void runner.stop().catch(() => {})
    stopping.addEventListener('abort', stop, { once: true })
    if (stopping.aborted) stop()
    await runner.promise.finally(() => stopping.removeEventListener('abort', stop))
  } finally {
    await pgPool.end()
  }
}
