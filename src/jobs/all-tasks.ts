import { purge } from './purge.task.ts'
import type { Task } from './task.ts'

/** Every task there is, by hand: what can run is visible without running anything. */
export const allTasks: Task[] = [purge]
