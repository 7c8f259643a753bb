import type { FastifyBaseLogger } from 'fastify'
import { recordChange } from '../changes/record.ts'
import { type Database, DatabaseUnavailable } from '../db/connect.ts'
import type { GitOperationRow } from '../db/tables.ts'
import { type Author, nobody, transaction } from '../db/transaction.ts'
import { whileAlive } from '../jobs/while-alive.ts'
import type { Secrets } from '../secrets.ts'
import { about as aboutSpace } from '../spaces/actions.ts'
import { StoreUnavailable } from '../storage/store.ts'
import { findUser } from '../users/queries.ts'
import { requireAsker } from './askers.ts'
import { type ExportTarget, exportSpace, noteArrived } from './export.ts'
import { type SyncContext, importRepository } from './import.ts'
import { noteNotSucceeded, noteSucceeded } from './following/queries.ts'
import { claimLonger, endOperation, giveBack, setPhase, takeDueOperation } from './operations.queries.ts'
import { remoteAt } from './place.ts'
import { type Remote, repositoryName } from './remote/address.ts'
import { fetchFiles, isInHistory } from './remote/fetch.ts'
import { askNewest } from './remote/newest.ts'
import { remoteTarget } from './remote/push.ts'
import { openCommit } from './remote/read.ts'
import { Workplace } from './remote/workplace.ts'
import { type RemoteInfo, findGitSync } from './queries.ts'
import { GitFailure, repositoryLimits } from './repository.ts'
import { letsWriteMain } from './rules.ts'

export interface Processing extends SyncContext {
  secrets: Secrets
  /** The address of this installation. */
  url: string
  log: FastifyBaseLogger
  stopping?: AbortSignal | undefined
}

const mostAttempts = 3

/**
 * Performs the operations that are due, one after the other, until none is left. Several workers may do this at once,
 * here and on other nodes.
 */
export async function processDueOperations(processing: Processing, isEnough = () => false): Promise<number> {
  let count = 0
  while (!isEnough() && !processing.stopping?.aborted) {
    const due = await takeDueOperation(processing.db)
    if (!due) break
    await processOperation(processing, due)
    count += 1
  }
  return count
}

async function processOperation(processing: Processing, due: GitOperationRow): Promise<void> {
  const { db, log, stopping } = processing
  try {
    if (due.attempts > mostAttempts) throw new GitFailure('This was started several times and never finished.')
    const result = await whileAlive(
      () => claimLonger(db, due),
      () => perform(processing, due),
    )
    await end(db, due, { state: 'success', result })
  } catch (error) {
    if (stopping?.aborted) return giveBack(db, due)
    if (error instanceof DatabaseUnavailable) throw error
    const isKnown = error instanceof GitFailure
    if (!isKnown) log.error({ err: error, operationId: due.id }, 'an operation with a repository failed')
    await end(db, due, { state: isKnown ? error.state : 'failure', error: isKnown ? error.message : sayWhy(error) })
  }
}

const sayWhy = (error: unknown) =>
  error instanceof StoreUnavailable
    ? 'The file store is unavailable. Try again in a moment.'
    : 'Something went wrong on the server. Its log has the details.'

async function end(db: Database, due: GitOperationRow, outcome: Parameters<typeof endOperation>[2]): Promise<void> {
  await transaction(db, authorOf(due), async (tx) => {
    if (!(await endOperation(tx, due, outcome))) return
    const about = aboutSpace(due.organization_id, due.space_id)
    const { revision, commit } = (outcome.result ?? {}) as { revision?: string; commit?: string }
    const details = {
      direction: due.direction,
      ...(revision !== undefined && { revision }),
      ...(commit !== undefined && { commit }),
    }
    if (outcome.state === 'success') {
      recordChange(tx, { ...about, action: 'space.git-sync-completed', details })
      await noteSucceeded(tx, due)
    } else {
      recordChange(tx, { ...about, action: 'space.git-sync-failed', details })
      await noteNotSucceeded(tx, due, outcome.error ?? '')
    }
    tx.leaveRights()
  })
}

const authorOf = ({ asked_by }: GitOperationRow): Author => ({ ...nobody, actorId: asked_by })

async function perform(processing: Processing, due: GitOperationRow): Promise<object> {
  const { db, config, stopping } = processing
  const tell = (phase: string) => setPhase(db, due, phase)
  // Rights first: for somebody who has lost them, nothing is fetched, and nothing is written to the place that they
  // gave.
  await requireAsker(db, due)
  await tell('fetching')
  const place = await Workplace.open(config, remoteAt(processing.secrets, due), stopping)
  try {
    await settlePush(processing, due, place)
    return await (due.direction === 'import' ? performImport : performExport)(processing, due, place, tell)
  } finally {
    await place.close()
  }
}

/**
 * Settles an earlier push whose answer was lost, or whose process has died: what the branch has now shows whether it
 * arrived.
 */
async function settlePush(processing: Processing, due: GitOperationRow, place: Workplace): Promise<void> {
  const sync = await findGitSync(processing.db, due.organization_id, due.space_id)
  if (!sync?.pushed) return
  const { oid } = sync.pushed
  const newest = await askNewest(place)
  if (newest !== oid && !(newest !== undefined && (await isBelow(processing, place.remote, oid)))) return
  await noteArrived(processing, spaceOf(processing, due), { oid, remote: infoOf(due), author: authorOf(due) })
}

/** Whether others have pushed on top of this commit. */
async function isBelow({ config, stopping }: Processing, remote: Remote, oid: string): Promise<boolean> {
  const place = await Workplace.open(config, remote, stopping)
  try {
    return await isInHistory(place, oid)
  } finally {
    await place.close()
  }
}

type Tell = (phase: string) => Promise<void>

async function performImport(processing: Processing, due: GitOperationRow, place: Workplace, tell: Tell) {
  const { ref, force, standalone } = due
  const largest = Math.max(processing.config.limits.uploadBytes, repositoryLimits.keptBytes)
  const commit = await fetchFiles(place, largest)
  if (!commit) throw new GitFailure(`There is no branch ${ref.replace('refs/heads/', '')} in the repository.`)
  await tell('reading')
  const repository = await openCommit(place, commit)
  await tell('writing')
  await requireAsker(processing.db, due)
  const { problems, ...imported } = await importRepository(
    processing,
    spaceOf(processing, due),
    repository,
    {
      remote: infoOf(due),
      name: repositoryName(due.url),
      force,
      standalone,
      mayWriteMain: (plan) => letsWriteMain(plan, due.asked_by),
    },
    authorOf(due),
  )
  return { ...imported, commit: commit.oid, problemCount: problems.length, problems: problems.slice(0, 100) }
}

async function performExport(processing: Processing, due: GitOperationRow, place: Workplace, tell: Tell) {
  const user = due.asked_by === null ? undefined : await findUser(processing.db, due.asked_by)
  const author = { name: user?.display_name ?? 'Lectern', email: user?.email ?? 'lectern@localhost' }
  const target = remoteTarget(place, infoOf(due), { message: due.message ?? 'Export', author, force: due.force })
  await tell('writing')
  const options = { force: due.force, author: authorOf(due) }
  return exportSpace(processing, spaceOf(processing, due), whileAllowed(processing, due, target), options)
}

/**
 * Checks the rights again before anything is pushed: the other side may take long to report its content, and the person
 * may have lost their rights in the meantime.
 */
const whileAllowed = ({ db }: Processing, due: GitOperationRow, target: ExportTarget): ExportTarget => ({
  ...target,
  async prepare(plan) {
    const prepared = await target.prepare(plan)
    await requireAsker(db, due)
    return prepared
  },
})

const infoOf = ({ url, ref, project_directory, info }: GitOperationRow): RemoteInfo => ({
  ...info,
  url,
  ref,
  project_directory,
})

const spaceOf = ({ url }: Processing, { organization_id, space_id }: GitOperationRow) => ({
  organizationId: organization_id,
  spaceId: space_id,
  url,
})
