import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Variant } from '../audience/snapshots/snapshot.ts'
import { findBlob } from '../files/blobs.queries.ts'
import { sendBlob } from '../files/send.ts'
import type { App } from '../http/routes.ts'
import { entryWith } from '../pages/content-cache.ts'
import { fileData } from '../pages/entry-data.ts'
import { file } from '../revisions/entries.ts'
import type { Given } from '../http/given.ts'
import { type Manner, cacheControl } from './sending/headers.ts'

/**
 * Answers `~/files/<id>/<hash>/<name>`: a file as the variant's main line has it, for readers who may read the variant.
 */
export async function sendFile(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { head }: Variant,
  [kind, id, hash, name, ...more]: readonly string[],
  manner: Manner,
): Promise<Given | undefined> {
  if (kind !== 'files' || name === undefined || hash?.length !== 12 || more.length > 0) return undefined
  const entry = entryWith(await app.content.entries(head, file), id ?? '')
  const data = entry && fileData(entry)
  if (!data || data.name !== name || !data.blob.startsWith(hash)) return undefined
  const blob = await findBlob(app.db, head.organizationId, data.blob)
  if (!blob) return undefined
  if (!manner.isIndexed) reply.header('x-robots-tag', 'noindex')
  await sendBlob(app, request, reply, { blob, name, cacheControl: cacheControl(manner) })
  return { reply }
}
