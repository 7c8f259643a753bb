import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/connect.ts'
import type { App } from '../../http/routes.ts'
import { newId } from '../../ids.ts'
import type { Progress } from '../archive.ts'
import { countToExport, endExportRun, insertExportRun, noteExported } from './runs.queries.ts'

/** People who watch an export look about once a second; more frequent updates would be written for nobody. */
const everyMs = 1000

export interface Exported {
  organizationId: string
  spaceId: string | undefined
}

/** Records that an archive is being sent, and its progress. */
export async function trackExport(
  app: App,
  request: FastifyRequest,
  { organizationId, spaceId }: Exported,
  make: (progress: Progress) => Readable,
): Promise<{ id: string; archive: Readable }> {
  const id = newId()
  await insertExportRun(app.db, {
    organization_id: organizationId,
    id,
    space_id: spaceId ?? null,
    created_by: request.caller.user.id,
    total_files: await countFiles(app.db, organizationId, spaceId),
  })
  const failed = (error: unknown) => app.log.warn({ err: error, export: id }, 'how far an export is was not noted')
  const so = { files: 0, bytes: 0 }
  let noted = Promise.resolve()
  let notedAt = Date.now()
  const archive = make((files, bytes) => {
    Object.assign(so, { files, bytes })
    if (Date.now() - notedAt < everyMs) return
    notedAt = Date.now()
    noted = noted.then(() => noteExported(app.db, { id }, { ...so })).catch(failed)
  })
  // Sending a large file may take longer than the time after which a run without updates counts as lost.
  const alive = setInterval(() => void noteExported(app.db, { id }, { ...so }).catch(failed), 20_000).unref()
  finished(archive, { writable: false })
    .then(
      () => 'completed' as const,
      (error: NodeJS.ErrnoException) => {
        // The client sees an archive that ends early, and no reason, so the error is logged. That the client
        // disconnected is not an error.
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
          app.log.error({ err: error, export: id }, 'an export broke off')
        return 'failed' as const
      },
    )
    .then((status) => {
      clearInterval(alive)
      return noted.then(() => endExportRun(app.db, { id }, status, so))
    })
    .catch(failed)
  return { id, archive }
}

/** Estimates how many files an archive will have. */
export async function countFiles(db: Db, organizationId: string, spaceId: string | undefined): Promise<number> {
  const { entries, spaces } = await countToExport(db, organizationId, spaceId)
  // Beside the counted entries: five files per space, the manifest, and seven about an organization.
  return entries + spaces * 5 + (spaceId === undefined ? 8 : 1)
}
