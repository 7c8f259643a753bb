import { appPath } from '../app-path.ts'
import type { FastifyRequest } from 'fastify'
import { notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import { isId } from '../ids.ts'
import { type Content, accessContent } from '../pages/access.ts'
import { readPolicy } from '../pages/families.ts'
import { findRevision } from '../revisions/lines.ts'
import { asRevision } from '../revisions/revision.ts'
import { findSpaceById } from '../spaces/queries.ts'
import Type from '../http/type.ts'
import { type PdfAddress, isSigned } from './address.ts'
import { presentMaking } from './present.ts'
import { PdfLink, PdfQuery } from './schema.ts'
import { sendBook } from './send.ts'
import type { Selection } from './space-book.ts'
import { addressOfPdf, orderSpaceBook } from './space-pdf.ts'

export const pdfRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/pdf',
    {
      config: { policy: readPolicy },
      schema: {
        operationId: 'getSpacePDF',
        summary: 'Get the URL of a PDF of a space',
        tags: ['space-content'],
        params: Type.Object({ spaceId: Type.String() }),
        querystring: PdfQuery,
        response: { 200: PdfLink, ...refusals },
      },
    },
    async (request) => addressOf(app, await accessContent(app, request.caller, request.params), request.query),
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/pdf',
    {
      config: { policy: readPolicy },
      schema: {
        operationId: 'getChangeRequestPDF',
        summary: 'Get the URL of a PDF of a change request',
        tags: ['change-requests'],
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() }),
        querystring: PdfQuery,
        response: { 200: PdfLink, ...refusals },
      },
    },
    async (request) => addressOf(app, await accessContent(app, request.caller, request.params), request.query),
  )
}

async function addressOf(app: App, content: Content, query: { page?: string; only?: boolean }) {
  const selection = selectionOf(query)
  const url = await addressOfPdf(app, content, selection)
  return { url, ...presentMaking(await app.pdfs.look(await orderSpaceBook(app, content, selection))) }
}

/** `only` refers to a page: without one it has no meaning. */
const selectionOf = ({ page, only = false }: { page?: string; only?: boolean }): Selection => ({
  page,
  only: page !== undefined && only,
})

/**
 * Answers at the addresses of PDF files. Not part of the API, and no token is required: the signature grants the right
 * to read.
 */
export const pdfDownloadRoutes: Routes = async (app) => {
  app.get('/pdf/:spaceId/:revisionId/:name', { config: { hidden: true, uncounted: true } }, async (request, reply) => {
    const { content, address } = await accessPdf(app, request)
    const order = await orderSpaceBook(app, content, address)
    return sendBook(app, request, reply, order, { name: address.name, cacheControl: 'private, max-age=3600' })
  })
}

async function accessPdf(app: App, request: FastifyRequest): Promise<{ content: Content; address: PdfAddress }> {
  const { spaceId, revisionId, name } = request.params as { spaceId: string; revisionId: string; name: string }
  const { page, only, expires, signature } = request.query as Record<string, unknown>
  const address: PdfAddress = {
    spaceId,
    revisionId,
    name,
    page: typeof page === 'string' ? page : undefined,
    only: only === 'true',
    expires: Number(expires),
  }
  const isWhole = isId(spaceId) && isId(revisionId) && typeof signature === 'string'
  if (!isWhole || !isSigned(app, address, signature)) throw notFound('file')
  const space = await findSpaceById(app.db, spaceId)
  const row = space && (await findRevision(app.db, space.organization_id, spaceId, revisionId))
  if (!row) throw notFound('file')
  const appUrl = `${app.url}${appPath.space(space.organization_id, space.id)}/`
  return { content: { space, at: asRevision(row), appUrl }, address }
}
