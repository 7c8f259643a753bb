import type { GitFollowingRow } from '../../db/tables.ts'
import type { Line } from '../../revisions/lines.ts'
import { isSamePlace } from '../place.ts'
import type { GitSync } from '../queries.ts'
import { GitFailure } from '../repository.ts'

export interface BothSides {
  following: Pick<GitFollowingRow, 'url' | 'ref' | 'project_directory' | 'direction'>
  /** What has been read and written so far. */
  sync: GitSync | undefined
  /** The newest commit of the branch; undefined if the branch does not exist. */
  newest: string | undefined
  main: Line
}

/**
 * Returns what has to be done to bring both sides in sync. Imports come first, so that an export includes them. Once
 * everything is done, returns undefined: neither side takes for news what the other got from it.
 */
export function nextStep({ following, sync, newest, main }: BothSides): 'import' | 'export' | undefined {
  const { direction } = following
  const known = sync && isSamePlace(sync, following) ? sync : undefined
  if (newest === undefined && (known?.seen_oid || direction === 'import')) throw branchGone(following.ref)
  if (direction !== 'export' && newest !== undefined && newest !== known?.seen_oid) return 'import'
  if (direction === 'import' || (sync && isWaiting(sync))) return undefined
  const isWritten = known?.merged_line === main.id && known.merged_seq === main.head.seq
  return isWritten ? undefined : 'export'
}

function branchGone(ref: string): GitFailure {
  const branch = ref.replace('refs/heads/', '')
  return new GitFailure(
    `There is no branch ${branch} in the repository. Create it again, choose another one, or turn off syncing.`,
  )
}

/**
 * Whether what was read last is not part of the main content yet: it is in a change request, which waits for people.
 */
export function isWaiting(sync: GitSync): boolean {
  const { seen_line, seen_seq, merged_line, merged_seq, request_status } = sync
  return seen_line !== null && request_status !== 'merged' && (seen_line !== merged_line || seen_seq !== merged_seq)
}
