import { accessSpace } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import { notFound } from '../http/errors.ts'
import { pageOf, presentPage } from '../http/paging.ts'
import type { Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { listChanged, listWritten } from '../revisions/entries.ts'
import { findRevision } from '../revisions/lines.ts'
import { type Revision, type RevisionRow, asRevision } from '../revisions/revision.ts'
import { changesBetween } from './changes.ts'
import { presentChanges, presentRevisionSummary } from './changes.present.ts'
import { ChangesQuery, RevisionList, RevisionQuery, SemanticChanges } from './changes.schema.ts'
import { readPolicy } from './families.ts'
import { listRevisions } from './queries.ts'
import { findMerged } from './snapshot.ts'

const config = { policy: readPolicy }
const tags = ['space-content']

export const revisionRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/revisions',
    {
      config,
      schema: {
        operationId: 'listRevisionsInSpace',
        summary: 'List the revisions of a space, newest first',
        tags,
        params: Type.Object({ spaceId: Type.String() }),
        querystring: RevisionQuery,
        response: { 200: RevisionList, ...refusals },
      },
    },
    async (request) => {
      const { space, main } = await accessSpace(app.db, request.caller, request.params.spaceId, 'view')
      const page = pageOf(request)
      const list = await listRevisions(app.db, main.lineId, space, page)
      return presentPage(
        request,
        page,
        list,
        ({ seq }) => [seq],
        (row) => presentRevisionSummary(row, app.url),
      )
    },
  )

  app.get(
    '/spaces/:spaceId/revisions/:revisionId/changes',
    {
      config,
      schema: {
        operationId: 'getRevisionSemanticChanges',
        summary: 'Get what a revision changed',
        tags,
        params: Type.Object({ spaceId: Type.String(), revisionId: Type.String() }),
        querystring: ChangesQuery,
        response: { 200: SemanticChanges, ...refusals },
      },
    },
    async (request) => {
      const { spaceId, revisionId } = request.params
      const { space } = await accessSpace(app.db, request.caller, spaceId, 'view')
      const row = await findRevision(app.db, space.organization_id, space.id, revisionId)
      if (!row) throw notFound('revision')

      const at = asRevision(row)
      const before = await findParent(app.db, row)
      const entries = await listTouched(app.db, before, at)
      const [changes, mergedFrom] = await Promise.all([
        changesBetween(app.db, before, at, entries, request.query.limit ?? 10),
        findMerged(app, row),
      ])
      return { ...(mergedFrom && { mergedFrom }), ...presentChanges(changes, { app, spaceId }) }
    },
  )
}

/** The revision that this one followed: the one before it on its line, or the one a branch started from. */
async function findParent(db: Db, { organization_id, space_id, parents }: RevisionRow): Promise<Revision | undefined> {
  const [first] = parents
  const row = first === undefined ? undefined : await findRevision(db, organization_id, space_id, first)
  return row && asRevision(row)
}

/** What it wrote and, where it brought a branch up to a newer main revision, what had changed there. */
async function listTouched(db: Db, before: Revision | undefined, at: Revision): Promise<string[]> {
  const { base } = at
  const stoodOn = before?.base ?? (before?.lineId === base?.lineId ? before : undefined)
  const movedOn = base && stoodOn && stoodOn.seq < base.seq
  const [own, main] = await Promise.all([
    listWritten(db, at),
    movedOn ? listChanged(db, { organizationId: at.organizationId, ...base }, stoodOn.seq) : [],
  ])
  return [...new Set([...own, ...main].map(({ entry }) => entry))]
}
