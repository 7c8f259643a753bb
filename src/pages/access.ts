import { appPath } from '../app-path.ts'
import type { Caller } from '../access/caller.ts'
import { accessSpace } from '../access/content.ts'
import type { SpaceRow } from '../db/tables.ts'
import { notFound } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { findRevision } from '../revisions/lines.ts'
import { type Revision, asRevision } from '../revisions/revision.ts'
import type { Scope } from '../expressions/compile.ts'
import { lostLinks } from '../audience/links-away.ts'
import { visibleTree } from '../audience/pages.ts'
import type { Expanded } from '../openapi/generate/expand.ts'
import { type SiteReader, findSpaceForReader } from '../audience/reader.ts'
import { visiblePlaces } from '../audience/snapshots/structure.ts'
import { findHeadOfChangeRequest } from './queries.ts'
import type { PageTree } from './tree.ts'

/** Content that the caller may read: one revision of one space, and where the authors' app shows it. */
export interface Content {
  space: SpaceRow
  at: Revision
  appUrl: string
  /** Set for the current content of the space, which its sites show. */
  isCurrent?: boolean
  /** Set for a visitor of a site: the pages and spaces that are not hidden from them, and what is known about them. */
  shown?: { tree: PageTree; spaces: ReadonlyMap<string, Revision>; scope: Scope | undefined }
  /** Set if some pages are generated from specifications: the tree that includes them. */
  expanded?: Expanded
}

/** The path parameters: the space alone, a change request in it, or any of its revisions. */
export interface ContentParams {
  spaceId: string
  changeRequestId?: string
  revisionId?: string
}

/**
 * Returns the revision that a request is about: the newest of the space or of a change request, or the one named in the
 * path.
 */
export async function accessContent(app: App, caller: Caller, params: ContentParams): Promise<Content> {
  if (caller.reader) return accessAsReader(app, caller.reader, params)
  const { space, main } = await accessSpace(app.db, caller, params.spaceId, 'view')
  const appUrl = `${app.url}${appPath.space(space.organization_id, space.id)}/`
  if (params.revisionId !== undefined) {
    const row = await findRevision(app.db, space.organization_id, space.id, params.revisionId)
    if (!row) throw notFound('revision')
    return { space, at: asRevision(row), appUrl: `${appUrl}~/revisions/${row.id}/`, isCurrent: row.id === main.id }
  }
  if (params.changeRequestId !== undefined) {
    const found = await findHeadOfChangeRequest(app.db, space, params.changeRequestId)
    if (!found) throw notFound('change request')
    return { space, at: asRevision(found), appUrl: `${appUrl}~/changes/${found.number}/` }
  }
  return { space, at: main, appUrl, isCurrent: true }
}

/** Returns the current content that a site shows. Visitors do not see revisions or change requests. */
async function accessAsReader(app: App, reader: SiteReader, params: ContentParams): Promise<Content> {
  const isNow = params.revisionId === undefined && params.changeRequestId === undefined
  const found = isNow ? await findSpaceForReader(app.db, reader, params.spaceId) : undefined
  if (!found) throw notFound('space')
  const { space, variant } = found
  const pages = await app.audience.pages(variant.head)
  const { snapshot, visitor } = reader
  const tree = visibleTree(pages, visitor, await lostLinks(app, reader, pages))
  const places = visiblePlaces(snapshot, visitor)
  const spaces = new Map(places.map(({ variant }) => [variant.space.id, variant.head]))
  return {
    space,
    at: variant.head,
    appUrl: `${app.url}${appPath.space(space.organization_id, space.id)}/`,
    shown: { tree, spaces, scope: visitor.scope },
  }
}
