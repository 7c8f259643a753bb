import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { revertRevision } from '../../change-requests/merging/revert.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { downloadUrl } from '../../files/download.ts'
import { placeOf } from '../../front/place.ts'
import { notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { findRevisionShown, listRevisions } from '../../pages/queries.ts'
import { changesIn } from '../../pages/revision-changes.ts'
import { addOnce } from '../../workspace/once.ts'
import { type OpenedSpace, answerNothing, openSpace, spacePath } from '../../workspace/open.ts'
import { loadPart, partIn } from '../../workspace/paging.ts'
import type { Said } from '../../workspace/said.ts'
import { changesOnPage, fromIn } from './changes.load.ts'
import { freshTexts } from './fresh-texts.ts'
import { historyPage, revisionPage } from './history.page.ts'
import { refusalIn } from '../open.ts'

export const revisionPath = `${spacePath}/~/history/:revisionId(^[0-9a-f-]{36}$)`

/** Shows the history of the main content of a space, and undoes single revisions. */
export const historyPages: Routes = async (app) => {
  app.get(`${spacePath}/~/history`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { access, path } = opened
    const chosen = await chosenIn(app, request, opened)
    const revisions = await loadPart(
      app,
      { path: `${path}/~/history`, filter: { with: chosen?.id }, page: partIn(request) },
      (asked) => listRevisions(app.db, access.main.lineId, access.space, asked),
      ({ seq }) => [seq],
    )
    return answerPage(reply, historyPage(placeOf(app), { ...spaceOf(opened), revisions, chosen }))
  })

  app.get(revisionPath, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    return opened ? show(app, request, reply, opened, {}) : reply
  })

  app.post(`${revisionPath}/revert`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      await accessSpace(app.db, opened.caller, opened.access.space.id, 'edit')
      const revision = await revisionIn(app, request, opened)
      if (!revision) throw notFound('revision')
      const number = await write(request, (tx) =>
        addOnce(tx, request, async () => (await revertRevision(tx, revision)).number),
      )
      return leadTo(app, reply, `${opened.path}/~/changes/${number}`)
    } catch (error) {
      const { reason, status } = refusalIn(error)
      return show(app, request, reply, opened, { error: reason }, status)
    }
  })
}

export const spaceOf = ({ caller, access: { space }, path }: OpenedSpace) => ({
  organization: caller.membership.organization,
  space,
  path,
})

export const revisionIn = (app: App, { params }: FastifyRequest, opened: OpenedSpace) =>
  revisionNamed(app, (params as { revisionId: string }).revisionId, opened)

/** The revision that the user wants to compare with another. */
export const chosenIn = (app: App, { query }: FastifyRequest, opened: OpenedSpace) =>
  revisionNamed(app, (query as { with?: unknown }).with, opened)

/** Finds a revision of the main content only. Those of change requests are shown there. */
export async function revisionNamed(app: App, id: unknown, { access: { main, space } }: OpenedSpace) {
  return typeof id === 'string' && isId(id) ? findRevisionShown(app.db, main.lineId, space, id) : undefined
}

async function show(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenedSpace,
  said: Said,
  status = 200,
): Promise<FastifyReply> {
  const revision = await revisionIn(app, request, opened)
  if (!revision) return answerNothing(app, reply)
  const changes = await changesIn(app.db, revision, changesOnPage, fromIn(request))
  const parts = {
    ...spaceOf(opened),
    revision,
    changes,
    fresh: await freshTexts(app, revision.organization_id, changes),
    openFile: (file: Entry) => downloadUrl(app, opened.access.space.id, file),
    mayRevert: revision.seq > 1 && spaceRights(opened.access.role).edit,
    form: formToken(app, { session: opened.session }),
    ...said,
  }
  return answerPage(reply, revisionPage(placeOf(app), parts), status)
}
