import { listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessChangeRequest, lockUnmerged } from '../access.ts'
import { listContributors } from '../contributors.queries.ts'
import { requireReviewers } from './reviewers.access.ts'
import { askingFor, removeReviewer, requestReviewers } from './reviewers.actions.ts'
import { presentContributor, presentRequestedReviewer } from './reviewers.present.ts'
import { listRequestedReviewers } from './reviewers.queries.ts'
import { Contributor, RequestedReviewer, ReviewRequest } from './reviewers.schema.ts'
import { markdownOf } from '../text.ts'

const ofChangeRequest = Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() })
const tags = ['change-requests']

export const reviewerRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getRequestedReviewersByChangeRequestId',
        summary: 'List the requested reviewers of a change request',
        tags,
        params: ofChangeRequest,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(RequestedReviewer), ...refusals },
      },
    },
    async (request) => {
      const { changeRequest } = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const page = pageOf(request)
      const list = await listRequestedReviewers(app.db, changeRequest, page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.created_at.toISOString(), row.user_id],
        (row) => presentRequestedReviewer(row, app.url),
      )
    },
  )

  app.post(
    '/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers',
    {
      config: { policy: token('space:write', 'the role edit in the space') },
      schema: {
        operationId: 'requestReviewersForChangeRequest',
        summary: 'Request reviews of a change request',
        description: 'It becomes `open`.',
        tags,
        params: ofChangeRequest,
        body: ReviewRequest,
        response: { 200: Type.Object({ users: Type.Array(RequestedReviewer) }), ...refusals },
      },
    },
    async (request) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'edit')
      const { subject, description } = request.body
      const text = description === undefined ? undefined : markdownOf(description, 'body.description') || null

      return write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        const users = await requireReviewers(tx, access.space, request.body.users)
        const asked = await requestReviewers(tx, changeRequest, {
          users,
          ...(subject !== undefined && { subject }),
          ...(text !== undefined && { description: text }),
        })
        app.mail.tell(tx, ...askingFor(changeRequest, users, request.caller.user.id))
        return { users: asked.map((row) => presentRequestedReviewer(row, app.url)) }
      })
    },
  )

  app.delete(
    '/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers/:userId',
    {
      config: { policy: token('space:write', 'the role edit in the space') },
      schema: {
        operationId: 'removeRequestedReviewerFromChangeRequest',
        summary: 'Withdraw a review request',
        tags,
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String(), userId: Type.String() }),
        response: { 204: Nothing('The review request was withdrawn'), ...refusals },
      },
    },
    async (request) => {
      const access = await accessChangeRequest(app.db, request.caller, request.params, 'edit')

      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        await removeReviewer(tx, changeRequest, request.params.userId)
      })
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/contributors',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getContributorsByChangeRequestId',
        summary: 'List the contributors of a change request',
        tags,
        params: ofChangeRequest,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Contributor), ...refusals },
      },
    },
    async (request) => {
      const { changeRequest } = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const page = pageOf(request)
      const list = await listContributors(app.db, changeRequest, page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.user_id, row.action],
        (row) => presentContributor(row, app.url),
      )
    },
  )
}
