import { notFound } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import type { App, Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { type Content, type ContentParams, accessContent } from '../pages/access.ts'
import { families } from '../pages/families.ts'
import { ContentQuery, contentQuery } from '../pages/schema.ts'
import { findTold, listTold } from '../pages/told.ts'
import { type Entry, file } from '../revisions/entries.ts'
import { downloadUrl } from './download.ts'
import { presentFile } from './present.ts'
import { File } from './schema.ts'

export const fileRoutes: Routes = async (app) => {
  for (const { base, params, tags, where, operations, config } of families) {
    app.get(
      `${base}/files`,
      {
        config,
        schema: {
          operationId: operations.files,
          summary: `List the files ${where}`,
          tags,
          params: Type.Object(params),
          querystring: Type.Object({ ...pageQuery, ...contentQuery }),
          response: { 200: listOf(File), ...refusals },
        },
      },
      async (request) => {
        const content = await accessContent(app, request.caller, request.params as unknown as ContentParams)
        const page = pageOf(request)
        const all = await listTold(app, content, file)
        const rows = startingBehind(all, page.after?.[0]).slice(0, page.limit + 1)
        return presentPage(
          request,
          page,
          { rows, count: all.length },
          ({ entry }) => [entry],
          (entry) => showFile(app, content, entry, request.query),
        )
      },
    )

    app.get(
      `${base}/files/:fileId`,
      {
        config,
        schema: {
          operationId: operations.file,
          summary: `Get a file ${where}`,
          tags,
          params: Type.Object({ ...params, fileId: Type.String() }),
          querystring: ContentQuery,
          response: { 200: File, ...refusals },
        },
      },
      async (request) => {
        const { fileId, ...where } = request.params as unknown as ContentParams & { fileId: string }
        const content = await accessContent(app, request.caller, where)
        const entry = await findTold(app, content, file, fileId)
        if (!entry) throw notFound('file')
        return showFile(app, content, entry, request.query)
      },
    )
  }
}

/** Files are sorted by id, which is also the order of their age. */
function startingBehind(files: readonly Entry[], last: unknown): readonly Entry[] {
  if (typeof last !== 'string') return files
  const start = files.findIndex(({ entry }) => entry > last)
  return start === -1 ? [] : files.slice(start)
}

function showFile(app: App, { space }: Content, entry: Entry, { metadata = true }: { metadata?: boolean }) {
  return presentFile(entry, downloadUrl(app, space.id, entry), metadata)
}
