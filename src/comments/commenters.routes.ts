import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import type { Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { presentMember } from '../organizations/members.present.ts'
import { Member } from '../organizations/members.schema.ts'
import { accessPlace } from './access.ts'
import { listCommenters } from './commenters.queries.ts'
import { type PlaceParams, families, readPolicy } from './families.ts'

export const commenterRoutes: Routes = async (app) => {
  for (const { base, params, tags, where, operations } of families) {
    app.get(
      `${base}/commenters`,
      {
        config: { policy: readPolicy },
        schema: {
          operationId: operations.commenters,
          summary: `List the members who have commented ${where}`,
          tags,
          params: Type.Object(params),
          querystring: Type.Object(pageQuery),
          response: { 200: listOf(Member), ...refusals },
        },
      },
      async (request) => {
        const place = await accessPlace(app.db, request.caller, request.params as unknown as PlaceParams, 'view')
        const page = pageOf(request)
        const list = await listCommenters(app.db, place, request.caller.user.id, page)
        return presentPage(
          request,
          page,
          list,
          (row) => [row.user_id],
          (row) => presentMember(row, app.url),
        )
      },
    )
  }
}
