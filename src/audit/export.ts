import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { Db } from '../db/connect.ts'
import { type AuditFilter, listEntriesBefore } from './queries.ts'
import { presentAuditEvent } from './present.ts'

const batch = 1_000

/**
 * Streams every entry that matches, newest first, one per line. Reads in batches, as fast as the client takes them, so
 * that a long log takes no more memory than a short one. Entries that are added in the meantime are newer than the
 * start, so they are not included.
 */
export function answerExport(
  request: FastifyRequest,
  reply: FastifyReply,
  organizationId: string,
  filters: AuditFilter[],
): FastifyReply {
  const { db, url } = request.server
  reply.type('application/x-ndjson; charset=utf-8')
  reply.header('content-disposition', 'attachment; filename="audit-events.ndjson"')
  // An empty stream: a request for the headers alone does not read the whole log.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(Readable.from(linesOf(db, organizationId, filters, url), { objectMode: false }))
}

async function* linesOf(db: Db, organizationId: string, filters: AuditFilter[], url: string): AsyncGenerator<string> {
  for (let before: string | undefined; ;) {
    const rows = await listEntriesBefore(db, organizationId, filters, before, batch)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentAuditEvent(row, url))}\n`).join('')
    if (rows.length < batch) return
    before = rows.at(-1)!.id
  }
}
