import { markdownOf } from '../change-requests/text.ts'
import { notFound } from '../http/errors.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessComment, accessPlace, requireAuthor, requireRight } from './access.ts'
import { changeComment, deleteComment, postComment } from './actions.ts'
import { newText, requireSame } from './changing.ts'
import { type Family, type PlaceParams, bodyDepth, families, readPolicy, talkPolicy } from './families.ts'
import { tellOfNewWords } from './mentions.ts'
import { listComments, lockComment } from './queries.ts'
import { Comment, CommentChanges, CommentsQuery, FormatQuery, NewComment } from './schema.ts'
import { commentPresenter, showComment } from './show.ts'
import { findTarget } from './target.ts'

export const commentRoutes: Routes = async (app) => {
  for (const family of families) {
    listAndPost(app, family)
    oneComment(app, family)
  }
}

function listAndPost(app: App, { base, params, tags, where, operations }: Family): void {
  app.get(
    `${base}/comments`,
    {
      config: { policy: readPolicy },
      schema: {
        operationId: operations.list,
        summary: `List the comments ${where}`,
        tags,
        params: Type.Object(params),
        querystring: CommentsQuery,
        response: { 200: listOf(Comment), ...refusals },
      },
    },
    async (request) => {
      const place = await accessPlace(app.db, request.caller, request.params as unknown as PlaceParams, 'view')
      const { order = 'desc', status = 'all', targetPage, authors, format } = request.query
      const filter = { order, status, pageId: targetPage, authors: authors && [...new Set(authors)] }
      const page = pageOf(request)
      const { rows, count } = await listComments(app.db, place, filter, page)
      const present = await commentPresenter(app, app.db, place, rows.slice(0, page.limit), format)
      return presentPage(request, page, { rows, count }, (row) => [row.posted_at.toISOString(), row.id], present)
    },
  )

  app.post(
    `${base}/comments`,
    {
      config: { policy: talkPolicy, bodyDepth },
      schema: {
        operationId: operations.post,
        summary: `Post a comment ${where}`,
        description: 'A comment is about the whole content, a page, or a block of a page.',
        tags,
        params: Type.Object(params),
        querystring: FormatQuery,
        body: NewComment,
        response: { 200: Comment, ...refusals },
      },
    },
    async (request) => {
      const { body, query } = request
      const place = await accessPlace(app.db, request.caller, request.params as unknown as PlaceParams, 'comment')
      const markdown = markdownOf(body.body, 'body.body')

      return write(request, async (tx) => {
        const target = await findTarget(app, tx, place, body)
        const row = await postComment(tx, place, { markdown, target })
        app.mail.tell(tx, { kind: 'said', organizationId: place.organizationId, about: { comment: row.id } })
        return showComment(app, tx, place, row, query.format)
      })
    },
  )
}

function oneComment(app: App, { base, params, tags, where, operations }: Family): void {
  const path = `${base}/comments/:commentId`
  const ofComment = Type.Object({ ...params, commentId: Type.String() })
  type CommentParams = PlaceParams & { commentId: string }

  app.get(
    path,
    {
      config: { policy: readPolicy },
      schema: {
        operationId: operations.get,
        summary: `Get a comment ${where}`,
        tags,
        params: ofComment,
        querystring: FormatQuery,
        response: { 200: Comment, ...refusals },
      },
    },
    async (request) => {
      const { commentId, ...at } = request.params as unknown as CommentParams
      const place = await accessPlace(app.db, request.caller, at, 'view')
      const row = await accessComment(app.db, place, commentId)
      return showComment(app, app.db, place, row, request.query.format)
    },
  )

  app.put(
    path,
    {
      config: {
        policy: token('space:write', 'the role comment in the space; for others’ comments, review to resolve them'),
        bodyDepth,
      },
      schema: {
        operationId: operations.update,
        summary: `Update a comment ${where}: its text, its status or your reactions`,
        tags,
        params: ofComment,
        querystring: FormatQuery,
        body: CommentChanges,
        response: { 200: Comment, ...refusals },
      },
    },
    async (request) => {
      const { commentId, ...at } = request.params as unknown as CommentParams
      const { resolved, addedReactions, removedReactions } = request.body
      const place = await accessPlace(app.db, request.caller, at, 'comment')
      const markdown = newText(request.body)

      return write(request, async (tx) => {
        const row = await lockComment(tx, place, { id: commentId, parentId: null })
        if (!row) throw notFound('comment')
        if (markdown !== undefined) requireAuthor(row, place)
        if (resolved !== undefined) requireRight(row, place, 'edit', 'resolve or reopen this comment')
        await requireSame(request, (format) => showComment(app, tx, place, row, format))
        const changed = await changeComment(tx, place, row, { markdown, resolved, addedReactions, removedReactions })
        tellOfNewWords(app.mail, tx, row, changed)
        return showComment(app, tx, place, changed, request.query.format)
      })
    },
  )

  app.delete(
    path,
    {
      config: { policy: token('space:write', 'the role comment in the space; for others’ comments, review') },
      schema: {
        operationId: operations.delete,
        summary: `Delete a comment ${where}, with its replies`,
        tags,
        params: ofComment,
        response: { 205: Nothing('The comment was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { commentId, ...at } = request.params as unknown as CommentParams
      const place = await accessPlace(app.db, request.caller, at, 'comment')

      await write(request, async (tx) => {
        const row = await lockComment(tx, place, { id: commentId, parentId: null })
        if (!row) throw notFound('comment')
        requireRight(row, place, 'delete', 'delete this comment')
        await requireSame(request, (format) => showComment(app, tx, place, row, format))
        await deleteComment(tx, place, row)
      })
    },
  )
}
