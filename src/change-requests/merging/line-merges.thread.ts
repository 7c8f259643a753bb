// The thread that merges long bodies by line.
import { type LineMerge, mergeLines } from '../../content/merge/lines.ts'
import type { Three } from '../../content/merge/lookups.ts'
import { answerQuestions } from '../../thread.ts'

answerQuestions<Three<string>, LineMerge>(({ base, ours, theirs }) => mergeLines(base, ours, theirs))
