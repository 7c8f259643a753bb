import { readEmbeds } from '../embeds/read-embeds.task.ts'
import { sweepFiles } from '../files/sweep.task.ts'
import { runGitOperations } from '../git/run-operations.task.ts'
import { importRuns } from '../imports/runs/import-runs.task.ts'
import { clearInsights } from '../insights/clear.task.ts'
import { followSpaces } from '../links/follow-spaces.task.ts'
import { indexSpaces } from '../links/index-spaces.task.ts'
import { indexGeneratedPages } from '../openapi/finding/index-generated.task.ts'
import { readSpecs } from '../openapi/read-specs.task.ts'
import { tellWatchers } from '../mail/tell-watchers.task.ts'
import { sweepPdfs } from '../pdf/sweep.task.ts'
import { purge } from './purge.task.ts'
import { indexSearch } from '../search/indexing/index-search.task.ts'
import { sweepWords } from '../search/words/sweep-words.task.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'
import { purgeDeliveries } from '../webhooks/purge.task.ts'
import type { Task } from './task.ts'

/** All tasks, listed by hand: this shows what can run without running anything. */
export const allTasks: Task[] = [
  purge,
  purgeSpaces,
  purgeDeliveries,
  clearInsights,
  sweepFiles,
  sweepPdfs,
  indexSpaces,
  followSpaces,
  indexSearch,
  sweepWords,
  readSpecs,
  readEmbeds,
  indexGeneratedPages,
  importRuns,
  runGitOperations,
  tellWatchers,
]
