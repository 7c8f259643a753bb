import type { FastifyReply, FastifyRequest } from 'fastify'
import { leadTo } from '../../account/answer.ts'
import { fieldsOf } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { WebhookFilter, WebhookRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, notFound, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { accessDelivery, accessFilter, accessWebhook, accessWebhookToChange } from '../../webhooks/access.ts'
import {
  changeWebhook,
  removeWebhook,
  replayDelivery,
  rotateSecret,
  testWebhook,
  titleFor,
} from '../../webhooks/actions.ts'
import { presentWhole } from '../../webhooks/present.ts'
import { listFiltered, lockWebhook } from '../../webhooks/queries.ts'
import { WebhookChanges, mostPlaces } from '../../webhooks/schema.ts'
import { addOnce, makeOnce } from '../once.ts'
import { openAdministered, showNothing } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { partIn } from '../paging.ts'
import { refusalOf } from '../refusal.ts'
import { doneIn } from '../said.ts'
import { type TypedWebhook, draftOf, inWords, takeWebhookForms, typedIn } from './events.form.ts'
import { webhookSeen } from './webhook.page.ts'
import { type OpenedWebhook, showWebhook } from './webhook.show.ts'
import { webhooksPath } from './webhooks.routes.ts'

const webhookPath = `${webhooksPath}/:webhookId(^[0-9a-f-]{36}$)`

const done = {
  tested: 'Test sent. The result is the first entry in the deliveries.',
  again: 'Sent again, as a new delivery.',
  on: 'Turned on.',
  off: 'Turned off.',
  changed: 'Saved.',
}

/** One webhook: testing it, turning it on and off, changing and deleting it. */
export const workspaceWebhook: Routes = async (app) => {
  takeWebhookForms(app)

  app.get(webhookPath, async (request, reply) => {
    const opened = await openWebhook(app, request, reply, requireSession)
    if (!opened) return reply
    const { status, done: what } = request.query as Record<string, unknown>
    const asked = {
      page: partIn(request),
      failed: status === 'failed',
      isSending: what === 'tested' || what === 'again',
    }
    return showWebhook(app, reply, opened, { ...asked, ...doneIn(request, done) })
  })

  app.post(`${webhookPath}/test`, async (request, reply) =>
    changing(app, request, reply, async (tx, webhook) => {
      await addOnce(tx, request, async () => (await testWebhook(tx, webhook, app.url)).id)
      return 'tested'
    }),
  )

  app.post(`${webhookPath}/again`, async (request, reply) =>
    changing(app, request, reply, async (tx, webhook) => {
      const { delivery = '' } = fieldsOf(request)
      if (!isId(delivery)) throw notFound('delivery')
      const sent = await accessDelivery(tx, webhook, delivery)
      await addOnce(tx, request, async () => (await replayDelivery(tx, webhook, sent)).id)
      return 'again'
    }),
  )

  app.post(`${webhookPath}/switch`, async (request, reply) =>
    changing(app, request, reply, async (tx, webhook) => {
      const { to } = fieldsOf(request)
      if (to !== 'on' && to !== 'off') throw conflict('Choose whether it is on or off.')
      const active = to === 'on'
      if (active !== webhook.active) await changeWebhook(tx, webhook, { active })
      return to
    }),
  )

  app.post(`${webhookPath}/change`, async (request, reply) => {
    const typed = typedIn(fieldsOf(request))
    return changing(
      app,
      request,
      reply,
      async (tx, webhook) => {
        const changes = await changesTo(tx, webhook, typed)
        if (Object.keys(changes).length === 0) return 'changed'
        if (fieldsOf(request).seen !== webhookSeen(webhook)) throw overtaken('changed this webhook')
        await changeWebhook(tx, webhook, changes)
        return 'changed'
      },
      typed,
    )
  })

  app.post(`${webhookPath}/secret`, async (request, reply) => {
    const opened = await openWebhook(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const keepsFormer = fieldsOf(request).revoke !== 'on'
    try {
      const secret = await write(request, async (tx) => {
        const webhook = await lock(tx, opened)
        const make = async () => presentWhole(app, await rotateSecret(tx, app.secrets, webhook, keepsFormer)).secret!
        return makeOnce(tx, request, make)
      })
      return await showWebhook(app, reply, opened, { secret })
    } catch (error) {
      return refuse(app, reply, opened, error)
    }
  })

  app.post(`${webhookPath}/delete`, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { organization } = opened.caller.membership
    const { webhookId } = request.params as { webhookId: string }
    await write(request, async (tx) => {
      const webhook = isId(webhookId) ? await lockWebhook(tx, organization.id, webhookId) : undefined
      // It is fine if the webhook is already gone.
      if (webhook) await removeWebhook(tx, webhook)
    })
    return leadTo(app, reply, `${opened.path}/webhooks`, { done: 'deleted' })
  })
}

/** Returns what is to be changed. */
async function changesTo(tx: Transaction, webhook: WebhookRow, typed: TypedWebhook) {
  const draft = asBody(WebhookChanges, draftOf(typed))
  const { url = webhook.url, title = titleFor(url), events = null } = draft
  const filter = await filterFor(tx, webhook, draft.filter ?? null)
  // The API also accepts an empty title. A user who leaves it empty has not changed it.
  const isRenamed = typed.title !== webhook.title && title !== webhook.title
  return {
    ...(isRenamed && { title }),
    ...(url !== webhook.url && { url }),
    ...(!areSame(events, webhook.events) && { events }),
    ...(!(
      areSame(filter?.spaces ?? null, webhook.filter?.spaces ?? null) &&
      areSame(filter?.sites ?? null, webhook.filter?.sites ?? null)
    ) && { filter }),
  }
}

/**
 * Returns what was chosen and, as far as there is room, the former spaces that no list contains: a space in the trash
 * may be restored.
 */
async function filterFor(
  tx: Transaction,
  { organization_id: organizationId, filter }: WebhookRow,
  chosen: Partial<WebhookFilter> | null,
): Promise<WebhookFilter | null> {
  if (chosen === null) return null
  const former = filter?.spaces ?? []
  const there = new Set((await listFiltered(tx, organizationId, { spaces: former, sites: [] })).map(({ id }) => id))
  const gone = former.filter((id) => !there.has(id))
  const { spaces = [], sites = [] } = chosen
  const isNone = spaces.length + sites.length === 0
  if (!isNone || gone.length === 0) await accessFilter(tx, organizationId, chosen)
  return { spaces: [...spaces, ...gone].slice(0, mostPlaces), sites }
}

const areSame = (some: readonly string[] | null, others: readonly string[] | null) =>
  JSON.stringify(some?.toSorted()) === JSON.stringify(others?.toSorted())

/** Returns undefined if the request is already answered. */
async function openWebhook(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedWebhook | undefined> {
  const opened = await openAdministered(app, request, reply, require)
  if (!opened) return undefined
  const { webhookId: id } = request.params as { webhookId: string }
  const webhook = isId(id) ? await accessWebhook(app.db, opened.caller.membership, id).catch(asNone) : undefined
  return webhook ? { ...opened, webhook, path: `${opened.path}/webhooks/${id}` } : showNothing(app, reply)
}

const lock = (tx: Transaction, { caller, webhook }: OpenedWebhook) =>
  accessWebhookToChange(tx, caller.membership, webhook.id)

/** Makes one change to a webhook, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Transaction, webhook: WebhookRow) => Promise<keyof typeof done>,
  typed?: TypedWebhook,
): Promise<FastifyReply> {
  const opened = await openWebhook(app, request, reply, requireSessionForm)
  if (!opened) return reply
  try {
    const what = await write(request, async (tx) => {
      const webhook = await lock(tx, opened)
      tx.afterCommit(() => app.webhooks.wake())
      return work(tx, webhook)
    })
    return leadTo(app, reply, opened.path, { done: what })
  } catch (error) {
    return refuse(app, reply, opened, error, typed)
  }
}

function refuse(app: App, reply: FastifyReply, opened: OpenedWebhook, error: unknown, typed?: TypedWebhook) {
  const { reason, status } = refusalOf(error, inWords)
  return showWebhook(app, reply, opened, { error: reason, ...(typed && { typed }) }, status)
}
