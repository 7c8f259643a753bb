import { recordChange } from '../changes/record.ts'
import type { GitSyncRow } from '../db/tables.ts'
import { type Author, type Transaction, transaction } from '../db/transaction.ts'
import { followWritten } from '../derived/follow.ts'
import { stillThere } from '../editing/queries.ts'
import { type Incoming, discard, keepBlobs, receiveBlob } from '../files/blobs.ts'
import { reusable } from '../revisions/entries.ts'
import { type Line, LineMoved, sendCommit } from '../revisions/lines.ts'
import { about } from '../spaces/actions.ts'
import { tellWhereFilesAre } from './actions.ts'
import { nameOf } from './layout/paths.ts'
import type { SyncContext } from './import.ts'
import { type ExportPlan, planExport } from './plan-export.ts'
import type { SyncedSpace } from './plan-import.ts'
import { isSamePlace } from './place.ts'
import {
  type GitSync,
  type RemoteInfo,
  forgetPush,
  lockGitSync,
  notePush,
  replaceGitFiles,
  setUnkept,
  updateGitSync,
} from './queries.ts'
import { type Commit, GitFailure } from './repository.ts'
import { bothAt, keepsChanging, maxWriteMs, presentCommit, tries } from './writing.ts'

/** The result of an export. */
export interface Exported {
  revision: string
  /** The commit that holds it; nothing for a folder. */
  commit?: string
  files: number
  /** How many files were written, and how many removed. */
  written: number
  removed: number
}

/** The place that a space is written to. */
export interface ExportTarget {
  /** Prepares everything that is to be written, so that writing it can hardly fail. Nothing is visible yet. */
  prepare(plan: ExportPlan): Promise<PreparedExport>
  remote?: RemoteInfo
}

/** The other side reported that it refused the push. After any other failure the outcome is unknown. */
export class NotPushed extends GitFailure {}

export interface PreparedExport {
  commit: Commit | undefined
  /** Makes the export visible. Undefined if somebody else was faster: then the export starts over. */
  finish(): Promise<{ written: number; removed: number } | undefined>
}

/**
 * Writes a space into its repository. First, main records the files of its pages; then the repository is written. So
 * anything edited after that counts as an edit since the export. If either side changes in the meantime, the export
 * starts over.
 */
export async function exportSpace(
  context: SyncContext,
  space: SyncedSpace,
  target: ExportTarget,
  { force, author, say = () => {} }: { force: boolean; author: Author; say?: (where: string) => void },
): Promise<Exported> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    say('working out the files')
    const plan = await planExport(context.db, context.store, space)
    if (!force) refuseWaiting(plan)
    say(`writing ${plan.files.length} files`)
    const prepared = await target.prepare(plan)
    const line = await noteFiles(context, plan, prepared.commit, target, author)
    if (line) await noteOnItsWay(context, line, prepared.commit, target)
    const done = line && (await finish(context, line, prepared))
    if (!done) continue
    await noteSynced(context, plan, { line, commit: prepared.commit, target, author })
    const commit = prepared.commit?.oid
    return { revision: line.head.id, ...(commit !== undefined && { commit }), files: plan.files.length, ...done }
  }
  throw keepsChanging()
}

/** Refuses the export if changes that were read from the repository are not in main yet: it would revert them there. */
function refuseWaiting({ sync, merged, seen }: ExportPlan): void {
  if (!seen || (merged && merged.at.lineId === seen.at.lineId && merged.at.seq === seen.at.seq)) return
  const where = sync?.request_number == null ? '' : ` They are in change request #${sync.request_number}.`
  throw new GitFailure(`The repository has changes that are not in the main content yet.${where} Merge them first.`)
}

/** Undefined if somebody has written to main in the meantime. */
async function noteFiles(
  { db }: SyncContext,
  { main, rows }: ExportPlan,
  commit: Commit | undefined,
  { remote }: ExportTarget,
  author: Author,
): Promise<Line | undefined> {
  if (rows.length === 0) return main
  const { organizationId, spaceId } = main
  const git = commit && presentCommit(commit, remote, true)
  try {
    return await transaction(db, author, async (tx) => {
      await tx.allow(maxWriteMs)
      tx.leaveRights()
      const write = { type: 'edits' as const, parents: [main.head.id], rows, bodies: new Map<string, string>(), git }
      const { line: after, written } = sendCommit(tx, main, write, stillThere(organizationId, spaceId))
      // Nothing derived from a page depends on its file. Reusable contents are found by their file.
      const contents = rows.filter(({ kind }) => kind === reusable)
      await followWritten(tx, written, { before: main, after, rows: contents, bodies: new Map() })
      recordChange(tx, { ...about(organizationId, spaceId), action: 'space.git-noted' })
      return after
    })
  } catch (error) {
    if (error instanceof LineMoved) return undefined
    throw error
  }
}

/** Recorded before the push: its answer may get lost, or the process may die before it can store the result. */
async function noteOnItsWay({ db }: SyncContext, line: Line, commit: Commit | undefined, { remote }: ExportTarget) {
  if (!commit || !remote) return
  const { id, organizationId, spaceId, head } = line
  const { project_directory } = remote
  await notePush(db, organizationId, spaceId, { oid: commit.oid, line: id, seq: head.seq, project_directory })
}

async function finish({ db }: SyncContext, line: Line, prepared: PreparedExport) {
  try {
    return await prepared.finish()
  } catch (error) {
    if (error instanceof NotPushed) await forgetPush(db, line.organizationId, line.spaceId)
    throw error
  }
}

/** Records that a commit that was on its way is in the branch: at that point both sides had the same content. */
export async function noteArrived(
  { db }: SyncContext,
  { organizationId, spaceId }: SyncedSpace,
  { oid, remote, author }: { oid: string; remote: RemoteInfo; author: Author },
): Promise<void> {
  await transaction(db, author, async (tx) => {
    tx.leaveRights()
    const sync = await lockGitSync(tx, organizationId, spaceId)
    const { pushed } = sync
    if (pushed?.oid !== oid || pushed.project_directory !== remote.project_directory) return
    await noteBoth(tx, sync, remote, bothAt({ id: pushed.line, seq: pushed.seq }, pushed.oid))
  })
}

async function noteBoth(tx: Transaction, sync: GitSync, remote: RemoteInfo | undefined, both: Partial<GitSyncRow>) {
  tellWhereFilesAre(tx, sync, remote)
  // These are names of files in another repository.
  if (remote && !isSamePlace(sync, remote)) await setUnkept(tx, sync, [])
  await updateGitSync(tx, { ...sync, ...remote, ...both })
  recordChange(tx, { ...about(sync.organization_id, sync.space_id), action: 'space.git-exported' })
}

interface Done {
  line: Line
  commit: Commit | undefined
  target: ExportTarget
  author: Author
}

/** Records that the repository has the content of this revision. */
async function noteSynced(context: SyncContext, plan: ExportPlan, { line, commit, target, author }: Done) {
  const incoming = new Map<string, Incoming>()
  try {
    for (const { path, text } of plan.newTexts) {
      const bytes = Buffer.from(text)
      const name = nameOf(path)
      incoming.set(path, await receiveBlob(context.config, [bytes], { name, maxBytes: bytes.length }))
    }
    await keepBlobs(context.db, context.store, plan.organizationId, incoming.values())
    await transaction(context.db, author, async (tx) => {
      await keepFiles(tx, plan, incoming)
      const sync = await lockGitSync(tx, plan.organizationId, plan.spaceId)
      await noteBoth(tx, sync, target.remote, bothAt({ id: line.id, seq: line.head.seq }, commit?.oid ?? null))
      tx.leaveRights()
    })
  } finally {
    await discard([...incoming.values()])
  }
}

async function keepFiles(tx: Transaction, plan: ExportPlan, incoming: ReadonlyMap<string, Incoming>): Promise<void> {
  const rows = plan.kept.map((row) => ({ ...row, blob: row.blob || incoming.get(row.path)!.blob.hash }))
  await replaceGitFiles(tx, plan, rows)
}
