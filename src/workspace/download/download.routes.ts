import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { sendSpaceArchive } from '../../exports/routes.ts'
import { listExportRunsOf } from '../../exports/runs/runs.queries.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { accessContent } from '../../pages/access.ts'
import { type OpenedSpace, openSpace, spacePath } from '../open.ts'
import { refusalOf } from '../refusal.ts'
import type { Said } from '../said.ts'
import { downloadPage } from './download.page.ts'
import { beginPdf, loadPdfs } from './pdf.load.ts'
import { policyWhileSending } from './sent.part.ts'

const mostListed = 5

/** The page that these forms are on. */
const onDownload = { config: { page: `${spacePath}/~/download` } }

/** Downloads of a space or of a page of it: the same as in the API, with the same rights. */
export const workspaceDownload: Routes = async (app) => {
  app.get(`${spacePath}/~/download`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    return opened ? show(app, request, reply, opened) : reply
  })

  app.post(`${spacePath}/~/pdf`, onDownload, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      const content = await accessContent(app, opened.caller, { spaceId: opened.access.space.id })
      return leadTo(app, reply, `${opened.path}/~/download`, await beginPdf(app, request, reply, content))
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, request, reply, opened, { error: reason }, status)
    }
  })

  // The archive is streamed as the answer to the form, so that the browser shows how much of it has arrived.
  app.post(`${spacePath}/~/export`, onDownload, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      const { space } = await accessSpace(app.db, opened.caller, opened.access.space.id, 'admin')
      reply.header('cache-control', 'private, no-store')
      return await sendSpaceArchive(app, request, reply, space)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, request, reply, opened, { error: reason }, status)
    }
  })
}

async function show(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, caller, path, access: { space, role } }: OpenedSpace,
  said: Said = {},
  status = 200,
): Promise<FastifyReply> {
  const mayExport = spaceRights(role).admin
  const content = await accessContent(app, caller, { spaceId: space.id })
  const [exports, pdfs] = await Promise.all([
    mayExport ? listExportRunsOf(app.db, space, { userId: caller.user.id, limit: mostListed }) : undefined,
    loadPdfs(app, request, content).catch((error: unknown) => refusalOf(error)),
  ])
  const refused = 'reason' in pdfs ? pdfs : undefined
  const found = 'reason' in pdfs ? undefined : pdfs
  const parts = {
    organization: caller.membership.organization,
    space,
    path,
    form: formToken(app, { session }),
    pdfs: found,
    exports: found?.page ? undefined : exports,
    ...(refused && { error: refused.reason }),
    ...said,
  }
  return answerPage(reply, downloadPage(placeOf(app), parts), refused?.status ?? status, policyWhileSending)
}
