import { markdownOf } from '../change-requests/text.ts'
import { notFound } from '../http/errors.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessComment, accessPlace, accessReply, requireAuthor, requireRight } from './access.ts'
import { changeComment, deleteReply, postReply } from './actions.ts'
import { newText, requireSame } from './changing.ts'
import { type Family, type PlaceParams, bodyDepth, families, readPolicy, talkPolicy } from './families.ts'
import { tellOfNewWords } from './mentions.ts'
import { listReplies, lockComment } from './queries.ts'
import { CommentReply, FormatQuery, NewReply, RepliesQuery, ReplyChanges } from './schema.ts'
import { replyPresenter, showReply } from './show.ts'

export const replyRoutes: Routes = async (app) => {
  for (const family of families) {
    listAndPost(app, family)
    oneReply(app, family)
  }
}

function listAndPost(app: App, { base, params, tags, where, operations }: Family): void {
  const path = `${base}/comments/:commentId/replies`
  const ofComment = Type.Object({ ...params, commentId: Type.String() })
  type CommentParams = PlaceParams & { commentId: string }

  app.get(
    path,
    {
      config: { policy: readPolicy },
      schema: {
        operationId: operations.listReplies,
        summary: `List the replies to a comment ${where}`,
        description: 'Oldest first.',
        tags,
        params: ofComment,
        querystring: RepliesQuery,
        response: { 200: listOf(CommentReply), ...refusals },
      },
    },
    async (request) => {
      const { commentId, ...at } = request.params as unknown as CommentParams
      const place = await accessPlace(app.db, request.caller, at, 'view')
      const comment = await accessComment(app.db, place, commentId)
      const page = pageOf(request)
      const rows = await listReplies(app.db, comment, page)
      const present = await replyPresenter(app, app.db, place, rows.slice(0, page.limit), request.query.format)
      return presentPage(
        request,
        page,
        { rows, count: comment.replies },
        (row) => [row.posted_at.toISOString(), row.id],
        present,
      )
    },
  )

  app.post(
    path,
    {
      config: { policy: talkPolicy, bodyDepth },
      schema: {
        operationId: operations.postReply,
        summary: `Reply to a comment ${where}`,
        tags,
        params: ofComment,
        querystring: FormatQuery,
        body: NewReply,
        response: { 200: CommentReply, ...refusals },
      },
    },
    async (request) => {
      const { commentId, ...at } = request.params as unknown as CommentParams
      const place = await accessPlace(app.db, request.caller, at, 'comment')
      const markdown = markdownOf(request.body.body, 'body.body')

      return write(request, async (tx) => {
        const row = await postReply(tx, place, commentId, { markdown })
        app.mail.tell(tx, { kind: 'said', organizationId: place.organizationId, about: { comment: row.id } })
        return showReply(app, tx, place, row, request.query.format)
      })
    },
  )
}

function oneReply(app: App, { base, params, tags, where, operations }: Family): void {
  const path = `${base}/comments/:commentId/replies/:commentReplyId`
  const ofReply = Type.Object({ ...params, commentId: Type.String(), commentReplyId: Type.String() })
  type ReplyParams = PlaceParams & { commentId: string; commentReplyId: string }

  app.get(
    path,
    {
      config: { policy: readPolicy },
      schema: {
        operationId: operations.getReply,
        summary: `Get a reply to a comment ${where}`,
        tags,
        params: ofReply,
        querystring: FormatQuery,
        response: { 200: CommentReply, ...refusals },
      },
    },
    async (request) => {
      const { commentId, commentReplyId, ...at } = request.params as unknown as ReplyParams
      const place = await accessPlace(app.db, request.caller, at, 'view')
      const row = await accessReply(app.db, place, commentId, commentReplyId)
      return showReply(app, app.db, place, row, request.query.format)
    },
  )

  app.put(
    path,
    {
      config: {
        policy: token('space:write', 'the role comment in the space; only the author can change the text'),
        bodyDepth,
      },
      schema: {
        operationId: operations.updateReply,
        summary: `Update a reply to a comment ${where}: its text or your reactions`,
        tags,
        params: ofReply,
        querystring: FormatQuery,
        body: ReplyChanges,
        response: { 200: CommentReply, ...refusals },
      },
    },
    async (request) => {
      const { commentId, commentReplyId, ...at } = request.params as unknown as ReplyParams
      const { addedReactions, removedReactions } = request.body
      const place = await accessPlace(app.db, request.caller, at, 'comment')
      const markdown = newText(request.body)

      return write(request, async (tx) => {
        const row = await lockComment(tx, place, { id: commentReplyId, parentId: commentId })
        if (!row) throw notFound('reply')
        if (markdown !== undefined) requireAuthor(row, place)
        await requireSame(request, (format) => showReply(app, tx, place, row, format))
        const changed = await changeComment(tx, place, row, { markdown, addedReactions, removedReactions })
        tellOfNewWords(app.mail, tx, row, changed)
        return showReply(app, tx, place, changed, request.query.format)
      })
    },
  )

  app.delete(
    path,
    {
      config: { policy: token('space:write', 'the role comment in the space; for others’ replies, review') },
      schema: {
        operationId: operations.deleteReply,
        summary: `Delete a reply to a comment ${where}`,
        tags,
        params: ofReply,
        response: { 205: Nothing('The reply was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { commentId, commentReplyId, ...at } = request.params as unknown as ReplyParams
      const place = await accessPlace(app.db, request.caller, at, 'comment')

      await write(request, async (tx) => {
        // The comment is locked first, as everywhere that needs both.
        if (!(await lockComment(tx, place, { id: commentId, parentId: null }))) throw notFound('comment')
        const row = await accessReply(tx, place, commentId, commentReplyId)
        requireRight(row, place, 'delete', 'delete this reply')
        await requireSame(request, (format) => showReply(app, tx, place, row, format))
        await deleteReply(tx, place, row)
      })
    },
  )
}
