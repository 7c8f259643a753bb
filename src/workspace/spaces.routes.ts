import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../access/caller.ts'
import { spaceRights } from '../access/rights.ts'
import { answerPage, leadTo } from '../account/answer.ts'
import { fieldsOf, formToken } from '../account/forms.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { placeOf } from '../front/place.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { formats } from '../http/formats.ts'
import { isId } from '../ids.ts'
import { accessSpaceToChange } from '../spaces/access.ts'
import { changeSpace, createSpace, deleteSpace } from '../spaces/actions.ts'
import { listSpaces } from '../spaces/queries.ts'
import { accessDeleted, takeFromTrash } from '../spaces/trash.ts'
import { listTrash } from '../spaces/trash.queries.ts'
import { addOnce } from './once.ts'
import {
  type OpenedOrganization,
  type OpenedSpace,
  asNone,
  openOrganization,
  openSpace,
  organizationPath,
  spacePath,
} from './open.ts'
import { refusalOf } from './refusal.ts'
import { type Said, doneIn } from './said.ts'
import { longestTitle, spaceSettingsPage, spacesPage } from './spaces.page.ts'

const firstOnes = { limit: 200, after: undefined }

/** What was just done, as the pages say it. */
const done = {
  deleted: 'The space is deleted. It can be brought back for seven days.',
  renamed: 'It is renamed.',
  team: 'It is done. You see this team no more.',
}

/** The spaces of an organization: a new one, another name, into the trash and back. */
export const workspaceSpaces: Routes = async (app) => {
  app.get(organizationPath, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.post(`${organizationPath}/spaces`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const title = (fieldsOf(request).title ?? '').trim()
    try {
      const { organization, userId } = accessOrganization(opened.caller, 'createContent')
      const parent = { organizationId: organization.id, id: null }
      // The empty page that others begin with would stand before what is brought in.
      const draft = { parent, title: titleIn(title), creatorId: userId, empty: true }
      const id = await write(request, (tx) => addOnce(tx, request, () => createSpace(tx, draft)))
      return leadTo(app, reply, `${opened.path}/s/${id}`)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason, title }, status)
    }
  })

  app.post(`${organizationPath}/spaces/restore`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { space = '' } = fieldsOf(request)
    const named = { spaceId: space, organizationId: opened.caller.membership.organization.id }
    try {
      if (!isId(space)) throw notFound('space')
      await write(request, (tx) => addOnce(tx, request, () => takeFromTrash(tx, opened.caller, named)))
      return leadTo(app, reply, `${opened.path}/s/${space}`)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })

  app.get(`${spacePath}/~/settings`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    if (!spaceRights(opened.access.role).admin) return leadTo(app, reply, opened.path)
    return showSettings(app, reply, opened, doneIn(request, done))
  })

  app.post(`${spacePath}/~/settings`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const title = (fieldsOf(request).title ?? '').trim()
    try {
      await write(request, async (tx) => {
        const { space, role } = await accessSpaceToChange(tx, opened.caller, opened.access.space.id)
        if (titleIn(title) !== space.title) await changeSpace(tx, space, { title }, role)
      })
      return leadTo(app, reply, `${opened.path}/~/settings`, { done: 'renamed' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showSettings(app, reply, opened, { error: reason, title }, status)
    }
  })

  app.post(`${spacePath}/~/delete`, async (request, reply) => {
    const home = await openOrganization(app, request, reply, requireSessionForm)
    if (!home) return reply
    const toTrash = () => leadTo(app, reply, home.path, { done: 'deleted' })
    if (await isInTrash(app, home, request)) return toTrash()
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { id } = opened.access.space
    try {
      await write(request, async (tx) => deleteSpace(tx, (await accessSpaceToChange(tx, opened.caller, id)).space))
      return toTrash()
    } catch (error) {
      if (await isInTrash(app, home, request)) return toTrash()
      const { reason, status } = refusalOf(error)
      return showSettings(app, reply, opened, { error: reason }, status)
    }
  })
}

/** Deleted already is as good, for those who may bring it back: a second click asks for nothing else. */
async function isInTrash(app: App, { caller }: OpenedOrganization, { params }: FastifyRequest): Promise<boolean> {
  const { organizationId, spaceId } = params as { organizationId: string; spaceId: string }
  const found = isId(spaceId) ? await accessDeleted(app.db, caller, spaceId).catch(asNone) : undefined
  return found?.space.organization_id === organizationId && found.space.deleted_at !== null
}

function titleIn(text: string): string {
  if (text === '' || [...text].length > longestTitle || !formats['one-line']!(text))
    throw conflict(`A space needs a title, of at most ${longestTitle} characters.`)
  return text
}

type More = Said & { title?: string }

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller }: OpenedOrganization,
  more: More,
  status = 200,
): Promise<FastifyReply> {
  const { organization, userId } = caller.membership
  const [{ rows, count }, trash] = await Promise.all([
    listSpaces(app.db, organization.id, userId, undefined, firstOnes),
    listTrash(app.db, organization.id, userId, firstOnes),
  ])
  const spaces = rows.slice(0, firstOnes.limit)
  const parts = {
    membership: caller.membership,
    spaces,
    more: count - spaces.length,
    deleted: trash.rows.slice(0, firstOnes.limit),
    form: formToken(app, { session }),
  }
  return answerPage(reply, spacesPage(placeOf(app), { ...parts, ...more }), status)
}

function showSettings(
  app: App,
  reply: FastifyReply,
  { session, path, access }: OpenedSpace,
  more: More,
  status = 200,
): FastifyReply {
  const parts = { path, space: access.space, form: formToken(app, { session }), ...more }
  return answerPage(reply, spaceSettingsPage(placeOf(app), parts), status)
}
