import type { FastifyBaseLogger } from 'fastify'
import { recordChange } from '../../changes/record.ts'
import type { Config } from '../../config.ts'
import { type Database, DatabaseUnavailable } from '../../db/connect.ts'
import type { GitFollowingRow } from '../../db/tables.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { findMainLine } from '../../revisions/lines.ts'
import type { Secrets } from '../../secrets.ts'
import { about } from '../../spaces/actions.ts'
import { startOperation } from '../actions.ts'
import { mayStill } from '../askers.ts'
import { countWaiting } from '../operations.queries.ts'
import { remoteAt } from '../place.ts'
import { type SpaceToSync, findGitSync, findSpaceToSync } from '../queries.ts'
import { findNewestCommit } from '../remote/newest.ts'
import { GitFailure } from '../repository.ts'
import { nextStep } from './next-step.ts'
import {
  type Found,
  giveBackLook,
  hurryChanged,
  lockTaken,
  lookLater,
  noteAsked,
  noteFailed,
  noteLooked,
  noteTold,
  stopFollowing,
  takeDueFollowing,
} from './queries.ts'

export interface Looking {
  db: Database
  config: Config
  secrets: Secrets
  mail: Pick<Mailer, 'tell'>
  log: FastifyBaseLogger
  stopping?: AbortSignal | undefined
  /** Called when there is an operation to be done. */
  wake: () => void
}

const dayMs = 24 * 60 * 60 * 1000

/** After failing for this long, the person who set it up is notified. */
const longMs = 3 * dayMs

/** Delays the mail, so that it can include what becomes known by then. */
const mailInSeconds = 300

/** Several at once, so that a host that does not answer holds up only one of them. */
const mostAtOnce = 4

/**
 * Looks at everything that is due, a few at once. Other nodes may do the same: each leaves alone what another one has
 * taken.
 */
export async function lookAtDue(looking: Looking): Promise<void> {
  await hurryChanged(looking.db)
  const looks = await Promise.allSettled(Array.from({ length: mostAtOnce }, () => lookInTurn(looking)))
  const failed = looks.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

async function lookInTurn(looking: Looking): Promise<void> {
  while (!looking.stopping?.aborted) {
    const due = await takeDueFollowing(looking.db)
    if (!due) return
    await look(looking, due)
  }
}

async function look(looking: Looking, due: GitFollowingRow): Promise<void> {
  const { db, log, stopping } = looking
  try {
    await tellIfLong(looking, due)
    await lookOnce(looking, due)
  } catch (error) {
    if (stopping?.aborted) return giveBackLook(db, due)
    if (error instanceof DatabaseUnavailable) throw error
    const isKnown = error instanceof GitFailure
    if (!isKnown) log.error({ err: error, spaceId: due.space_id }, 'a repository could not be looked at')
    await noteFailed(db, due, isKnown ? error.message : 'Something went wrong on the server. Its log has the details.')
  }
}

async function lookOnce(looking: Looking, due: GitFollowingRow): Promise<void> {
  const { db, config, secrets, stopping } = looking
  const { organization_id: organizationId, space_id: spaceId } = due
  const space = await findSpaceToSync(db, organizationId, spaceId)
  // A space in the trash is followed again when it is restored.
  if (!space) return lookLater(db, due)
  if (!(await mayStill(db, due))) return stop(looking, due)
  if ((await countWaiting(db, organizationId, spaceId)) > 0) return lookLater(db, due)

  const newest = await findNewestCommit(config, remoteAt(secrets, due), stopping)
  const [sync, main] = await Promise.all([
    findGitSync(db, organizationId, spaceId),
    findMainLine(db, organizationId, spaceId),
  ])
  const found = { branchOid: newest, mainSeq: main.head.seq }
  const step = nextStep({ following: due, sync, newest, main })
  return step ? ask(looking, due, { space, step, found }) : noteLooked(db, due, found)
}

const rightsLost =
  'Syncing has stopped: the person who set it up is no longer allowed to sync this space. Somebody who is can set it up again, with their own token.'

async function stop({ db }: Looking, due: GitFollowingRow): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    tx.leaveRights()
    if (!(await stopFollowing(tx, due, rightsLost))) return
    recordChange(tx, { ...about(due.organization_id, due.space_id), action: 'space.git-following-stopped' })
  })
}

interface Step {
  space: SpaceToSync
  step: 'import' | 'export'
  found: Found
}

/** Starts the same operation that people can request, but never with `force`. */
async function ask({ db, wake }: Looking, due: GitFollowingRow, { space, step, found }: Step): Promise<void> {
  const { url, ref, project_directory, credentials, info, asked_by } = due
  await transaction(db, { ...nobody, actorId: asked_by }, async (tx) => {
    tx.leaveRights()
    // Somebody has ended the sync in the meantime, or set it up anew.
    if (!(await lockTaken(tx, due))) return
    const id = await startOperation(tx, space.space, {
      url,
      ref,
      project_directory,
      credentials,
      info,
      direction: step,
      force: false,
      standalone: false,
      message: step === 'export' ? (due.message ?? `Update ${space.space.title}`) : null,
    })
    await noteAsked(tx, due, found, id)
    tx.afterCommit(wake)
  })
}

/** Notifies the person who set it up, once for as long as the failure lasts. */
async function tellIfLong({ db, mail }: Looking, due: GitFollowingRow): Promise<void> {
  const { organization_id: organizationId, space_id: space, asked_by, failing_since, told_at } = due
  if (failing_since === null || told_at !== null || asked_by === null) return
  if (Date.now() - failing_since.getTime() < longMs) return
  await transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    await noteTold(tx, due)
    mail.tell(tx, { kind: 'git-failing', organizationId, userId: asked_by, about: { space }, inSeconds: mailInSeconds })
  })
}
