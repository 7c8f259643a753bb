import { appPath } from '../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SpaceAccess, accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { lockTree } from '../../collections/tree.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { emojiOf } from '../../published/icons/emoji.ts'
import { accessSpaceToChange } from '../../spaces/access.ts'
import { changeSpace, deleteSpace, moveSpace } from '../../spaces/actions.ts'
import { accessToCopy, copySpace } from '../../spaces/duplicate.ts'
import { languages } from '../../spaces/languages.ts'
import { lockSpace } from '../../spaces/queries.ts'
import { accessDeleted } from '../../spaces/trash.ts'
import { contentTitleIn, emojiIn } from './content-title.ts'
import { titleTyped } from './making.ts'
import { chosenRules, rulesWanted } from './merge-rules.ts'
import { destinationIn, findDestinations } from './moving.ts'
import { positionIn } from './ordering.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, type OpenedSpace, openOrganization, openSpace, spacePath } from '../open.ts'
import { isNew } from '../overtaken.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { type KeptSettings, languageName, spaceSettingsPage } from './space-settings.page.ts'

/** Messages about what was just done. */
const done = {
  renamed: 'Renamed.',
  icon: 'Icon saved.',
  moved: 'Moved.',
  language: 'Language saved.',
  rules: 'Rules saved. They also apply to change requests that are already open.',
}

/** The page that contains the forms, for routes with another path. */
const onSettings = { config: { page: `${spacePath}/~/settings` } }

/**
 * The settings of a space: its title, place and language, what is required before merging, copying it, and deleting it.
 */
export const workspaceSpaceSettings: Routes = async (app) => {
  app.get(`${spacePath}/~/settings`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    if (!spaceRights(opened.access.role).admin) return leadTo(app, reply, opened.path)
    const copy = await copyIn(app, request, opened)
    return show(app, reply, opened, { ...doneIn(request, done), ...(copy && { copy }) })
  })

  app.post(`${spacePath}/~/settings`, async (request, reply) => {
    const title = titleTyped(request)
    return changing(app, request, reply, { title }, async (tx, { space, role }) => {
      const wanted = contentTitleIn(title, 'space')
      if (isNew(fieldsOf(request), { now: space.title, wanted })) await changeSpace(tx, space, { title }, role)
      return 'renamed'
    })
  })

  app.post(`${spacePath}/~/icon`, onSettings, async (request, reply) => {
    const icon = (fieldsOf(request).icon ?? '').trim()
    return changing(app, request, reply, { icon }, async (tx, { space, role }) => {
      const emoji = emojiIn(icon)
      const now = emojiOf(space.emoji ?? '')
      const wanted = { now, wanted: emojiOf(icon), ...(now === '' && { said: 'without one' }) }
      if (isNew(fieldsOf(request), wanted)) await changeSpace(tx, space, { emoji }, role)
      return 'icon'
    })
  })

  app.post(`${spacePath}/~/move`, onSettings, async (request, reply) => {
    const { into = '' } = fieldsOf(request)
    return changing(app, request, reply, { into }, async (tx, { space, organizationRole }, { caller }) => {
      const parent = await destinationIn(tx, request, caller, { from: space.collection_id, organizationRole })
      if (parent !== undefined) await moveSpace(tx, space, { parent })
      return 'moved'
    })
  })

  app.post(`${spacePath}/~/order`, onSettings, async (request, reply) => {
    const { near = '' } = fieldsOf(request)
    return changing(app, request, reply, { near }, async (tx, { space, organizationRole }, { caller }) => {
      const placed = { id: space.id, parent: space.collection_id }
      const position = await positionIn(tx, request, caller, { ...placed, organizationRole })
      if (position) await moveSpace(tx, space, { position })
      return 'moved'
    })
  })

  app.post(`${spacePath}/~/language`, onSettings, async (request, reply) => {
    const { language = '' } = fieldsOf(request)
    return changing(app, request, reply, { language }, async (tx, { space, role }) => {
      const wanted = language === '' ? null : languages.find((each) => each === language)
      if (wanted === undefined) throw conflict('Choose one of the languages.')
      const now = { now: space.language ?? '', said: languageName(space.language) }
      if (isNew(fieldsOf(request), { ...now, wanted: language }))
        await changeSpace(tx, space, { language: wanted }, role)
      return 'language'
    })
  })

  app.post(`${spacePath}/~/merge-rules`, onSettings, async (request, reply) => {
    const fields = fieldsOf(request)
    return changing(app, request, reply, { rules: chosenRules(fields) }, async (tx, { space, role }) => {
      const mergeRules = rulesWanted(space.merge_rules, fields, ['inherit', 'none', 'rules'])
      if (mergeRules) await changeSpace(tx, space, { mergeRules }, role)
      return 'rules'
    })
  })

  app.post(`${spacePath}/~/copy`, onSettings, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { caller, path } = opened
    const { id, organization_id } = opened.access.space
    const home = appPath.organization(organization_id)
    await accessToCopy(app.db, caller, id)
    try {
      const copy = await write(request, (tx) => addOnce(tx, request, async () => (await copySpace(tx, caller, id)).id))
      // A user who may not manage the space cannot return to its settings.
      if (!spaceRights(opened.access.role).admin) return leadTo(app, reply, `${home}/s/${copy}`)
      return leadTo(app, reply, `${path}/~/settings`, { copy })
    } catch (error) {
      if (!spaceRights(opened.access.role).admin) throw error
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })

  app.post(`${spacePath}/~/delete`, onSettings, async (request, reply) => {
    const home = await openOrganization(app, request, reply, requireSessionForm)
    if (!home) return reply
    try {
      await write(request, async (tx) => {
        if (!(await isInTrash(tx, home, request))) await deleteSpace(tx, await accessNamed(tx, home, request))
      })
      return leadTo(app, reply, home.path, { done: 'deleted' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      const opened = await openSpace(app, request, reply, requireSessionForm)
      return opened ? show(app, reply, opened, { error: reason }, status) : reply
    }
  })
}

/** Returns the copy that was just made, by the id in the URL. */
async function copyIn(app: App, { query }: FastifyRequest, { caller, access }: OpenedSpace) {
  const { copy } = query as { copy?: unknown }
  const found =
    typeof copy === 'string' && isId(copy) ? await accessSpace(app.db, caller, copy, 'view').catch(asNone) : undefined
  return found?.space.organization_id === access.space.organization_id ? found.space : undefined
}

/** Returns the space that the URL refers to. Throws if it is not in the organization of the URL. */
async function accessNamed(tx: Transaction, { caller }: OpenedOrganization, { params }: FastifyRequest) {
  const { organizationId, spaceId } = params as { organizationId: string; spaceId: string }
  if (!isId(spaceId)) throw notFound('space')
  const { space } = await accessSpaceToChange(tx, caller, spaceId)
  if (space.organization_id !== organizationId) throw notFound('space')
  return space
}

/**
 * Whether the space is already deleted and the user may restore it. Deleting it is then no error: a second click asks
 * for the same thing, and waits for what the first one does.
 */
async function isInTrash(
  tx: Transaction,
  { caller }: OpenedOrganization,
  { params }: FastifyRequest,
): Promise<boolean> {
  const { organizationId, spaceId } = params as { organizationId: string; spaceId: string }
  if (!isId(spaceId)) return false
  await lockSpace(tx, spaceId)
  const found = await accessDeleted(tx, caller, spaceId).catch(asNone)
  return found?.space.organization_id === organizationId && found.space.deleted_at !== null
}

/** Makes one change to a space, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptSettings,
  work: (tx: Transaction, access: SpaceAccess, opened: OpenedSpace) => Promise<keyof typeof done>,
): Promise<FastifyReply> {
  const opened = await openSpace(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { caller, path } = opened
  const { id, organization_id } = opened.access.space
  // A user who may not manage the space learns nothing about its settings.
  await accessSpace(app.db, caller, id, 'admin')
  try {
    const what = await write(request, async (tx) => {
      // To move something, the tree has to be locked before anything in it.
      if ('into' in kept || 'near' in kept) await lockTree(tx, organization_id)
      return work(tx, await accessSpaceToChange(tx, caller, id), opened)
    })
    const isManaged = await accessSpace(app.db, caller, id, 'admin').catch(asNone)
    if (isManaged) return leadTo(app, reply, `${path}/~/settings`, { done: what })
    return leadTo(app, reply, appPath.organization(organization_id), { done: 'access' })
  } catch (error) {
    const { reason, status } = refusalOf(error)
    return show(app, reply, opened, { error: reason, ...kept }, status)
  }
}

/** Shows the current state, because a refused change may have been based on an older one. */
async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access }: OpenedSpace,
  more: Said & KeptSettings & { copy?: SpaceRow },
  status = 200,
): Promise<FastifyReply> {
  const { space } = await accessSpace(app.db, caller, access.space.id, 'admin')
  const [destinations, copied] = await Promise.all([
    findDestinations(app, caller, { id: space.id, parent: space.collection_id }),
    accessToCopy(app.db, caller, space.id).catch(asNone),
  ])
  const mayCopy = copied !== undefined
  const parts = { membership: caller.membership, path, space, destinations, mayCopy, form: formToken(app, { session }) }
  return answerPage(reply, spaceSettingsPage(placeOf(app), { ...parts, ...more }), status)
}
