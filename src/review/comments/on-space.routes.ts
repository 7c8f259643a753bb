import { accessSpace } from '../../access/content.ts'
import { leadTo } from '../../account/answer.ts'
import { fieldsOf, takeForms } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../comments/access.ts'
import { postComment } from '../../comments/actions.ts'
import { placeOnPage } from '../../comments/place-on-page.ts'
import { findComment } from '../../comments/queries.ts'
import { findTarget } from '../../comments/target.ts'
import type { Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { addOnce } from '../../workspace/once.ts'
import { openSpace } from '../../workspace/open.ts'
import { partIn } from '../../workspace/paging.ts'
import { doneIn } from '../../workspace/said.ts'
import { doneAbout } from '../parts.ts'
import { mentioning } from './mentioning.ts'
import { onSpacePath, openSpaceKeeping, showOnSpace, tryingOnSpace } from './on-space.show.ts'
import { findPartOf } from './said.load.ts'
import { commentIn, mostBytes } from './said.routes.ts'

/**
 * The comments on a space: everybody who may read the space can read them, and people who may comment there can add to
 * them.
 */
export const onSpacePages: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(onSpacePath, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { about } = request.query as { about?: unknown }
    const asked = { part: partIn(request), about: typeof about === 'string' ? about : undefined }
    return showOnSpace(app, reply, opened, { ...doneIn(request, doneAbout), ...asked })
  })

  // The address in mails. If the comment was deleted, it leads to the last comments.
  app.get(`${onSpacePath}/:commentId`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { commentId } = request.params as { commentId: string }
    const path = `${opened.path}/~/comments`
    const place = placeOf(opened.access, opened.caller)
    const comment = isId(commentId) ? await findComment(app.db, place, { id: commentId, parentId: null }) : undefined
    if (!comment) return leadTo(app, reply, path)
    return leadTo(app, reply, path, { page: await findPartOf(app, place, path, comment) }, placeOnPage(commentId))
  })

  app.post(onSpacePath, async (request, reply) => {
    const { about, text = '' } = fieldsOf(request)
    const opened = await openSpaceKeeping(app, request, reply, text)
    if (!opened) return reply
    return tryingOnSpace(app, reply, opened, { comment: text, about }, async () => {
      const typed = commentIn(text)
      const access = await accessSpace(app.db, opened.caller, opened.access.space.id, 'comment')
      const markdown = await mentioning(app.db, access, opened.caller, typed)
      const place = placeOf(access, opened.caller)
      const id = await write(request, (tx) =>
        addOnce(tx, request, async () => {
          const target = await findTarget(app, tx, place, { ...(about !== undefined && { page: about }) })
          const row = await postComment(tx, place, { markdown, target })
          app.mail.tell(tx, { kind: 'said', organizationId: place.organizationId, about: { comment: row.id } })
          return row.id
        }),
      )
      return leadTo(app, reply, `${opened.path}/~/comments`, { done: 'said' }, placeOnPage(id))
    })
  })
}
