import { sweepFiles } from '../files/sweep.task.ts'
import { purge } from './purge.task.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'
import type { Task } from './task.ts'

/** Every task there is, by hand: what can run is visible without running anything. */
export const allTasks: Task[] = [purge, purgeSpaces, sweepFiles]
