import { appPath } from '../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { authorWith, mayMakeOrganizations, requireSession, requireSessionForm } from '../../account/who.ts'
import { transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { cannotCreateOrganizations } from '../../organizations/access.ts'
import { createOrganization } from '../../organizations/actions.ts'
import { furnish } from '../../organizations/furnish.ts'
import type { Session } from '../../sessions/cookie.ts'
import { addOnce } from '../once.ts'
import { refusalOf } from '../refusal.ts'
import type { Said } from '../said.ts'
import { newOrganizationPage, newOrganizationPath } from './new-organization.page.ts'
import { requireOrganizationTitle } from './organization-title.ts'

/** Creating an organization, for users who may do so through the API. */
export const workspaceNewOrganization: Routes = async (app) => {
  app.get(newOrganizationPath, async (request, reply) => {
    const session = await open(app, request, reply, requireSession)
    return session ? show(app, reply, session, { title: '', withSite: false }) : reply
  })

  app.post(newOrganizationPath, async (request, reply) => {
    const session = await open(app, request, reply, requireSessionForm)
    if (!session) return reply
    const { title: typed = '', site } = fieldsOf(request)
    const [title, withSite] = [typed.trim(), site === 'on']
    const adminId = session.user.id
    try {
      requireOrganizationTitle(title)
      const id = await transaction(app.db, authorWith(request, session), (tx) =>
        addOnce(tx, request, async () => {
          const made = await createOrganization(tx, { title, adminId })
          return (await furnish(tx, app, made, { withDefaultSite: withSite, adminId })).id
        }),
      )
      return leadTo(app, reply, appPath.organization(id))
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, session, { title, withSite, error: reason }, status)
    }
  })
}

/**
 * Users who may not create one are redirected to their account, and what they send is refused. Returns undefined if the
 * request has already been answered.
 */
async function open(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<Session | undefined> {
  const session = await require(app, request, reply)
  if (!session || mayMakeOrganizations(session)) return session
  if (request.method === 'POST') throw cannotCreateOrganizations()
  leadTo(app, reply, '/account')
  return undefined
}

interface Shown extends Said {
  title: string
  withSite: boolean
}

const show = (app: App, reply: FastifyReply, session: Session, shown: Shown, status = 200): FastifyReply =>
  answerPage(reply, newOrganizationPage(placeOf(app), { form: formToken(app, { session }), ...shown }), status)
