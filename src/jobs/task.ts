import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Secrets } from '../secrets.ts'
import type { BlobStore } from '../storage/store.ts'

/** The dependencies that a task can use. */
export interface TaskContext {
  db: Database
  config: Config
  store: BlobStore
  /** Needed for sealed values. Tasks that use none can run without. */
  secrets?: Secrets
  log: FastifyBaseLogger
  /** Aborted when the process is to end. Long tasks stop then, and are started again elsewhere. */
  stopping?: AbortSignal
}

/** Background work. It may run twice, on two nodes or after a crash: the second run must find the work done. */
export interface Task {
  name: string
  /** When the task runs automatically, in crontab syntax. */
  schedule?: string
  run(context: TaskContext): Promise<void>
}
