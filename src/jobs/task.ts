import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { BlobStore } from '../storage/store.ts'

/** What a task can reach. */
export interface TaskContext {
  db: Database
  config: Config
  store: BlobStore
  log: FastifyBaseLogger
}

/** Work that nobody waits for. It may run twice, on two nodes or after a crash: the second run finds the work done. */
export interface Task {
  name: string
  /** When it runs by itself, as a crontab line says it. */
  schedule?: string
  run(context: TaskContext): Promise<void>
}
