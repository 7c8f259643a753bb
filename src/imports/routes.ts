import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { requireRevision, tagWithRevision } from '../http/conditional.ts'
import { invalid } from '../http/errors.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { isRepeat, write } from '../http/write.ts'
import { changeLine } from '../revisions/change-line.ts'
import { atOnce } from './limits.ts'
import type { PreparedImport, Source } from './prepare.ts'
import { reasonOf } from './failure.ts'
import { presentResult } from './present.ts'
import { ImportContent, ImportContentResult } from './schema.ts'
import { type Target, accessPlace, accessTarget } from './target.ts'
import { holdLine, workOut } from './write.ts'

const ofSpace = { spaceId: Type.String() }
const ofChangeRequest = { ...ofSpace, changeRequestId: Type.String() }
const tags = ['imports']
const description =
  'Pages are added after the existing ones, at most 200 at once. If there were more, `importedResources` is less than `totalResources`; an import run has no such limit.'

export const importRoutes: Routes = async (app) => {
  const needs = 'the role edit on the space; if it is locked, the role review'
  const schema = { tags, description, body: ImportContent, response: { 201: ImportContentResult, ...refusals } }

  app.post(
    '/spaces/:spaceId/content/import',
    {
      config: { policy: token('space:write', needs) },
      schema: {
        ...schema,
        operationId: 'importContent',
        summary: 'Import a website or a file into a space',
        params: Type.Object(ofSpace),
      },
    },
    async (request, reply) => importInto(app, request, reply, request.params),
  )

  app.post(
    '/spaces/:spaceId/content/page/:pageId/import',
    {
      config: { policy: token('space:write', needs) },
      schema: {
        ...schema,
        operationId: 'importContentInPageById',
        summary: 'Import a website or a file below a page',
        params: Type.Object({ ...ofSpace, pageId: Type.String() }),
      },
    },
    async (request, reply) => importInto(app, request, reply, request.params),
  )

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/content/import',
    {
      config: { policy: token('space:write', 'the role edit on the space') },
      schema: {
        ...schema,
        operationId: 'importContentInChangeRequest',
        summary: 'Import a website or a file into a change request',
        params: Type.Object(ofChangeRequest),
      },
    },
    async (request, reply) => importInto(app, request, reply, request.params),
  )

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId/import',
    {
      config: { policy: token('space:write', 'the role edit on the space') },
      schema: {
        ...schema,
        operationId: 'importContentInChangeRequestPageById',
        summary: 'Import a website or a file below a page of a change request',
        params: Type.Object({ ...ofChangeRequest, pageId: Type.String() }),
      },
    },
    async (request, reply) => importInto(app, request, reply, request.params),
  )
}

/**
 * Fetches and reads first, then writes everything as one revision. A repeated request that was already answered is not
 * fetched again.
 */
async function importInto(app: App, request: FastifyRequest, reply: FastifyReply, target: Target) {
  const { caller } = request
  const source = sourceOf(request.body as Static<typeof ImportContent>)
  await accessPlace(app.db, caller, target)
  const answer = (await isRepeat(request))
    ? await write(request, async (): Promise<Static<typeof ImportContentResult>> => unrepeatable())
    : await importNow(app, request, goneSignal(reply), target, source)
  reply.header('location', `${app.url}/v1/spaces/${target.spaceId}/revisions/${answer.revision}`)
  return tagWithRevision(reply, answer, answer.revision)
}

async function importNow(app: App, request: FastifyRequest, gone: AbortSignal, target: Target, source: Source) {
  const { caller } = request
  const checked = await accessTarget(app.db, caller, target, 'page')
  return app.imports.atOnce(gone, async (stopping) => {
    requireRevision(request, checked.head.id)
    const prepared = await prepare(app, source, checked.access.space.language, stopping)
    try {
      const { db, store, url } = app
      await prepared.keepFiles(db, store, checked.access.space.organization_id)
      const requireHead = ({ head }: { head: { id: string } }) => requireRevision(request, head.id)
      return await changeLine(request, checked.head.lineId, {
        workOut: async (db) => {
          const writeIt = await workOut(db, target, prepared, { caller, url, requireHead })
          return async (tx) => presentResult((await writeIt(tx)).revision, prepared)
        },
        hold: (tx) => holdLine(tx, checked),
      })
    } finally {
      await prepared.cleanUp()
    }
  })
}

/** Returns how each kind of content is fetched. A source that has to be exported first is refused with instructions. */
function sourceOf({ url, source }: Static<typeof ImportContent>): Source {
  switch (source) {
    case 'website':
      return { type: 'website', url }
    case 'markdown':
    case 'html':
    case 'docx':
    case 'zip':
      return { type: 'address', url, kind: source }
    default:
      throw invalid('body.source', 'source', exports[source])
  }
}

const exports = {
  confluence: 'cannot be imported directly. In Confluence, export the space as HTML, and import that archive as "zip".',
  notion:
    'cannot be imported directly. In Notion, export the page as Markdown or HTML with subpages, and import that archive as "zip".',
  'github-wiki':
    'cannot be imported directly. Download the wiki as a zip archive of Markdown files, and import that as "zip".',
  'google-docs':
    'cannot be imported directly. In Google Docs, download the document as .docx, and import that as "docx".',
} as const

async function prepare(
  app: App,
  source: Source,
  language: string | null,
  stopping: AbortSignal,
): Promise<PreparedImport> {
  const { fetcher, config } = app
  const progress = { found: () => {}, done: () => {}, dropped: () => {} }
  try {
    const { prepareImport } = await import('./prepare.ts')
    return await prepareImport(source, { fetcher, config, limits: atOnce, language, progress, stopping })
  } catch (error) {
    const known = reasonOf(error)
    throw known ? invalid('body.url', known.rule, known.message) : error
  }
}

/** Aborts when the client has disconnected. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
  return gone.signal
}

function unrepeatable(): never {
  throw invalid('header.idempotency-key', 'forgotten', 'names an answer that has just been forgotten: use a new one')
}
