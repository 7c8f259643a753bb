import type { FastifyReply, FastifyRequest } from 'fastify'
import { leadTo } from '../account/answer.ts'
import { fieldsOf, takeForms } from '../account/forms.ts'
import { accessReply, placeOf, requireRight } from '../comments/access.ts'
import { changeComment, deleteComment, deleteReply, postReply } from '../comments/actions.ts'
import type { Place } from '../comments/place.ts'
import { type Comment, lockComment } from '../comments/queries.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { isId } from '../ids.ts'
import { keeping } from './hand-back.ts'
import { addOnce } from '../workspace/once.ts'
import { partIn } from '../workspace/paging.ts'
import { accessAgain, changePath, openChange } from './open.ts'
import { type Kept, longestComment } from './parts.ts'
import { placeOnPage } from './said.page.ts'
import { trying } from './show.ts'

/** Each character of a comment may take nine in a form; and there is a little else. */
export const mostBytes = 10 * longestComment

const commentPath = `${changePath}/comments/:commentId`

interface Named {
  commentId: string
  replyId?: string
}

/** What people do about what was said in a change request: as through the API, with the same rights. */
export const saidPages: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.post(`${commentPath}/reply`, async (request, reply) => {
    const { text = '' } = fieldsOf(request)
    const { commentId } = request.params as Named
    return about(
      app,
      request,
      reply,
      { done: 'replied', kept: { reply: { to: commentId, text } } },
      async (tx, place) => {
        const markdown = commentIn(text)
        await addOnce(tx, request, async () => {
          const row = await postReply(tx, place, commentId, { markdown })
          app.mail.tell(tx, { kind: 'said', organizationId: place.organizationId, about: { comment: row.id } })
        })
      },
    )
  })

  for (const [verb, resolved, done] of [
    ['resolve', true, 'resolved'],
    ['reopen', false, 'unresolved'],
  ] as const) {
    app.post(`${commentPath}/${verb}`, async (request, reply) =>
      about(app, request, reply, { done }, async (tx, place, { commentId }) => {
        const row = await lock(tx, place, commentId)
        requireRight(row, place, 'edit', 'resolve or reopen this comment')
        await changeComment(tx, place, row, { resolved })
      }),
    )
  }

  app.post(`${commentPath}/delete`, async (request, reply) =>
    about(app, request, reply, { done: 'deleted' }, async (tx, place, { commentId }) => {
      const row = await lock(tx, place, commentId)
      requireRight(row, place, 'delete', 'delete this comment')
      await deleteComment(tx, place, row)
    }),
  )

  app.post(`${commentPath}/replies/:replyId/delete`, async (request, reply) =>
    about(app, request, reply, { done: 'deleted' }, async (tx, place, { commentId, replyId = '' }) => {
      // The comment first, as everybody does who takes both.
      await lock(tx, place, commentId)
      const row = await accessReply(tx, place, commentId, replyId)
      requireRight(row, place, 'delete', 'delete this reply')
      await deleteReply(tx, place, row)
    }),
  )
}

/** What somebody wants to say, as it is kept. */
export function commentIn(text: string): string {
  const words = text.replaceAll('\r\n', '\n').trim()
  if (words === '') throw conflict('Write what you want to say.')
  if (words.length > longestComment) throw conflict(`A comment has at most ${longestComment} characters.`)
  return words
}

/** Changes something about a comment in one transaction, and leads back to where it is, among those that were shown. */
async function about(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { done, kept = {} }: { done: string; kept?: Kept },
  work: (tx: Transaction, place: Place, named: Named) => Promise<void>,
): Promise<FastifyReply> {
  const text = kept.reply?.text ?? ''
  const opened = await openChange(app, request, reply, keeping(text), text)
  if (!opened) return reply
  const named = request.params as Named
  const page = partIn(request)
  return trying(app, reply, opened, { ...kept, asked: { page } }, async () => {
    const place = placeOf(await accessAgain(app, opened, 'comment'), opened.caller)
    if (!isId(named.commentId)) throw notFound('comment')
    if (named.replyId !== undefined && !isId(named.replyId)) throw notFound('reply')
    await write(request, (tx) => work(tx, place, named))
    return leadTo(app, reply, opened.path, { done, page }, placeOnPage(named.commentId))
  })
}

async function lock(tx: Transaction, place: Place, id: string): Promise<Comment> {
  const row = await lockComment(tx, place, { id, parentId: null })
  if (!row) throw notFound('comment')
  return row
}
