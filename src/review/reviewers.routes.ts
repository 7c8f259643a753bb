import { leadTo } from '../account/answer.ts'
import { fieldsOf } from '../account/forms.ts'
import { requireSessionForm } from '../account/who.ts'
import { lockUnmerged } from '../change-requests/access.ts'
import { requireReviewers } from '../change-requests/reviews/reviewers.access.ts'
import { askingFor, removeReviewer, requestReviewers } from '../change-requests/reviews/reviewers.actions.ts'
import { listAble } from '../change-requests/reviews/reviewers.queries.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { Routes } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { isId } from '../ids.ts'
import { findMembersNamed } from '../organizations/members.queries.ts'
import { addOnce } from '../workspace/once.ts'
import { accessAgain, changePath, openChange } from './open.ts'
import { trying } from './show.ts'

/** Editors of a change request ask people to review it, and withdraw such requests. */
export const reviewerPages: Routes = async (app) => {
  app.post(`${changePath}/reviewers`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { user = '', email = '' } = fieldsOf(request)
    return trying(app, reply, opened, { email }, async () => {
      const { space, ...access } = await accessAgain(app, opened, 'edit')
      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        if (changeRequest.status === 'archived')
          throw conflict('It is archived. Reopen it before you request a review.')
        const users =
          email === '' ? await requireReviewers(tx, space, [user]) : await listNamed(tx, space, email.trim())
        await addOnce(tx, request, async () => {
          await requestReviewers(tx, changeRequest, { users })
          app.mail.tell(tx, ...askingFor(changeRequest, users, opened.caller.user.id))
        })
      })
      return leadTo(app, reply, opened.path, { done: app.mail.isOn ? 'asked' : 'asked-unmailed' })
    })
  })

  app.post(`${changePath}/reviewers/:userId/remove`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { userId } = request.params as { userId: string }
    return trying(app, reply, opened, {}, async () => {
      const access = await accessAgain(app, opened, 'edit')
      if (!isId(userId)) throw notFound('user')
      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        await addOnce(tx, request, () => removeReviewer(tx, changeRequest, userId))
      })
      return leadTo(app, reply, opened.path, { done: 'not-asked' })
    })
  })
}

/**
 * Returns the members with this address who may review. A refusal does not reveal whether anyone else has the address.
 */
async function listNamed(tx: Transaction, space: SpaceRow, email: string): Promise<string[]> {
  const named = (await findMembersNamed(tx, space.organization_id, [email])).get(email) ?? []
  const able = await listAble(
    tx,
    space,
    named.map(({ user_id }) => user_id),
  )
  if (able.size === 0) throw conflict('Nobody with this address can review in this space.')
  return [...able]
}
