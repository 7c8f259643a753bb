import type { FastifyReply } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { createSite } from '../../sites/actions.ts'
import { presentSite } from '../../sites/present.ts'
import { listSites } from '../../sites/queries.ts'
import { accessSpaceToShow } from '../../sites/structure/space-access.ts'
import { chosenIn } from '../choices.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, openOrganization, organizationPath } from '../open.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { siteTitleIn } from './site-title.ts'
import { choiceOf, sitesPage } from './sites.page.ts'
import { findSpacesToShow, noSpaces } from './structure/spaces-to-show.ts'

const firstOnes = { limit: 200, after: undefined }

const done = { deleted: 'Site deleted. Its spaces stay.' }

/** The sites of an organization: listing them, and creating one. */
export const workspaceSites: Routes = async (app) => {
  app.get(`${organizationPath}/sites`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.post(`${organizationPath}/sites`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { caller, path } = opened
    const fields = fieldsOf(request)
    const title = (fields.title ?? '').trim()
    const chosen = chosenIn(fields, choiceOf)
    try {
      const { organization, userId } = accessOrganization(caller, 'createContent')
      const draft = { organizationId: organization.id, creatorId: userId, type: 'basic', visibility: 'public' } as const
      const named = { ...draft, title: siteTitleIn(title) }
      const id = await write(request, (tx) =>
        addOnce(tx, request, async () => {
          const access = (id: string) => accessSpaceToShow(tx, caller, organization.id, id, 'space')
          return createSite(tx, app.secrets, { ...named, spaces: await Promise.all(chosen.map(access)) })
        }),
      )
      return leadTo(app, reply, `${path}/sites/${id}`, { done: 'made' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason, title, chosen }, status)
    }
  })
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller }: OpenedOrganization,
  more: Said & { title?: string; chosen?: string[] },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const [{ rows, count }, toShow] = await Promise.all([
    listSites(app.db, membership, {}, firstOnes),
    organizationRights(membership).createContent ? findSpacesToShow(app, caller) : noSpaces,
  ])
  const sites = rows.slice(0, firstOnes.limit).map((row) => presentSite(row, membership.organization, app.hosts))
  const parts = { membership, sites, more: count - sites.length, toShow, form: formToken(app, { session }) }
  return answerPage(reply, sitesPage(placeOf(app), { ...parts, ...more }), status)
}
