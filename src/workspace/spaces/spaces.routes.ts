import type { FastifyReply } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { listTree } from '../../collections/queries.ts'
import { placeOf } from '../../front/place.ts'
import { notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { takeFromTrash } from '../../spaces/trash.ts'
import { listTrash } from '../../spaces/trash.queries.ts'
import { makeIn, titleTyped } from './making.ts'
import type { Typed } from './making.page.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, openOrganization, organizationPath } from '../open.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { spacesPage } from './spaces.page.ts'
import { inOrder, mostRows } from './tree.ts'

const firstOnes = { limit: 200, after: undefined }

/** Messages about what was just done. */
const done = {
  deleted: 'Space deleted. It can be restored for seven days.',
  emptied: 'Collection deleted.',
  team: 'Done. You can no longer see this team.',
  access: 'Done. You can no longer manage access there.',
}

/** The spaces of an organization below their collections: listing, creating and restoring them. */
export const workspaceSpaces: Routes = async (app) => {
  app.get(organizationPath, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.post(`${organizationPath}/spaces`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      const id = await makeIn(request, opened.caller, 'space', null)
      return leadTo(app, reply, `${opened.path}/s/${id}`)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason, title: titleTyped(request) }, status)
    }
  })

  app.post(`${organizationPath}/collections`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      const id = await makeIn(request, opened.caller, 'collection', null)
      return leadTo(app, reply, `${opened.path}/c/${id}`)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason, named: titleTyped(request) }, status)
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
      return leadTo(app, reply, `${opened.path}/s/${space}`, { done: 'restored' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })
}

type More = Said & Typed

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller }: OpenedOrganization,
  more: More,
  status = 200,
): Promise<FastifyReply> {
  const { organization, userId } = caller.membership
  const [{ rows, count }, trash] = await Promise.all([
    listTree(app.db, organization.id, userId, mostRows),
    listTrash(app.db, organization.id, userId, firstOnes),
  ])
  const parts = {
    membership: caller.membership,
    branches: inOrder(rows),
    count,
    deleted: trash.rows.slice(0, firstOnes.limit),
    form: formToken(app, { session }),
  }
  return answerPage(reply, spacesPage(placeOf(app), { ...parts, ...more }), status)
}
