import type { FastifyReply } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { listInvitesSeen } from '../../invites/access.ts'
import { removeInvite } from '../../invites/actions.ts'
import { presentInvite } from '../../invites/present.ts'
import { invitedPage } from './invited.page.ts'
import { changing, goneAlready, openInvites } from './invites.routes.ts'
import type { OpenedOrganization } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import { peoplePath } from './people.routes.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'

const done = { revoked: 'Invitation revoked. Its link no longer works.' }

/** The invitations by e-mail address that are still pending: their links, and how to revoke them. */
export const workspaceInvited: Routes = async (app) => {
  app.get(`${peoplePath}/invited`, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { page: partIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(`${peoplePath}/invited/:inviteId(^[0-9a-f-]{36}$)/remove`, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      await changing(request, opened, (tx, { row }) => removeInvite(tx, row)).catch(goneAlready)
      return leadTo(app, reply, `${opened.path}/people/invited`, { done: 'revoked' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path }: OpenedOrganization,
  { page, ...more }: Said & { page?: string | undefined },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const part = await loadPart(
    app,
    { path: `${path}/people/invited`, page },
    (asked) => listInvitesSeen(app.db, membership, 'address', asked),
    ({ row }) => byAge(row),
  )
  const rows = part.rows.map((invite) => ({ row: invite.row, url: presentInvite(invite, app).urls.invite }))
  const form = formToken(app, { session })
  const parts = { membership, path: `${path}/people`, form, invited: { ...part, rows }, ...more }
  return answerPage(reply, invitedPage(placeOf(app), parts), status)
}
