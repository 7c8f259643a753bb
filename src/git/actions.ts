import type { Static } from 'typebox'
import { recordChange } from '../changes/record.ts'
import type { GitOperationRow, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, notFound } from '../http/errors.ts'
import { newId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { touchSitesWith } from '../sites/touch.ts'
import { about } from '../spaces/actions.ts'
import { countWaiting, deleteOperations, insertOperation } from './operations.queries.ts'
import { sealedFor } from './process.ts'
import { deleteGitSync, findSpaceToSync } from './queries.ts'
import { type Remote, readRemote } from './remote/address.ts'
import { requireNoRules } from './rules.ts'
import type { GitExport, GitImport } from './schema.ts'

/** Whoever asks for more than this before any of it is done asks in vain. */
const mostWaiting = 10

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

export async function askForImport(
  tx: Transaction,
  secrets: Secrets,
  space: Space,
  body: Static<typeof GitImport>,
): Promise<void> {
  const { force = false, standalone = false } = body
  if (force) {
    const found = await findSpaceToSync(tx, space.organization_id, space.id)
    if (found) requireNoRules(found, tx.by.actorId)
  }
  await ask(tx, secrets, space, { body, direction: 'import', force, standalone, message: null })
  recordChange(tx, { ...about(space.organization_id, space.id), action: 'space.git-import-asked' })
}

export async function askForExport(
  tx: Transaction,
  secrets: Secrets,
  space: Space,
  body: Static<typeof GitExport>,
): Promise<void> {
  const { force = false, commitMessage: message } = body
  await ask(tx, secrets, space, { body, direction: 'export', force, standalone: false, message })
  recordChange(tx, { ...about(space.organization_id, space.id), action: 'space.git-export-asked' })
}

/**
 * From here on nothing is known of a repository, as in a copy of the space. Pages stay, and so does what is no content: it
 * would come along if the space were written to another one.
 */
export async function forgetRepository(tx: Transaction, space: Space): Promise<void> {
  const { organization_id: organizationId, id } = space
  if ((await countWaiting(tx, organizationId, id)) > 0) {
    throw conflict('An import or export of this space is under way. Wait until it is done.')
  }
  const wereAsked = await deleteOperations(tx, organizationId, id)
  const wasKnown = await deleteGitSync(tx, organizationId, id)
  if (!wereAsked && !wasKnown) throw notFound('repository')
  // They lead to its files no more.
  touchSitesWith(tx, space)
  recordChange(tx, { ...about(organizationId, id), action: 'space.git-forgotten' })
}

type Asked = Pick<GitOperationRow, 'direction' | 'force' | 'standalone' | 'message'> & {
  body: Static<typeof GitImport> | Static<typeof GitExport>
}

/** It is done once this is committed. */
async function ask(
  tx: Transaction,
  secrets: Secrets,
  { organization_id: organizationId, id: spaceId }: Space,
  { body, ...asked }: Asked,
): Promise<void> {
  const remote = readRemote(body)
  if ((await countWaiting(tx, organizationId, spaceId)) >= mostWaiting) {
    throw conflict('Imports and exports of this space are waiting already. Wait until some of them are done.')
  }
  await insertOperation(tx, {
    ...asked,
    organization_id: organizationId,
    space_id: spaceId,
    id: newId(),
    url: remote.url,
    ref: remote.ref,
    project_directory: remote.projectDirectory,
    credentials: sealed(secrets, remote),
    info: {
      tree_url: body.repoTreeURL ?? body.gitInfo?.url ?? null,
      commit_url: body.repoCommitURL ?? null,
      provider: body.gitInfo?.provider ?? null,
    },
    asked_by: tx.by.actorId,
  })
  tx.leaveRights()
}

function sealed(secrets: Secrets, { credentials }: Remote): Buffer | null {
  return credentials === undefined ? null : secrets.seal(sealedFor, credentials)
}
