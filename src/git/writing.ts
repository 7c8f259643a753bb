import { recordChange } from '../changes/record.ts'
import type { GitSyncRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { followWritten } from '../derived/follow.ts'
import { stillThere } from '../editing/queries.ts'
import type { Entry, Row } from '../revisions/entries.ts'
import { type Bodies, type Line, sendCommit } from '../revisions/lines.ts'
import { shortened } from '../shortened.ts'
import { about } from '../spaces/actions.ts'
import type { RemoteInfo } from './queries.ts'
import { type Commit, GitFailure } from './repository.ts'

/** How often an import or an export starts over if something changes in the meantime, and how long it may write. */
export const tries = 4
export const maxWriteMs = 300_000

export const keepsChanging = () => new GitFailure('The space or the repository keeps changing. Try again later.')

/** What an import writes. */
export interface Content {
  entries: readonly Entry[]
  bodies: Bodies
  commit: NotedCommit | undefined
}

export interface Written {
  /** The revision of main, or the change request, that holds the import. */
  made: { revision?: string; changeRequest?: { id: string; number: number } }
  changes: number
  pointers: Partial<GitSyncRow>
}

/** The pointers for when main and the repository have the same content, and nothing waits. */
export function bothAt({ id, seq }: { id: string; seq: number }, oid: string | null): Partial<GitSyncRow> {
  return {
    merged_line: id,
    merged_seq: seq,
    merged_oid: oid,
    seen_line: id,
    seen_seq: seq,
    seen_oid: oid,
    change_request_id: null,
    change_request_head: null,
  }
}

/** Commits one revision to main, and updates everything that follows from it. */
export async function commitToMain(
  tx: Transaction,
  main: Line,
  { rows, bodies, git }: { rows: Row[]; bodies: Bodies; git: unknown },
): Promise<Line> {
  const { organizationId, spaceId } = main
  const write = { type: 'edits' as const, parents: [main.head.id], rows, bodies, git }
  const { line: after, written } = sendCommit(tx, main, write, stillThere(organizationId, spaceId))
  await followWritten(tx, written, { before: main, after, rows, bodies })
  const details = { revision: after.head.id }
  recordChange(tx, { ...about(organizationId, spaceId), action: 'space.content-updated', details })
  return after
}

/** Returns those of the bodies that the rows refer to. */
export function usedBy(rows: readonly Row[], bodies: Bodies): Bodies {
  const docs = new Set(rows.map(({ doc }) => doc))
  return new Map([...bodies].filter(([hash]) => docs.has(hash)))
}

/** What a revision records about the commit that it came from, or went to. */
export interface NotedCommit extends Commit {
  createdByService: boolean
  url?: string
  ref?: string
}

export function presentCommit(
  { oid, message }: Commit,
  remote: RemoteInfo | undefined,
  createdByService: boolean,
): NotedCommit {
  const { commit_url: prefix, url = null, ref = null } = remote ?? {}
  const address = prefix ? `${prefix.replace(/\/+$/, '')}/${oid}` : url
  return {
    oid,
    message: shortened(message, 2_000),
    createdByService,
    ...(address !== null && { url: address }),
    ...(ref !== null && { ref }),
  }
}
