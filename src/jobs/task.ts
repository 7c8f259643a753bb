import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Secrets } from '../secrets.ts'
import type { BlobStore } from '../storage/store.ts'

/** What a task can reach. */
export interface TaskContext {
  db: Database
  config: Config
  store: BlobStore
  /** For what is kept sealed. Tasks that need none are run without. */
  secrets?: Secrets
  log: FastifyBaseLogger
  /** Fires when the process is to end: what takes long gives up then, and is begun anew elsewhere. */
  stopping?: AbortSignal
}

/** Work that nobody waits for. It may run twice, on two nodes or after a crash: the second run finds the work done. */
export interface Task {
  name: string
  /** When it runs by itself, as a crontab line says it. */
  schedule?: string
  run(context: TaskContext): Promise<void>
}
