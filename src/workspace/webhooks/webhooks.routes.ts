import type { FastifyReply } from 'fastify'
import { answerPage } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { write } from '../../http/write.ts'
import { accessFilter, accessWebhook } from '../../webhooks/access.ts'
import { createWebhook } from '../../webhooks/actions.ts'
import { presentWebhook, presentWhole } from '../../webhooks/present.ts'
import { listWebhooks } from '../../webhooks/queries.ts'
import { NewWebhook } from '../../webhooks/schema.ts'
import { makeOnce } from '../once.ts'
import { type OpenedOrganization, openAdministered, organizationPath } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { type TypedWebhook, draftOf, inWords, takeWebhookForms, typedIn } from './events.form.ts'
import { findPlaces } from './places.form.ts'
import { showWebhook } from './webhook.show.ts'
import { webhooksPage } from './webhooks.page.ts'

export const webhooksPath = `${organizationPath}/webhooks`

const done = { deleted: 'Webhook deleted, including pending deliveries.' }

/** The webhooks of an organization, for its administrators: listing them, and creating one. */
export const workspaceWebhooks: Routes = async (app) => {
  takeWebhookForms(app)

  app.get(webhooksPath, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { page: partIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(webhooksPath, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const typed = typedIn(fieldsOf(request))
    const { membership } = opened.caller
    try {
      const { title, url, events, filter: asked } = asBody(NewWebhook, draftOf(typed))
      const { id, secret } = await write(request, (tx) =>
        makeOnce(tx, request, async () => {
          const filter = await accessFilter(tx, membership.organization.id, asked)
          const made = await createWebhook(tx, app.secrets, membership.organization.id, { title, url, events, filter })
          return { id: made.id, secret: presentWhole(app, made).secret! }
        }),
      )
      const webhook = await accessWebhook(app.db, membership, id)
      return await showWebhook(app, reply, { ...opened, webhook, path: `${opened.path}/webhooks/${id}` }, { secret })
    } catch (error) {
      const { reason, status } = refusalOf(error, inWords)
      return show(app, reply, opened, { error: reason, typed }, status)
    }
  })
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path: home }: OpenedOrganization,
  { page, ...more }: Said & { page?: string | undefined; typed?: TypedWebhook },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const path = `${home}/webhooks`
  const list = await loadPart(
    app,
    { path, page },
    (asked) => listWebhooks(app.db, membership.organization.id, asked),
    byAge,
  )
  const webhooks = { ...list, rows: list.rows.map((row) => presentWebhook(row, app.url)) }
  const places = await findPlaces(app.db, membership.organization.id, null)
  const parts = { membership, path, webhooks, places, form: formToken(app, { session }) }
  return answerPage(reply, webhooksPage(placeOf(app), { ...parts, ...more }), status)
}
