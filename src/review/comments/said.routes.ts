import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf, withLineFeeds } from '../../account/forms.ts'
import { longestText } from '../../change-requests/text.ts'
import { accessReply, placeOf, requireAuthor, requireRight } from '../../comments/access.ts'
import { changeComment, deleteComment, deleteReply, postReply } from '../../comments/actions.ts'
import { tellOfNewWords } from '../../comments/mentions.ts'
import type { Place } from '../../comments/place.ts'
import { placeOnPage } from '../../comments/place-on-page.ts'
import { type Comment, lockComment } from '../../comments/queries.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { takeLongForms } from '../editor/hand-back.ts'
import { addOnce } from '../../workspace/once.ts'
import { overtaken } from '../../workspace/overtaken.ts'
import { mentioning } from './mentioning.ts'
import { onSpace } from './on-space.show.ts'
import { type Kept, longestComment } from '../parts.ts'
import { longestOf, stateOfWords } from './said.page.ts'
import { type Talk, inChange } from './talk.ts'

/** A form encodes a character of a comment with up to nine characters, and contains a little else. */
export const mostBytes = 10 * longestComment

interface Named {
  commentId: string
  replyId?: string | undefined
}

/** Returns a text with its mentions. */
type Mentioned = (tx: Transaction, markdown: string) => Promise<string>

/**
 * What people do about comments in a change request or on a space: the same as through the API, with the same rights.
 */
export const saidPages: Routes = async (app) => {
  // Through the API a comment may be longer than it may be here. Its author can edit it here all the same.
  takeLongForms(app, 10 * longestText)
  for (const talk of [inChange, onSpace]) saidIn(app, talk)
}

function saidIn(app: App, talk: Talk): void {
  const commentPath = `${talk.path}/comments/:commentId`

  app.post(`${commentPath}/reply`, async (request, reply) => {
    const { text = '' } = fieldsOf(request)
    const { commentId } = request.params as Named
    return about(
      app,
      request,
      reply,
      talk,
      { done: 'replied', kept: { reply: { to: commentId, text } } },
      async (tx, place, _named, mentioned) => {
        const markdown = await mentioned(tx, commentIn(text))
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
      about(app, request, reply, talk, { done }, async (tx, place, { commentId }) => {
        const row = await lock(tx, place, { commentId })
        requireRight(row, place, 'edit', 'resolve or reopen this comment')
        await changeComment(tx, place, row, { resolved })
      }),
    )
  }

  for (const path of [commentPath, `${commentPath}/replies/:replyId`])
    app.post(`${path}/edit`, async (request, reply) => {
      const { text = '', seen = '' } = fieldsOf(request)
      const { commentId, replyId } = request.params as Named
      const reworded = { id: replyId ?? commentId, text, seen }
      return about(
        app,
        request,
        reply,
        talk,
        { done: 'reworded', kept: { reworded } },
        async (tx, place, _named, mentioned) => {
          const row = await lock(tx, place, { commentId, replyId })
          requireAuthor(row, place)
          const markdown = await mentioned(tx, commentIn(text, longestOf(row)))
          // The first click of a double click has already saved it.
          if (markdown === plain(row.markdown)) return
          if (stateOfWords(row) !== seen) throw overtaken('changed these words')
          tellOfNewWords(app.mail, tx, row, await changeComment(tx, place, row, { markdown }))
        },
      )
    })

  app.post(`${commentPath}/delete`, async (request, reply) =>
    about(app, request, reply, talk, { done: 'deleted' }, async (tx, place, { commentId }) => {
      // The comment is looked up inside `addOnce`: for a second click it no longer exists.
      await addOnce(tx, request, async () => {
        const row = await lock(tx, place, { commentId })
        requireRight(row, place, 'delete', 'delete this comment')
        await deleteComment(tx, place, row)
      })
    }),
  )

  app.post(`${commentPath}/replies/:replyId/delete`, async (request, reply) =>
    about(app, request, reply, talk, { done: 'deleted' }, async (tx, place, { commentId, replyId = '' }) => {
      await addOnce(tx, request, async () => {
        // Locks the comment first, as all code does that locks both.
        await lock(tx, place, { commentId })
        const row = await accessReply(tx, place, commentId, replyId)
        requireRight(row, place, 'delete', 'delete this reply')
        await deleteReply(tx, place, row)
      })
    }),
  )
}

/** Checks the text of a comment, and returns it as it is stored. */
export function commentIn(text: string, longest = longestComment): string {
  const words = plain(text)
  if (words === '') throw conflict('Enter a comment.')
  if (words.length > longest) throw conflict(`A comment has at most ${longest} characters.`)
  return words
}

const plain = (text: string) => withLineFeeds(text).trim()

/**
 * Changes something about a comment in one transaction, and leads back to it, in the part of the comments that was
 * shown.
 */
async function about(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  talk: Talk,
  { done, kept = {} }: { done: string; kept?: Pick<Kept, 'reply' | 'reworded'> },
  work: (tx: Transaction, place: Place, named: Named, mentioned: Mentioned) => Promise<void>,
): Promise<FastifyReply> {
  const opened = await talk.open(app, request, reply, (kept.reply ?? kept.reworded)?.text ?? '')
  if (!opened) return reply
  const named = request.params as Named
  return opened.trying(kept, async () => {
    const access = await opened.access()
    const place = placeOf(access, opened.caller)
    if (!isId(named.commentId)) throw notFound('comment')
    if (named.replyId !== undefined && !isId(named.replyId)) throw notFound('reply')
    const mentioned: Mentioned = (tx, markdown) => mentioning(tx, access, opened.caller, markdown)
    await write(request, (tx) => work(tx, place, named, mentioned))
    return opened.leadBack(done, placeOnPage(named.commentId))
  })
}

async function lock(tx: Transaction, place: Place, { commentId, replyId }: Named): Promise<Comment> {
  const name = replyId === undefined ? { id: commentId, parentId: null } : { id: replyId, parentId: commentId }
  const row = await lockComment(tx, place, name)
  if (!row) throw notFound(replyId === undefined ? 'comment' : 'reply')
  return row
}
