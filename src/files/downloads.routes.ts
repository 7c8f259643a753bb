import type { FastifyRequest } from 'fastify'
import { notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { findSpaceById } from '../spaces/queries.ts'
import { type BlobRow, findBlob } from './blobs.queries.ts'
import { isSigned } from './download.ts'
import { sendBlob } from './send.ts'

/** The target of `downloadURL`. Not part of the API, and without a token: the signature is the right to read. */
export const downloadRoutes: Routes = async (app) => {
  app.get('/files/:spaceId/:fileId/:name', { config: { hidden: true, uncounted: true } }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const blob = await accessDownload(app, request)
    return sendBlob(app, request, reply, { blob, name, cacheControl: 'private, max-age=3600' })
  })
}

async function accessDownload(app: App, request: FastifyRequest): Promise<BlobRow> {
  const { spaceId, fileId, name } = request.params as { spaceId: string; fileId: string; name: string }
  const { blob, expires, signature } = request.query as Record<string, unknown>
  const isWhole = typeof blob === 'string' && typeof signature === 'string' && isId(spaceId)
  const download = { spaceId, fileId, name, blob: String(blob), expires: Number(expires) }
  if (!isWhole || !isSigned(app, download, signature)) throw notFound('file')
  const space = await findSpaceById(app.db, spaceId)
  const found = space && (await findBlob(app.db, space.organization_id, blob))
  if (!found) throw notFound('file')
  return found
}
