import { accessOrganization } from '../access/caller.ts'
import { requireMatch } from '../http/conditional.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessFilter, accessWebhook, accessWebhookToChange } from './access.ts'
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from './actions.ts'
import { presentWebhook, presentWhole } from './present.ts'
import { listWebhooks } from './queries.ts'
import { NewSecret, NewWebhook, Webhook, WebhookChanges } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofWebhook = Type.Object({ organizationId: Type.String(), webhookId: Type.String() })
const tags = ['webhooks']
const policy = token(null, 'the role admin')

export const webhookRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/webhooks',
    {
      config: { policy },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List the webhooks of an organization',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Webhook), ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const page = pageOf(request)
      const list = await listWebhooks(app.db, organization.id, page)
      return presentPage(request, page, list, byAge, (row) => presentWebhook(row, app.url))
    },
  )

  app.post(
    '/orgs/:organizationId/webhooks',
    {
      config: { policy },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Events of the organization are sent as they happen, signed, and retried after a failure: 16 times within ' +
          'about four hours, unless they are refused with a status from 400 to 499 other than 429.',
        tags,
        params: inOrganization,
        body: NewWebhook,
        response: { 201: Webhook, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const { title, url, events, active } = request.body

      return write(request, async (tx) => {
        const filter = await accessFilter(tx, membership.organization.id, request.body.filter)
        const draft = { title, url, events, filter, active }
        const webhook = await createWebhook(tx, app.secrets, membership.organization.id, draft)
        return presentWhole(app, webhook)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/webhooks/:webhookId',
    {
      config: { policy },
      schema: {
        operationId: 'getWebhook',
        summary: 'Get a webhook, including its secret',
        tags,
        params: ofWebhook,
        response: { 200: Webhook, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      return presentWhole(app, await accessWebhook(app.db, membership, request.params.webhookId))
    },
  )

  app.patch(
    '/orgs/:organizationId/webhooks/:webhookId',
    {
      config: { policy },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Update a webhook, or turn it on or off',
        tags,
        params: ofWebhook,
        body: WebhookChanges,
        response: { 200: Webhook, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const { title, url, events, active } = request.body

      return write(request, async (tx) => {
        const webhook = await accessWebhookToChange(tx, membership, request.params.webhookId)
        requireMatch(request, presentWhole(app, webhook))
        const filter = await accessFilter(tx, membership.organization.id, request.body.filter, webhook.filter)
        const changes = {
          ...(title !== undefined && { title }),
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(filter !== undefined && { filter }),
          ...(active !== undefined && { active }),
        }
        if (Object.keys(changes).length === 0) return presentWhole(app, webhook)
        const changed = await changeWebhook(tx, webhook, changes)
        tx.afterCommit(() => app.webhooks.wake())
        return presentWhole(app, changed)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/webhooks/:webhookId',
    {
      config: { policy },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        tags,
        params: ofWebhook,
        response: { 204: Nothing('The webhook and its pending deliveries were deleted'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')

      await write(request, async (tx) => {
        const webhook = await accessWebhookToChange(tx, membership, request.params.webhookId)
        requireMatch(request, presentWhole(app, webhook))
        await removeWebhook(tx, webhook)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/webhooks/:webhookId/secret',
    {
      config: { policy },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook',
        description: 'The previous secret stays valid for one more day, unless it is revoked.',
        tags,
        params: ofWebhook,
        body: NewSecret,
        response: { 200: Webhook, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const { revokeFormer = false } = request.body

      return write(request, async (tx) => {
        const webhook = await accessWebhookToChange(tx, membership, request.params.webhookId)
        return presentWhole(app, await rotateSecret(tx, app.secrets, webhook, !revokeFormer))
      })
    },
  )
}
