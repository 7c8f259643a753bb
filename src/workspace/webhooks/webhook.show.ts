import type { FastifyReply } from 'fastify'
import { answerPage } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import type { WebhookRow } from '../../db/tables.ts'
import { placeOf } from '../../front/place.ts'
import { asNone } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { accessWebhook } from '../../webhooks/access.ts'
import { listDeliveries } from '../../webhooks/deliveries.queries.ts'
import { listFiltered } from '../../webhooks/queries.ts'
import { presentDelivery, presentWebhook, presentWhole } from '../../webhooks/present.ts'
import { type OpenedOrganization, answerNothing } from '../open.ts'
import { loadPart } from '../paging.ts'
import type { Said } from '../said.ts'
import type { TypedWebhook } from './events.form.ts'
import { findPlaces } from './places.form.ts'
import { webhookPage } from './webhook.page.ts'

export interface OpenedWebhook extends OpenedOrganization {
  webhook: WebhookRow
}

interface Shown extends Said {
  /** Which part of the deliveries is shown. */
  page?: string | undefined
  failed?: boolean
  typed?: TypedWebhook
  /** The secret, if it was just created. It is shown only this once. */
  secret?: string
  /** Whether something was just sent and the page waits for the answer. */
  isSending?: boolean
}

/** Shows the current state, because a refused change may have been based on an older one. */
export async function showWebhook(
  app: App,
  reply: FastifyReply,
  { session, caller, path, webhook: { id } }: OpenedWebhook,
  { page, failed = false, secret, ...more }: Shown,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const webhook = await accessWebhook(app.db, membership, id).catch(asNone)
  if (!webhook) return answerNothing(app, reply)
  const state = failed ? 'failed' : undefined
  const list = await loadPart(
    app,
    { path, filter: { status: state }, page },
    (asked) => listDeliveries(app.db, webhook, { state }, asked),
    (row) => [row.id],
  )
  const about = webhook.filter && (await listFiltered(app.db, webhook.organization_id, webhook.filter))
  const places = await findPlaces(app.db, webhook.organization_id, webhook.filter)
  const parts = {
    membership,
    path,
    about,
    places,
    webhook: presentWebhook(webhook, app.url),
    deliveries: { ...list, rows: list.rows.map((row) => presentDelivery(row, webhook, app.url)) },
    failed,
    form: formToken(app, { session }),
  }
  return answerPage(reply, webhookPage(placeOf(app), { ...parts, ...more, ...freshOf(app, webhook, secret) }), status)
}

/** Returns the secret to show. If the user loads an answer again, its secret may have been replaced in the meantime. */
function freshOf(app: App, webhook: WebhookRow, secret: string | undefined): Pick<Shown, 'secret' | 'error'> {
  if (secret === undefined) return {}
  if (secret === presentWhole(app, webhook).secret) return { secret }
  return { error: 'Somebody has created another secret since. Create a new one if nobody has copied that one.' }
}
