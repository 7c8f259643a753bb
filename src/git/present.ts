import type { Static } from 'typebox'
import type { GitOperationRow, GitSyncRow } from '../db/tables.ts'
import { repositoryName } from './remote/address.ts'
import type { GitSync, GitSyncOfSpace } from './schema.ts'

/** What is shown about a repository on its space, in addition to the columns of the space. */
export interface ShownGitSync {
  git_url: string | null
  git_tree_url: string | null
  git_provider: GitSyncRow['provider']
  git_updated_at: Date | null
}

/** Undefined if the content was read from a folder: then there is nothing to show. */
export function presentGitSyncOfSpace(row: ShownGitSync): Static<typeof GitSyncOfSpace> | undefined {
  const { git_url, git_tree_url, git_provider, git_updated_at } = row
  if (git_url === null || git_updated_at === null) return undefined
  return {
    installationStatus: 'active',
    ...(git_provider !== null && { installationProvider: git_provider }),
    repoName: repositoryName(git_url),
    url: git_tree_url ?? git_url,
    updatedAt: git_updated_at.toISOString(),
  }
}

/** If the repository was never read or written, only what was requested is shown. */
export function presentGitSync(
  row: GitSyncRow | undefined,
  operation: GitOperationRow | undefined,
): Static<typeof GitSync> | undefined {
  const known = row && presentGitSyncOfSpace(asShown(row))
  if (!known && !operation) return undefined
  const asked = operation && { repoName: repositoryName(operation.url), url: operation.url, ref: operation.ref }
  return {
    ...(known ?? { installationStatus: 'active', ...asked }),
    ...(known && row?.ref && { ref: row.ref }),
    ...(known && row?.seen_oid && { commit: row.seen_oid }),
    ...(operation && { operation: presentOperation(operation) }),
  }
}

const asShown = ({ url, tree_url, provider, updated_at }: GitSyncRow): ShownGitSync => ({
  git_url: url,
  git_tree_url: tree_url,
  git_provider: provider,
  git_updated_at: updated_at,
})

export type Operation = NonNullable<Static<typeof GitSync>['operation']>

export function presentOperation(row: GitOperationRow): Operation {
  const isOpen = row.state === 'waiting' || row.state === 'running'
  return {
    id: row.id,
    direction: row.direction,
    state: isOpen ? 'running' : (row.state as Operation['state']),
    ...(isOpen && { phase: (row.state === 'waiting' ? 'waiting' : (row.phase ?? 'fetching')) as Operation['phase'] }),
    startedAt: (row.started_at ?? row.asked_at).toISOString(),
    ...(row.ended_at !== null && { endedAt: row.ended_at.toISOString() }),
    ...(row.error !== null && { error: row.error }),
    ...(row.result !== null && { result: row.result }),
  }
}
