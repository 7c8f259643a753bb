import type { Static } from 'typebox'
import type { GitFollowingRow, GitOperationRow } from '../../db/tables.ts'
import { type Person, presentUser } from '../../users/present.ts'
import { presentOperation } from '../present.ts'
import type { GitSync } from '../queries.ts'
import { isWaiting } from './next-step.ts'
import type { GitFollowing } from './schema.ts'

type Shown = Static<typeof GitFollowing>

/** The sync as it was set up: looks do not change this. */
export function presentFollowingState(row: GitFollowingRow): Omit<Shown, 'state'> {
  const { tree_url, commit_url, provider } = row.info
  return {
    url: row.url,
    hasCredentials: row.credentials !== null,
    ref: row.ref,
    ...(row.project_directory !== '' && { repoProjectDirectory: row.project_directory }),
    ...(tree_url && { repoTreeURL: tree_url }),
    ...(commit_url && { repoCommitURL: commit_url }),
    ...(provider && { gitInfo: { provider } }),
    direction: row.direction,
    ...(row.message !== null && { commitMessage: row.message }),
    setUpAt: row.asked_at.toISOString(),
  }
}

export interface FollowingParts {
  row: GitFollowingRow
  sync: GitSync | undefined
  /** The last operation of the space. */
  operation: GitOperationRow | undefined
  /** The person who set it up. */
  by: Person | undefined
}

export function presentFollowing({ row, sync, operation, by }: FollowingParts, url: string): Shown {
  const waiting = sync && isWaiting(sync) ? sync : undefined
  return {
    ...presentFollowingState(row),
    ...(by && { setUpBy: presentUser(by, url) }),
    state: stateOf(row, waiting !== undefined),
    ...(row.looked_at !== null && { lastLookAt: row.looked_at.toISOString() }),
    ...(row.next_look_at !== null && { nextLookAt: row.next_look_at.toISOString() }),
    ...(row.branch_oid !== null && { commit: row.branch_oid }),
    ...(waiting &&
      waiting.change_request_id !== null &&
      waiting.request_number !== null && {
        changeRequest: { id: waiting.change_request_id, number: waiting.request_number },
      }),
    ...(row.problem !== null && {
      problem: { message: row.problem, since: row.failing_since!.toISOString(), times: row.failures },
    }),
    ...(operation && { operation: presentOperation(operation) }),
  }
}

function stateOf({ next_look_at, problem }: GitFollowingRow, isWaitingNow: boolean): Shown['state'] {
  if (next_look_at === null) return 'stopped'
  if (problem !== null) return 'failing'
  return isWaitingNow ? 'waiting' : 'following'
}
