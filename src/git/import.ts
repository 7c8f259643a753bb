import { recordChange } from '../changes/record.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { type Author, type Transaction, transaction } from '../db/transaction.ts'
import { keepingDerived } from '../derived/derive.ts'
import { failpoint } from '../failpoints.ts'
import { discard, keepBlobs } from '../files/blobs.ts'
import { LineMoved } from '../revisions/lines.ts'
import { type Entry, type Kind, file, page, reusable } from '../revisions/entries.ts'
import { keepFormerPaths } from '../sites/former-paths.ts'
import { about } from '../spaces/actions.ts'
import type { BlobStore } from '../storage/store.ts'
import { tellWhereFilesAre } from './actions.ts'
import type { Problem } from './layout/shape.ts'
import { type ImportPlan, type SyncedSpace, planImport } from './plan-import.ts'
import { proposeImport, putAside } from './propose.ts'
import {
  type GitSync,
  type RemoteInfo,
  listGitFiles,
  lockGitSync,
  replaceGitFiles,
  setUnkept,
  updateGitSync,
} from './queries.ts'
import { type ReceivedBytes, receiveBytes } from './receive.ts'
import { type Commit, type OpenRepository, isText } from './repository.ts'
import { requireSpecsSeen } from './specs-seen.ts'
import { isBlank, rowsBetween, saySame } from './state.ts'
import {
  type Content,
  type Written,
  bothAt,
  commitToMain,
  keepsChanging,
  maxWriteMs,
  presentCommit,
  tries,
  usedBy,
} from './writing.ts'

export interface SyncContext {
  db: Database
  config: Config
  store: BlobStore
}

export interface ImportOptions {
  /** Where the repository is, for display; undefined for a folder. */
  remote?: RemoteInfo
  /** The name of the repository. */
  name?: string
  /** Import into main even if main has edits of its own. */
  force: boolean
  /** Never import into main: always create a change request. */
  standalone: boolean
  /** Whether the merge rules let the caller write to main. */
  mayWriteMain: (plan: ImportPlan) => boolean
  /** Called with the current step, to show progress. */
  say?: (where: string) => void
}

/** The result of an import. */
export interface Imported {
  /** The revision of main that holds the import: a new one, or the current one if nothing has changed. */
  revision?: string
  /** The change request that brings the import, if it did not go into main. */
  changeRequest?: { id: string; number: number }
  pages: number
  files: number
  reusableContents: number
  /** How many entries were created, changed or removed. */
  changes: number
  problems: Problem[]
}

/**
 * Imports a repository into a space as one revision, completely or not at all. It goes into main if main has no edits
 * of its own since the repository was last read or written, otherwise into a change request. If somebody writes to the
 * space in the meantime, the import is planned again.
 */
export async function importRepository(
  context: SyncContext,
  space: SyncedSpace,
  repository: OpenRepository,
  options: ImportOptions,
  author: Author,
): Promise<Imported> {
  return keepingDerived(sizesOfTexts(repository), async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await importOnce(context, space, repository, options, author)
      } catch (error) {
        if (!(error instanceof LineMoved)) throw error
        if (attempt === tries) throw keepsChanging()
      }
    }
  })
}

function sizesOfTexts({ files }: OpenRepository): number[] {
  return [...files].filter(([path]) => isText(path)).map(([, { size }]) => size)
}

async function importOnce(
  { db, config, store }: SyncContext,
  space: SyncedSpace,
  repository: OpenRepository,
  options: ImportOptions,
  author: Author,
): Promise<Imported> {
  const { say = () => {} } = options
  say(`working out ${repository.files.size} files`)
  const plan = await planImport(db, space, repository)
  const rows = rowsBetween(plan.head, plan.entries)
  await requireSpecsSeen(db, plan.main, author.actorId, { rows, bodies: usedBy(rows, plan.bodies) })
  const kept = await listGitFiles(db, space.organizationId, space.spaceId)
  say(`taking in ${plan.toFetch.length + plan.others.length} attachments`)
  const received = await receiveBytes(config, repository, plan, kept)
  say(`writing ${plan.entries.length + received.files.length} pages and files`)
  try {
    await keepBlobs(db, store, space.organizationId, received.incoming)
    return await transaction(db, author, async (tx) => {
      await tx.allow(maxWriteMs)
      return writeImport(tx, plan, received, { ...options, commit: repository.commit })
    })
  } finally {
    await discard(received.incoming)
  }
}

type Writing = ImportOptions & { commit: Commit | undefined }

/** Writes the planned import, if everything that the plan was based on still holds. */
export async function writeImport(
  tx: Transaction,
  plan: ImportPlan,
  received: ReceivedBytes,
  options: Writing,
): Promise<Imported> {
  const { main } = plan
  const { organizationId, spaceId } = main
  const sync = await lockGitSync(tx, organizationId, spaceId)
  if (!isAsPlanned(plan.sync, sync)) throw new LineMoved('The repository was read or written in the meantime')
  tellWhereFilesAre(tx, sync, options.remote)
  failpoint('git.after-files')

  const entries = [...plan.entries, ...received.files]
  const commit = options.commit && presentCommit(options.commit, options.remote, false)
  const content = { entries, bodies: plan.bodies, commit }
  const outcome = goesToMain(plan, options)
    ? await writeToMain(tx, { ...plan, sync }, content)
    : await proposeImport(tx, { ...plan, sync }, { ...content, subject: subjectOf(options) })
  await keepFormerPaths(
    tx,
    { organizationId, spaceId },
    [...plan.redirects].map(([path, entry]) => ({ path, entry })),
  )
  await replaceGitFiles(tx, { organizationId, spaceId }, received.kept)
  await setUnkept(tx, sync, received.unkept)
  await updateGitSync(tx, {
    ...sync,
    ...outcome.pointers,
    ...options.remote,
  })
  const { revision } = outcome.made
  recordChange(tx, {
    ...about(organizationId, spaceId),
    action: 'space.git-imported',
    ...(revision !== undefined && outcome.changes > 0 && { details: { revision } }),
  })
  failpoint('git.before-commit')
  return {
    ...outcome.made,
    ...countsOf(entries),
    changes: outcome.changes,
    problems: [...plan.problems, ...received.problems],
  }
}

function isAsPlanned(planned: GitSync | undefined, now: GitSync): boolean {
  return planned ? planned.updated_at.getTime() === now.updated_at.getTime() : now.seen_line === null
}

/**
 * Main has no edits of its own if it has the content that the repository had, or if nobody has written anything yet.
 */
function goesToMain(plan: ImportPlan, { force, standalone, mayWriteMain }: ImportOptions): boolean {
  if (standalone || !mayWriteMain(plan)) return false
  const isPending = plan.sync?.change_request_id && plan.sync.request_status !== 'merged'
  const isClean = plan.merged ? saySame(plan.merged.entries, plan.head) && !isPending : isBlank(plan.head)
  return force || isClean
}

async function writeToMain(
  tx: Transaction,
  plan: ImportPlan & { sync: GitSync },
  { entries, bodies, commit }: Content,
): Promise<Written> {
  const { main } = plan
  await putAside(tx, plan.sync)
  const rows = rowsBetween(plan.head, entries)
  tx.leaveRights()
  const after =
    rows.length > 0 ? await commitToMain(tx, main, { rows, bodies: usedBy(rows, bodies), git: commit }) : main
  return {
    made: { revision: after.head.id },
    changes: rows.length,
    pointers: bothAt({ id: after.id, seq: after.head.seq }, commit?.oid ?? null),
  }
}

function subjectOf({ name, commit }: Writing): string {
  const subject = [...`Import ${name ?? 'from a folder'}${commit ? ` at ${commit.oid.slice(0, 7)}` : ''}`]
  return subject.length <= 100 ? subject.join('') : `${subject.slice(0, 99).join('')}…`
}

function countsOf(entries: readonly Entry[]) {
  const of = (kind: Kind) => entries.filter((entry) => entry.kind === kind).length
  return { pages: of(page), files: of(file), reusableContents: of(reusable) }
}
