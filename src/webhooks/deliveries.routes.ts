import { accessOrganization } from '../access/caller.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessDelivery, accessWebhook, accessWebhookToChange } from './access.ts'
import { replayDelivery, testWebhook } from './actions.ts'
import { listDeliveries } from './deliveries.queries.ts'
import { presentDelivery } from './present.ts'
import { DeliveryQuery, WebhookDelivery } from './schema.ts'

const ofWebhook = Type.Object({ organizationId: Type.String(), webhookId: Type.String() })
const ofDelivery = Type.Object({ organizationId: Type.String(), webhookId: Type.String(), deliveryId: Type.String() })
const tags = ['webhooks']
const policy = token(null, 'the role admin')

export const deliveryRoutes: Routes = async (app) => {
  app.post(
    '/orgs/:organizationId/webhooks/:webhookId/test',
    {
      config: { policy },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook',
        description: 'An event of type `ping` is sent once, right after the response. The delivery shows the result.',
        tags,
        params: ofWebhook,
        response: { 201: WebhookDelivery, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')

      return write(request, async (tx) => {
        const webhook = await accessWebhookToChange(tx, membership, request.params.webhookId)
        const delivery = await testWebhook(tx, webhook, app.url)
        tx.afterCommit(() => app.webhooks.wake())
        return presentDelivery(delivery, webhook, app.url)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/webhooks/:webhookId/deliveries',
    {
      config: { policy },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook, newest first',
        description: 'Deliveries are kept for 30 days.',
        tags,
        params: ofWebhook,
        querystring: DeliveryQuery,
        response: { 200: listOf(WebhookDelivery), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const webhook = await accessWebhook(app.db, membership, request.params.webhookId)
      const { status: state, type } = request.query
      const page = pageOf(request)
      const list = await listDeliveries(app.db, webhook, { state, type }, page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.id],
        (row) => presentDelivery(row, webhook, app.url),
      )
    },
  )

  app.get(
    '/orgs/:organizationId/webhooks/:webhookId/deliveries/:deliveryId',
    {
      config: { policy },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery of a webhook',
        tags,
        params: ofDelivery,
        response: { 200: WebhookDelivery, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const webhook = await accessWebhook(app.db, membership, request.params.webhookId)
      const delivery = await accessDelivery(app.db, webhook, request.params.deliveryId)
      return presentDelivery(delivery, webhook, app.url)
    },
  )

  app.post(
    '/orgs/:organizationId/webhooks/:webhookId/deliveries/:deliveryId/replay',
    {
      config: { policy },
      schema: {
        operationId: 'replayWebhookDelivery',
        summary: 'Redeliver an event to a webhook',
        description: 'Creates a new delivery of the same event: `eventId` stays the same.',
        tags,
        params: ofDelivery,
        response: { 201: WebhookDelivery, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')

      return write(request, async (tx) => {
        const webhook = await accessWebhookToChange(tx, membership, request.params.webhookId)
        const delivery = await accessDelivery(tx, webhook, request.params.deliveryId)
        const again = await replayDelivery(tx, webhook, delivery)
        tx.afterCommit(() => app.webhooks.wake())
        return presentDelivery(again, webhook, app.url)
      })
    },
  )
}
