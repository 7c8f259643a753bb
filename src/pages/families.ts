import type { FastifyContextConfig } from 'fastify'
import type { TSchema } from 'typebox'
import { token } from '../http/routes.ts'
import Type from '../http/type.ts'

/**
 * Content is read in three ways: the current state of the space, the current state of a change request, and any
 * revision. The operations are the same; only their names and the beginning of their paths differ.
 */
export interface Family {
  base: string
  /** Visitors of a site can only read the current content. */
  config: FastifyContextConfig
  params: Record<string, TSchema>
  tags: string[]
  /** Completes a summary: "Get a page …". */
  where: string
  operations: {
    revision: string
    pages: string
    page: string
    metaLinks: string
    path: string
    reusable: string
    files: string
    file: string
    pageDocument?: string
    reusableDocument?: string
  }
}

export const readPolicy = token('space:read', 'to see the space')

export const families: Family[] = [
  {
    base: '/spaces/:spaceId/content',
    config: { policy: readPolicy, readers: true },
    params: { spaceId: Type.String() },
    tags: ['space-content'],
    where: 'of a space',
    operations: {
      revision: 'getCurrentRevision',
      pages: 'listPages',
      page: 'getPageById',
      metaLinks: 'listSpacePageMetaLinks',
      path: 'getPageByPath',
      reusable: 'getReusableContentById',
      files: 'listFiles',
      file: 'getFileById',
    },
  },
  {
    base: '/spaces/:spaceId/change-requests/:changeRequestId/content',
    config: { policy: readPolicy },
    params: { spaceId: Type.String(), changeRequestId: Type.String() },
    tags: ['change-request-content'],
    where: 'of a change request',
    operations: {
      revision: 'getRevisionOfChangeRequestById',
      pages: 'listPagesInChangeRequest',
      page: 'getPageInChangeRequestById',
      metaLinks: 'listChangeRequestPageMetaLinks',
      path: 'getPageInChangeRequestByPath',
      reusable: 'getReusableContentInChangeRequestById',
      files: 'listFilesInChangeRequestById',
      file: 'getFileInChangeRequestById',
    },
  },
  {
    base: '/spaces/:spaceId/revisions/:revisionId',
    config: { policy: readPolicy },
    params: { spaceId: Type.String(), revisionId: Type.String() },
    tags: ['space-content'],
    where: 'of a revision',
    operations: {
      revision: 'getRevisionById',
      pages: 'listPagesInRevisionById',
      page: 'getPageInRevisionById',
      metaLinks: 'listRevisionPageMetaLinks',
      path: 'getPageInRevisionByPath',
      reusable: 'getReusableContentInRevisionById',
      files: 'listFilesInRevisionById',
      file: 'getFileInRevisionById',
      pageDocument: 'getPageDocumentInRevisionById',
      reusableDocument: 'getReusableContentDocumentInRevisionById',
    },
  },
]
