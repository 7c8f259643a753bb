import type { FastifyReply } from 'fastify'
import { answerPage } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { sendOrganizationArchive } from '../../exports/routes.ts'
import { listExportRunsOf } from '../../exports/runs/runs.queries.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { policyWhileSending } from '../download/sent.part.ts'
import { type OpenedOrganization, openAdministered, organizationPath } from '../open.ts'
import { refusalOf } from '../refusal.ts'
import type { Said } from '../said.ts'
import { organizationDownloadPage } from './organization-download.page.ts'

const mostListed = 10

const onDownload = { config: { page: `${organizationPath}/download` } }

/** Downloads of a whole organization, for its administrators: the same as in the API. */
export const workspaceOrganizationDownload: Routes = async (app) => {
  app.get(`${organizationPath}/download`, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSession)
    return opened ? show(app, reply, opened) : reply
  })

  // The archive is streamed as the answer to the form, so that the browser shows how much of it has arrived.
  app.post(`${organizationPath}/export`, onDownload, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      reply.header('cache-control', 'private, no-store')
      return await sendOrganizationArchive(app, request, reply, opened.caller.membership.organization)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller: { membership }, path }: OpenedOrganization,
  said: Said = {},
  status = 200,
): Promise<FastifyReply> {
  const all = { organization_id: membership.organization.id, id: null }
  const exports = await listExportRunsOf(app.db, all, { limit: mostListed })
  const parts = { membership, path, form: formToken(app, { session }), exports, ...said }
  return answerPage(reply, organizationDownloadPage(placeOf(app), parts), status, policyWhileSending)
}
