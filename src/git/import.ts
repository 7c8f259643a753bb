import { recordChange } from '../changes/record.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { type Author, type Transaction, transaction } from '../db/transaction.ts'
import { keepingDerived } from '../derived/derive.ts'
import { failpoint } from '../failpoints.ts'
import { discard, keepBlobs } from '../files/blobs.ts'
import { findUnseenSpec } from '../openapi/unseen.ts'
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
import { type Commit, GitFailure, type OpenRepository, isText } from './repository.ts'
import { isBlank, rowsBetween, saySame } from './state.ts'
import {
  type Content,
  type Written,
  bothAt,
  commitToMain,
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
  /** Where it comes from, for people; nothing for a folder. */
  remote?: RemoteInfo
  /** What the repository is called. */
  name?: string
  /** Into main, whatever main has of its own. */
  force: boolean
  /** Never into main: as a change request. */
  standalone: boolean
  /** Whether the rules for merges let whoever asks write to main. */
  mayWriteMain: (plan: ImportPlan) => boolean
  /** Told where the work is, for whoever watches. */
  say?: (where: string) => void
}

/** What an import did. */
export interface Imported {
  /** The revision of main that holds it: a new one, or the one there was where nothing had changed. */
  revision?: string
  /** Or the change request that brings it. */
  changeRequest?: { id: string; number: number }
  pages: number
  files: number
  reusableContents: number
  /** How many entries were made, changed or removed. */
  changes: number
  problems: Problem[]
}

/**
 * Brings a repository into a space, all of it or nothing, as one revision. Into main where main has nothing of its own
 * since the repository was last read or written; else as a change request. If somebody writes to the space meanwhile,
 * it is worked out again.
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
        if (!(error instanceof LineMoved) || attempt === tries) throw error
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
  await requireSpecsSeen(db, plan, author)
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

/** A repository may name what a guest who brings it may not see, and would read here. */
async function requireSpecsSeen(db: Database, { main, head, entries, bodies }: ImportPlan, { actorId }: Author) {
  if (actorId === null) return
  const texts = [...usedBy(rowsBetween(head, entries), bodies).values()]
  const unseen = await findUnseenSpec(db, main, actorId, { texts })
  if (unseen !== undefined)
    throw new GitFailure(
      `The repository shows the specification “${unseen}”. Guests can only use those that the space already shows.`,
    )
}

type Writing = ImportOptions & { commit: Commit | undefined }

/** Writes what was worked out, if all that it was worked out from still holds. */
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

/** Main has nothing of its own where it says what the repository said, or where nobody has written anything yet. */
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
