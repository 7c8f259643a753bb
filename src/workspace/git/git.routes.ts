import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { GitFollowingRow, GitOperationRow, SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { askForExport, askForImport, forgetRepository } from '../../git/actions.ts'
import { endFollowing, followRepository } from '../../git/following/actions.ts'
import { loadFollowing } from '../../git/following/load.ts'
import { type FollowingParts as Following, presentFollowing } from '../../git/following/present.ts'
import { lockFollowing } from '../../git/following/queries.ts'
import { removeHook, setUpHook } from '../../git/following/hook/actions.ts'
import { presentHook } from '../../git/following/hook/present.ts'
import { listOperations } from '../../git/operations.queries.ts'
import { presentGitSync, presentOperation } from '../../git/present.ts'
import { type Place as GitPlace, isSamePlace } from '../../git/place.ts'
import { type GitSync, type RemoteInfo, findGitSync } from '../../git/queries.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { addOnce, makeOnce } from '../once.ts'
import { type OpenedSpace, openSpace, spacePath } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { asSeen } from '../seen.ts'
import { gitPage } from './git.page.ts'
import {
  type Direction,
  type Sent,
  type TypedFollowing,
  type TypedSync,
  directionIn,
  exportTo,
  following,
  importFrom,
  inWords,
  shownAgain,
  typedIn,
} from './typed.ts'

const done = {
  forgotten: 'Disconnected. The pages stay.',
  followed: 'The space is now kept in sync.',
  ended: 'The space is no longer kept in sync. The token was deleted.',
  unheard: 'Address removed. The branch is checked every two minutes, as before.',
}

/** The Git repository of a space: the same imports and exports as in the API, run in the background. */
export const workspaceGit: Routes = async (app) => {
  app.get(`${spacePath}/~/git`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.post(`${spacePath}/~/git`, async (request, reply) => {
    const fields = fieldsOf(request)
    const sent = typedIn(fields)
    return changing(app, request, reply, { sent }, async (tx, space, sessionId) => {
      const known = placesOf(await load(tx, space))
      const by = { sessionId }
      if (fields.direction === 'import') await askForImport(tx, app.secrets, space, importFrom(sent, known), by)
      else if (fields.direction === 'export') await askForExport(tx, app.secrets, space, exportTo(sent, known), by)
      else throw conflict('Choose whether to import or export.')
      tx.afterCommit(() => app.git.wake())
    })
  })

  app.post(`${spacePath}/~/git/forget`, async (request, reply) =>
    changing(app, request, reply, { done: 'forgotten' }, async (tx, space) => {
      if (seenIn(await load(tx, space)) !== fieldsOf(request).seen) throw overtaken('used this repository')
      await forgetRepository(tx, space)
    }),
  )

  app.post(`${spacePath}/~/git/following`, async (request, reply) => {
    const fields = fieldsOf(request)
    const sent = typedIn(fields)
    const asked = { done: 'followed', sent, direction: directionIn(fields) } as const
    return changing(app, request, reply, asked, async (tx, space) => {
      const body = following(sent, fields.direction, placesOf(await load(tx, space)))
      await followRepository(tx, app.secrets, space, body, (before) => requireSeen(before, fields))
      tx.afterCommit(() => app.following.wake())
    })
  })

  app.post(`${spacePath}/~/git/following/end`, async (request, reply) =>
    changing(app, request, reply, { done: 'ended' }, async (tx, space) => {
      requireSeen(await lockFollowing(tx, space.organization_id, space.id), fieldsOf(request))
      await endFollowing(tx, space)
    }),
  )

  app.post(`${spacePath}/~/git/following/hook`, async (request, reply) =>
    changing(app, request, reply, { once: makeOnce }, async (tx, space) => {
      const { secret } = await setUpHook(tx, app.secrets, space, (before) => requireHookSeen(before, fieldsOf(request)))
      return secret
    }),
  )

  app.post(`${spacePath}/~/git/following/hook/remove`, async (request, reply) =>
    changing(app, request, reply, { done: 'unheard' }, (tx, space) =>
      removeHook(tx, space, (before) => requireHookSeen(before, fieldsOf(request))),
    ),
  )
}

interface Asked {
  done?: keyof typeof done
  sent?: Sent
  direction?: Direction
  once?: typeof addOnce
}

/**
 * Does what a form asks for, in one transaction and once. A refusal is shown on the page that the form came from, and
 * so is a new secret.
 */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { done: what, sent, direction, once = addOnce }: Asked,
  work: (tx: Transaction, space: SpaceRow, sessionId: string) => Promise<string | void>,
): Promise<FastifyReply> {
  const opened = await openSpace(app, request, reply, requireSessionForm)
  if (!opened) return reply
  try {
    const { space } = await accessSpace(app.db, opened.caller, opened.access.space.id, 'triggerGitSync')
    const secret = await write(request, (tx) => once(tx, request, () => work(tx, space, opened.caller.token.id)))
    if (typeof secret === 'string') return await show(app, reply, opened, { secret })
    return leadTo(app, reply, `${opened.path}/~/git`, { done: what })
  } catch (error) {
    const { reason, status } = refusalOf(error, (known) => inWords(known, sent))
    const typed = sent && { ...shownAgain(sent), ...(direction && { direction }) }
    return show(app, reply, opened, { error: reason, ...(typed && { typed }) }, status)
  }
}

/** Refuses to change or end what another user has set up in the meantime. */
function requireSeen(now: GitFollowingRow | undefined, { seen }: Fields): void {
  if ((now?.id ?? '') !== seen) throw overtaken('changed how this space is kept in sync')
}

/** The same check for the push hook. */
function requireHookSeen(now: GitFollowingRow, { seen }: Fields): void {
  if (hookSeen(now) !== seen) throw overtaken('changed the address for pushes')
}

const hookSeen = ({ hook_id, hook_set_at }: GitFollowingRow) => asSeen([hook_id, hook_set_at])

interface Loaded {
  known: GitSync | undefined
  following: Following | undefined
  /** The newest first. */
  operations: GitOperationRow[]
}

async function load(db: Transaction | App['db'], { organization_id, id }: SpaceRow): Promise<Loaded> {
  const [known, operations, followed] = await Promise.all([
    findGitSync(db, organization_id, id),
    listOperations(db, organization_id, id),
    loadFollowing(db, { organization_id, id }),
  ])
  return { known, operations, following: followed }
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access: { space, role } }: OpenedSpace,
  { typed, ...said }: Said & { typed?: TypedSync | (TypedSync & TypedFollowing); secret?: string },
  status = 200,
): Promise<FastifyReply> {
  const rights = spaceRights(role)
  const loaded = await load(app.db, space)
  const { known } = loaded
  // Readers of a space do not see what went wrong, as in the API.
  const operations = rights.edit ? loaded.operations : []
  const parts = {
    path,
    organization: caller.membership.organization,
    space,
    shown: presentGitSync(known, operations[0]),
    operations: operations.map(presentOperation),
    syncing: rights.triggerGitSync ? { known, seen: seenIn(loaded), ...formsOf(app, loaded, space, typed) } : undefined,
    form: formToken(app, { session }),
  }
  return answerPage(reply, gitPage(placeOf(app), { ...parts, ...said }), status)
}

/** The values of the two forms: what was typed in one of them and refused, or else the current ones. */
function formsOf(app: App, loaded: Loaded, space: SpaceRow, typed?: TypedSync | (TypedSync & TypedFollowing)) {
  const followed = loaded.following
  const refused = typed && 'direction' in typed ? typed : undefined
  return {
    typed: typed && !refused ? typed : typedBefore(loaded, space),
    following: {
      shown: followed && presentFollowing(followed, app.url),
      typed: refused ?? followingBefore(loaded, space),
      seen: followed?.row.id ?? '',
      isRefused: refused !== undefined,
      isElsewhere: !loaded.known || !followed || !isSamePlace(loaded.known, followed.row),
    },
    hook: followed && {
      hook: presentHook(followed.row, app.url),
      seen: hookSeen(followed.row),
      repository: followed.row.url,
    },
  }
}

function followingBefore(loaded: Loaded, space: SpaceRow): TypedFollowing {
  const { row } = loaded.following ?? {}
  if (!row) return { ...typedBefore(loaded, space), direction: 'both' }
  const { url, ref, project_directory, message, direction } = row
  const branch = ref.replace('refs/heads/', '')
  return { address: url, branch, folder: project_directory, user: '', message: message ?? '', direction }
}

/** The last request, so that a user who mistyped something need not type all of it again. */
function typedBefore(loaded: Loaded, space: SpaceRow): TypedSync {
  const [last] = placesOf(loaded)
  return {
    address: last?.url ?? '',
    branch: last?.ref?.replace('refs/heads/', '') ?? 'main',
    folder: last?.project_directory ?? '',
    user: '',
    into: 'fitting',
    message: `Update ${space.title}`,
    over: 'nothing',
  }
}

/** The known repositories, the most recent first. */
const placesOf = ({ known, following: followed, operations: [last] }: Loaded): RemoteInfo[] => [
  ...(followed && followed.row.next_look_at !== null ? [placeIn(followed.row)] : []),
  ...(last ? [placeIn(last)] : []),
  ...(known && known.url !== null ? [known] : []),
]

const placeIn = ({ info, url, ref, project_directory }: GitPlace): RemoteInfo => ({
  ...info,
  url,
  ref,
  project_directory,
})

/** Identifies the last operation that the form for disconnecting shows. */
const seenIn = ({ known, operations: [last] }: Loaded) => asSeen([known?.updated_at, last?.id])
