import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAPIVersionRow } from '../db/tables.ts'
import { findBlob } from '../files/blobs.queries.ts'
import { sendBlob } from '../files/send.ts'
import { notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { findPublicVersion, findVersionById } from './versions.queries.ts'

const hourSeconds = 3600

/**
 * Returns a signed address of a version, as one document. It expires at a full hour, between one and two hours from
 * now. So the address stays the same within an hour, and so does the ETag of a response that contains it.
 */
export function downloadUrl(
  { url, secrets }: Pick<App, 'url' | 'secrets'>,
  { organization_id: organizationId, id }: OpenAPIVersionRow,
): string {
  const expires = (Math.floor(Date.now() / 1000 / hourSeconds) + 2) * hourSeconds
  const signature = secrets.sign('openapi', signedText(organizationId, id, expires))
  return `${url}/openapi/versions/${organizationId}/${id}/openapi.json?expires=${expires}&signature=${signature}`
}

const signedText = (organizationId: string, versionId: string, expires: number) =>
  JSON.stringify([organizationId, versionId, expires])

/** The address where anyone may download a public specification. */
export const publicUrl = (url: string, specId: string) => `${url}/openapi/${specId}/openapi.json`

/** The routes of both addresses. They are not part of the API, and require no token. */
export const specDownloadRoutes: Routes = async (app) => {
  const config = { hidden: true, uncounted: true }

  app.get('/openapi/versions/:organizationId/:versionId/openapi.json', { config }, async (request, reply) => {
    const { organizationId, versionId } = request.params as { organizationId: string; versionId: string }
    const { expires, signature } = request.query as Record<string, unknown>
    const text = signedText(organizationId, versionId, Number(expires))
    const isOurs = typeof signature === 'string' && app.secrets.verify('openapi', text, signature)
    const isLate = Number(expires) * 1000 <= Date.now()
    const version = isOurs && !isLate ? await findVersionById(app.db, organizationId, versionId) : undefined
    return send(app, request, reply, version, 'private, max-age=3600')
  })

  app.get('/openapi/:specId/openapi.json', { config }, async (request, reply) => {
    const { specId } = request.params as { specId: string }
    const version = isId(specId) ? await findPublicVersion(app.db, specId) : undefined
    return send(app, request, reply, version, 'public, max-age=60')
  })
}

async function send(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  version: OpenAPIVersionRow | undefined,
  cacheControl: string,
): Promise<FastifyReply> {
  const blob = version && (await findBlob(app.db, version.organization_id, version.document_blob))
  if (!blob) throw notFound('specification')
  return sendBlob(app, request, reply, { blob, name: 'openapi.json', cacheControl })
}
