import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { specRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { write } from '../../http/write.ts'
import { createSpec } from '../../openapi/actions.ts'
import { listSpecs } from '../../openapi/queries.ts'
import { NewOpenAPISpec } from '../../openapi/schema.ts'
import { receiveForm, takeFiles } from '../form-files.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, openOrganization, organizationPath, showNothing } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { inWords, mostIn, typedIn, withBrought } from './source.form.ts'
import type { TypedSource } from './source.page.ts'
import { specificationsPage } from './specifications.page.ts'

export const specificationsPath = `${organizationPath}/specifications`

const done = { deleted: 'Specification deleted. Pages no longer show it.' }

/** The specifications of an organization: listing them, and adding one. */
export const workspaceSpecifications: Routes = async (app) => {
  takeFiles(app)

  app.get(specificationsPath, async (request, reply) => {
    const opened = await openSpecifications(app, request, reply)
    return opened ? show(app, reply, opened, { page: partIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(specificationsPath, async (request, reply) => {
    const opened = await openSpecifications(app, request, reply)
    if (!opened) return reply
    const fields: Fields = {}
    try {
      const { organization } = accessOrganization(opened.caller, 'createOpenAPISpec')
      const received = await receiveForm(app, request, reply, opened, mostIn(app), () => {}, fields)
      const { id: organizationId } = organization
      const made = await withBrought(app, organizationId, received, async (source) => {
        const { slug } = asBody(NewOpenAPISpec, { slug: typedIn(fields).name, source: {} })
        return write(request, (tx) =>
          addOnce(
            tx,
            request,
            async () => {
              if (!(await createSpec(tx, { organizationId, slug, source }))) throw nameTaken(slug)
              tx.afterCommit(() => app.openapi.wake())
              return slug
            },
            received.sent,
          ),
        )
      })
      return leadTo(app, reply, `${opened.path}/specifications/${made}`, { done: 'added' })
    } catch (error) {
      const { reason, status } = refusalOf(error, inWords)
      return show(app, reply, opened, { error: reason, typed: typedIn(fields) }, status)
    }
  })
}

const nameTaken = (slug: string) =>
  conflict(`There is a specification called ${slug}. Choose another name, or open that one and replace it.`)

/** Returns undefined if the request is already answered: guests get the not-found page. */
async function openSpecifications(app: App, request: FastifyRequest, reply: FastifyReply) {
  const opened = await openOrganization(app, request, reply, requireSession)
  if (opened && !specRights(opened.caller.membership.role).view) return showNothing(app, reply)
  return opened
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path: home }: OpenedOrganization,
  { page, ...more }: Said & { page?: string | undefined; typed?: TypedSource },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const path = `${home}/specifications`
  const specs = await loadPart(
    app,
    { path, page },
    (asked) => listSpecs(app.db, membership.organization.id, asked),
    byAge,
  )
  const form = formToken(app, { session })
  const mostBytes = app.config.limits.specificationBytes
  const parts = { membership, path, specs, form, mostBytes }
  return answerPage(reply, specificationsPage(placeOf(app), { ...parts, ...more }), status)
}
