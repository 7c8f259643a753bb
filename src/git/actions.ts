import type { Static } from 'typebox'
import { recordChange } from '../changes/record.ts'
import type { GitFollowingRow, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type ApiError, conflict, notFound } from '../http/errors.ts'
import { newId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { touchSitesWith } from '../sites/touch.ts'
import { about } from '../spaces/actions.ts'
import { deleteFollowing, findFollowing } from './following/queries.ts'
import { recordHookGone } from './following/hook/record.ts'
import { type NewOperation, countWaiting, deleteOperations, insertOperation } from './operations.queries.ts'
import { isSamePlace, readPlace } from './place.ts'
import { type GitSync, type RemoteInfo, deleteGitSync, findSpaceToSync } from './queries.ts'
import { repositoryName } from './remote/address.ts'
import { requireNoRules } from './rules.ts'
import type { GitExport, GitImport } from './schema.ts'

/** Once this many operations of a space are unfinished, further ones are refused. */
const mostWaiting = 10

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/** Somebody who uses a browser, and so has a session instead of a token. */
interface Asker {
  sessionId?: string
}

export async function askForImport(
  tx: Transaction,
  secrets: Secrets,
  space: Space,
  body: Static<typeof GitImport>,
  by: Asker = {},
): Promise<void> {
  const { force = false, standalone = false } = body
  if (force) {
    const found = await findSpaceToSync(tx, space.organization_id, space.id)
    if (found) requireNoRules(found, tx.by.actorId)
  }
  await ask(tx, space, { ...readPlace(secrets, body), direction: 'import', force, standalone, message: null }, by)
}

export async function askForExport(
  tx: Transaction,
  secrets: Secrets,
  space: Space,
  body: Static<typeof GitExport>,
  by: Asker = {},
): Promise<void> {
  const { force = false, commitMessage: message } = body
  await ask(tx, space, { ...readPlace(secrets, body), direction: 'export', force, standalone: false, message }, by)
}

/**
 * Removes everything that is known about the repository of a space, as in a copy of the space. Pages stay, and so does
 * what is not content: it would be written along with the space to another repository.
 */
export async function forgetRepository(tx: Transaction, space: Space): Promise<void> {
  const { organization_id: organizationId, id } = space
  if ((await countWaiting(tx, organizationId, id)) > 0) {
    throw conflict('An import or export of this space is already running. Wait until it has finished.')
  }
  const wereAsked = await deleteOperations(tx, organizationId, id)
  const wasKnown = await deleteGitSync(tx, organizationId, id)
  const wasFollowed = await deleteFollowing(tx, organizationId, id)
  if (!wereAsked && !wasKnown && !wasFollowed) throw notFound('repository')
  // Their pages no longer link to its files.
  touchSitesWith(tx, space)
  recordHookGone(tx, space, wasFollowed)
  recordChange(tx, { ...about(organizationId, id), action: 'space.git-forgotten' })
}

/**
 * Pages of sites link to their files in the repository, and are cached until the site changes. This comes before any
 * content is written: writers lock the space before its line.
 */
export function tellWhereFilesAre(tx: Transaction, sync: GitSync, remote: RemoteInfo | undefined): void {
  if (!remote || remote.tree_url === sync.tree_url) return
  touchSitesWith(tx, { organization_id: sync.organization_id, id: sync.space_id })
}

type Asked = Omit<NewOperation, 'organization_id' | 'space_id' | 'id' | 'asked_by' | 'token_id' | 'session_id'>

async function ask(tx: Transaction, space: Space, asked: Asked, by: Asker): Promise<void> {
  const { organization_id: organizationId, id } = space
  const following = await findFollowing(tx, organizationId, id)
  // Each would undo what the other did.
  if (following && following.next_look_at !== null && !isSamePlace(following, asked)) throw keptInStep(following)
  if ((await countWaiting(tx, organizationId, id)) >= mostWaiting) {
    throw conflict('Too many imports and exports of this space are waiting. Wait until some of them have finished.')
  }
  await startOperation(tx, space, asked, by)
}

function keptInStep({ url, ref }: GitFollowingRow): ApiError {
  const branch = `the branch ${ref.replace('refs/heads/', '')} of ${repositoryName(url)}`
  return conflict(`This space is kept in sync with ${branch}. Use that one, or turn off syncing first.`)
}

/** The operation runs once this is committed. Returns its id. */
export async function startOperation(
  tx: Transaction,
  { organization_id: organizationId, id: spaceId }: Space,
  asked: Asked,
  { sessionId }: Asker = {},
): Promise<string> {
  const id = newId()
  const { actorId: asked_by, tokenId: token_id } = tx.by
  const by = { asked_by, token_id, session_id: sessionId ?? null }
  const row = { ...asked, ...by, organization_id: organizationId, space_id: spaceId, id }
  await insertOperation(tx, row)
  const action = asked.direction === 'import' ? 'space.git-import-asked' : 'space.git-export-asked'
  recordChange(tx, { ...about(organizationId, spaceId), action })
  tx.leaveRights()
  return id
}
