import type { Static } from 'typebox'
import { accessSpace } from '../access/content.ts'
import type { Entry } from '../content/merge/entry.ts'
import { parse } from '../content/parse.ts'
import { notFound } from '../http/errors.ts'
import { KeptAnswer, answerKept } from '../http/kept.ts'
import type { App, Routes } from '../http/routes.ts'
import { OneOf, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { findEntry, page, reusable } from '../revisions/entries.ts'
import { type Content, type ContentParams, accessContent } from './access.ts'
import { isEvaluated, presentBody, presentDocument, presentText, readBlocks } from './body.ts'
import { type Family, families, readPolicy } from './families.ts'
import { type FoundPage, readPage, readPageByPath } from './find.ts'
import { withGenerated } from './generated.ts'
import { type View, presentPage, presentReusable } from './present.ts'
import { findDocument } from './queries.ts'
import {
  ContentQuery,
  DocumentQuery,
  JSONDocument,
  Page,
  PageQuery,
  Pages,
  ReusableContent,
  ReusableQuery,
  Revision,
} from './schema.ts'
import { currentHour, pagesAnswer, revisionAnswer } from './snapshot.ts'
import { findTold } from './told.ts'

export const contentRoutes: Routes = async (app) => {
  for (const family of families) {
    treeRoutes(app, family)
    pageRoutes(app, family)
    reusableRoutes(app, family)
  }
  documentRoutes(app)
}

function treeRoutes(app: App, { base, params, tags, where, operations, config }: Family): void {
  app.get(
    base,
    {
      config,
      schema: {
        operationId: operations.revision,
        summary: `Get all content ${where}, without bodies`,
        tags,
        params: Type.Object(params),
        querystring: ContentQuery,
        response: { 200: Revision, ...refusals },
      },
    },
    async (request, reply) => {
      const found = await accessContent(app, request.caller, request.params as unknown as ContentParams)
      const content = await withGenerated(app, found, request.query)
      return answerKept(request, reply, await revisionAnswer(app, content, viewOf(content, request.query)))
    },
  )

  app.get(
    `${base}/pages`,
    {
      config,
      schema: {
        operationId: operations.pages,
        summary: `Get the pages ${where} as a tree`,
        tags,
        params: Type.Object(params),
        querystring: ContentQuery,
        response: { 200: Pages, ...refusals },
      },
    },
    async (request, reply) => {
      const found = await accessContent(app, request.caller, request.params as unknown as ContentParams)
      const content = await withGenerated(app, found, request.query)
      return answerKept(request, reply, await pagesAnswer(app, content, viewOf(content, request.query)))
    },
  )
}

function pageRoutes(app: App, { base, params, tags, where, operations, config }: Family): void {
  app.get(
    `${base}/page/:pageId`,
    {
      config,
      schema: {
        operationId: operations.page,
        summary: `Get a page ${where}`,
        tags,
        params: Type.Object({ ...params, pageId: Type.String() }),
        querystring: PageQuery,
        response: { 200: Page, ...refusals },
      },
    },
    async (request, reply) => {
      const { pageId, ...where } = request.params as unknown as ContentParams & { pageId: string }
      const found = await accessContent(app, request.caller, where)
      const content = await withGenerated(app, found, request.query)
      // If pages were generated from this page, they replace it in the tree. Its author was given this address, so it
      // still works.
      const read = async () =>
        (await readPage(app, content, pageId)) ?? (content.expanded && readPage(app, found, pageId))
      return answerKept(request, reply, await pageAnswer(app, content, `page ${pageId}`, request.query, read))
    },
  )

  app.get(
    `${base}/path/*`,
    {
      config,
      schema: {
        operationId: operations.path,
        summary: `Get a page ${where} by its path`,
        tags,
        params: Type.Object(params),
        querystring: PageQuery,
        response: { 200: Page, ...refusals },
      },
    },
    async (request, reply) => {
      const { '*': path, ...where } = request.params as unknown as ContentParams & { '*': string }
      const found = await accessContent(app, request.caller, where)
      const content = await withGenerated(app, found, request.query)
      const read = () => readPageByPath(app, content, slugsOf(path))
      return answerKept(request, reply, await pageAnswer(app, content, `path ${path}`, request.query, read))
    },
  )

  if (!operations.pageDocument) return
  app.get(
    `${base}/page/:pageId/document`,
    {
      config,
      schema: {
        operationId: operations.pageDocument,
        summary: `Get the body of a page ${where}`,
        tags,
        params: Type.Object({ ...params, pageId: Type.String() }),
        querystring: DocumentQuery,
        response: { 200: JSONDocument, ...refusals },
      },
    },
    async (request) => {
      const { pageId, ...where } = request.params as unknown as ContentParams & { pageId: string }
      const content = await withGenerated(app, await accessContent(app, request.caller, where), {})
      const entry = content.expanded?.tree.byId.get(pageId) ?? (await accessPage(app, content, pageId))
      return readBlocks(app, content, entry, request.query)
    },
  )
}

function reusableRoutes(app: App, { base, params, tags, where, operations, config }: Family): void {
  const reusableParams = Type.Object({ ...params, reusableContentId: Type.String() })
  type ReusableParams = ContentParams & { reusableContentId: string }

  app.get(
    `${base}/reusable-contents/:reusableContentId`,
    {
      config,
      schema: {
        operationId: operations.reusable,
        summary: `Get a reusable content ${where}`,
        tags,
        params: reusableParams,
        querystring: ReusableQuery,
        response: { 200: ReusableContent, ...refusals },
      },
    },
    async (request) => {
      const { reusableContentId, ...where } = request.params as unknown as ReusableParams
      const content = await accessContent(app, request.caller, where)
      const entry = await accessReusable(app, content, reusableContentId)
      const shown = presentReusable(entry, viewOf(content, request.query))
      const { format } = request.query
      if (format === undefined) return shown
      const markdown = await app.content.body(content.at.organizationId, entry.doc)
      return { ...shown, ...(await presentText(app, content, entry, markdown, request.query, format)) }
    },
  )

  if (!operations.reusableDocument) return
  app.get(
    `${base}/reusable-contents/:reusableContentId/document`,
    {
      config,
      schema: {
        operationId: operations.reusableDocument,
        summary: `Get the body of a reusable content ${where}`,
        tags,
        params: reusableParams,
        querystring: DocumentQuery,
        response: { 200: JSONDocument, ...refusals },
      },
    },
    async (request) => {
      const { reusableContentId, ...where } = request.params as unknown as ReusableParams
      const content = await accessContent(app, request.caller, where)
      const entry = await accessReusable(app, content, reusableContentId)
      return readBlocks(app, content, entry, request.query)
    },
  )
}

function documentRoutes(app: App): void {
  app.get(
    '/spaces/:spaceId/documents/:documentId',
    {
      config: { policy: readPolicy },
      schema: {
        operationId: 'getDocumentById',
        summary: 'Get a body by its id',
        tags: ['space-content'],
        params: Type.Object({ spaceId: Type.String(), documentId: Type.String() }),
        querystring: Type.Object({
          schema: Type.Optional(
            OneOf(['current', 'next'] as const, { description: 'Has no effect: there is only one schema.' }),
          ),
        }),
        response: { 200: JSONDocument, ...refusals },
      },
    },
    async (request) => {
      const { spaceId, documentId } = request.params
      const { space } = await accessSpace(app.db, request.caller, spaceId, 'view')
      const markdown = await findDocument(app.db, space, documentId)
      if (markdown === undefined) throw notFound('document')
      return presentDocument(parse(markdown))
    },
  )
}

/** A page of a revision never changes, so its answer is cached by revision. Evaluated pages are evaluated each time. */
async function pageAnswer(
  app: App,
  content: Content,
  name: string,
  query: PageRequest,
  read: () => Promise<FoundPage | undefined>,
): Promise<KeptAnswer> {
  const make = async () => showPage(app, content, await read(), query)
  if (isEvaluated(query) || content.shown) return new KeptAnswer(await make())
  // HTML contains addresses of files, which change every hour.
  const hour = query.format === 'html' ? currentHour() : ''
  const stamp = content.expanded?.stamp ?? ''
  return app.content.answer(content.at, `${name} ${JSON.stringify(query)} ${content.appUrl} ${hour} ${stamp}`, make)
}

async function showPage(app: App, content: Content, found: FoundPage | undefined, query: PageRequest) {
  if (!found) throw notFound('page')
  const shown = presentPage(found.tree, found.self, viewOf(content, query))
  return { ...shown, ...(await presentBody(app, content, found.self, found.markdown, query)) }
}

type PageRequest = Static<typeof PageQuery>

const viewOf = ({ appUrl, shown }: Content, { metadata = true }: { metadata?: boolean }): View => ({
  appUrl,
  withGit: metadata,
  isForVisitor: shown !== undefined,
})

/** Leading and trailing slashes are ignored. Each slash in between is one level down. */
const slugsOf = (path: string) => path.replace(/^\/|\/$/g, '').split('/')

async function accessPage(app: App, { at }: Content, id: string): Promise<Entry> {
  const entry = await findEntry(app.db, at, id)
  if (entry?.kind !== page) throw notFound('page')
  return entry
}

async function accessReusable(app: App, content: Content, id: string): Promise<Entry> {
  const entry = await findTold(app, content, reusable, id)
  if (!entry) throw notFound('reusable content')
  return entry
}
