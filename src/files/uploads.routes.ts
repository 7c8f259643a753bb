import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { accessOrganization } from '../access/caller.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { ApiError, conflict, invalid, notFound } from '../http/errors.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { isId, newId } from '../ids.ts'
import { TooManyBytes } from '../storage/receive.ts'
import { type Incoming, discard, keepBlob, receiveBlob } from './blobs.ts'
import { hasTooManyPixels } from './inspect.ts'
import {
  type UploadKind,
  type UploadRow,
  findUpload,
  insertUpload,
  lockUpload,
  setUploadBlob,
} from './uploads.queries.ts'
import { NewUpload, UploadAddress } from './uploads.schema.ts'

export const uploadRoutes: Routes = async (app) => {
  app.post(
    '/orgs/:organizationId/storage/upload',
    {
      config: { policy: token('space:write', 'to be a member') },
      schema: {
        operationId: 'generateStorageUploadURL',
        summary: 'Create an upload URL',
        tags: ['storage'],
        params: Type.Object({ organizationId: Type.String() }),
        body: NewUpload,
        response: { 201: UploadAddress, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'view')
      const { file, kind } = request.body
      const most = limitOf(app, kind)
      if (file.size > most) throw invalid('body.file.size', 'maximum', `must be <= ${most}`)

      return write(request, async (tx) => {
        const key = newId()
        await insertUpload(tx, {
          organization_id: organization.id,
          key,
          name: file.name,
          content_type: file.type,
          size: file.size,
          kind,
        })
        const url = `${app.url}/uploads/${key}?signature=${app.secrets.sign('upload', key)}`
        return { object: 'storage-signed-url' as const, url, key }
      })
    },
  )
}

const limitOf = ({ config }: App, kind: UploadKind) =>
  kind === 'import_file' ? config.limits.importBytes : config.limits.uploadBytes

/** The endpoint that receives the bytes. Not part of the API: a client needs only the address, and no token. */
export const uploadTarget: Routes = async (app) => {
  // Whatever the content type, the bytes are read as a stream.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.put(
    '/uploads/:key',
    {
      config: { hidden: true, uncounted: true },
      bodyLimit: Math.max(app.config.limits.uploadBytes, app.config.limits.importBytes),
    },
    async (request, reply) => {
      const { key } = request.params as { key: string }
      const { signature } = request.query as { signature?: string | string[] }
      const isOurs = isId(key) && typeof signature === 'string' && app.secrets.verify('upload', key, signature)
      const upload = isOurs ? await findUpload(app.db, key) : undefined
      if (!upload?.open) throw notFound('upload, or its hour is over')

      const bytes = request.body as IncomingMessage | undefined
      const incoming = await receiveUpload(app, upload, bytes).catch((error: unknown) => {
        leaveUnread(reply, bytes, error)
        throw error
      })
      failpoint('upload.received')
      try {
        await keepUpload(app, upload, incoming)
      } finally {
        await discard([incoming])
      }
      return reply.code(200).send()
    },
  )
}

/** Drains the remaining bytes or closes the connection. Otherwise the next request on it would wait forever. */
function leaveUnread(reply: FastifyReply, bytes: IncomingMessage | undefined, error: unknown): void {
  if (error instanceof ApiError && error.type === 'body_too_large') reply.header('connection', 'close')
  else bytes?.resume()
}

async function receiveUpload(app: App, upload: UploadRow, bytes: IncomingMessage | undefined): Promise<Incoming> {
  const { name, content_type: declared, size } = upload
  // Destroying the stream half-way would leave its connection open, with nobody reading from it.
  const read = bytes?.iterator({ destroyOnReturn: false }) ?? []
  const incoming = await receiveBlob(app.config, read, { name, declared, maxBytes: size }).catch((error: unknown) => {
    if (error instanceof TooManyBytes)
      throw new ApiError('body_too_large', `The upload is larger than the announced ${size} bytes.`)
    throw error
  })
  const refusal = refusalOf(upload, incoming)
  if (!refusal) return incoming
  await discard([incoming])
  throw refusal
}

function refusalOf({ size }: UploadRow, { blob }: Incoming): ApiError | undefined {
  if (blob.size !== size) return invalid('body', 'size', `must have the ${size} bytes that were announced`)
  return hasTooManyPixels(blob) ? invalid('body', 'pixels', 'at most 50 megapixels') : undefined
}

/**
 * Stores the bytes before the transaction that refers to them: a store can be slow, and database connections are few.
 * Until the commit the sweep spares the bytes, because they are young.
 */
async function keepUpload(app: App, upload: UploadRow, incoming: Incoming): Promise<void> {
  if (isKept(upload, incoming)) return
  await keepBlob(app.db, app.store, upload.organization_id, incoming)
  await transaction(app.db, nobody, async (tx) => {
    const locked = await lockUpload(tx, upload.key)
    if (!locked) throw notFound('upload')
    if (isKept(locked, incoming)) return
    await setUploadBlob(tx, locked, incoming.blob.hash)
    failpoint('upload.before-commit')
    tx.afterCommit(() => failpoint('upload.committed'))
  })
}

/**
 * Whether these bytes were already uploaded. Sending them again is fine: a client that did not get the response does
 * just that.
 */
function isKept({ blob }: UploadRow, incoming: Incoming): boolean {
  if (blob !== null && blob !== incoming.blob.hash)
    throw conflict('Different bytes were already uploaded here. Request a new upload URL.')
  return blob !== null
}
