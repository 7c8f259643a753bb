import type { Readable } from 'node:stream'
import { accessOrganization } from '../access/caller.ts'
import { invalid, notFound } from '../http/errors.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { isId } from '../ids.ts'
import { actions, labelOf } from './catalogue.ts'
import { answerExport } from './export.ts'
import { presentAuditEvent } from './present.ts'
import { type AuditFilter, findAuditEntry, listAuditEntries } from './queries.ts'
import { AuditEvent, AuditEventAction, AuditEventQuery, AuditExportQuery } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofEvent = Type.Object({ organizationId: Type.String(), auditEventId: Type.String() })
const tags = ['audit-log']
const policy = token(null, 'the role admin')

/** The audit log of an organization. It cannot be changed, so these routes only read. */
export const auditRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/audit-event-actions',
    {
      config: { policy },
      schema: {
        operationId: 'listOrganizationAuditEventActions',
        summary: 'List the actions of audit events',
        tags,
        params: inOrganization,
        response: { 200: Type.Object({ items: Type.Array(AuditEventAction) }), ...refusals },
      },
    },
    async (request) => {
      accessOrganization(request.caller, 'admin')
      return { items: actions.map((id) => ({ object: 'audit-event-action' as const, id, label: labelOf(id) })) }
    },
  )

  app.get(
    '/orgs/:organizationId/audit-events',
    {
      config: { policy },
      schema: {
        operationId: 'listOrganizationAuditEvents',
        summary: 'List the audit events of an organization, newest first',
        description: 'Every change, and every time a member was denied access.',
        tags,
        params: inOrganization,
        querystring: AuditEventQuery,
        response: { 200: listOf(AuditEvent), ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const page = pageOf(request)
      const list = await listAuditEntries(app.db, organization.id, filterOf(request.query), page)
      return presentPage(
        request,
        page,
        list,
        (row) => [row.id],
        (row) => presentAuditEvent(row, app.url),
      )
    },
  )

  app.get(
    '/orgs/:organizationId/audit-events/export',
    {
      config: { policy },
      schema: {
        operationId: 'exportOrganizationAuditEvents',
        summary: 'Export the audit events of an organization',
        tags,
        params: inOrganization,
        querystring: AuditExportQuery,
        response: {
          200: Type.Unsafe<Readable>({
            type: 'string',
            contentMediaType: 'application/x-ndjson',
            description: 'Audit events as JSON lines, newest first',
          }),
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      return answerExport(request, reply, organization.id, [filterOf(request.query)])
    },
  )

  app.get(
    '/orgs/:organizationId/audit-events/:auditEventId',
    {
      config: { policy },
      schema: {
        operationId: 'getOrganizationAuditEvent',
        summary: 'Get an audit event',
        tags,
        params: ofEvent,
        response: { 200: AuditEvent, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const entry = await findAuditEntry(app.db, organization.id, request.params.auditEventId)
      if (!entry) throw notFound('audit event')
      return presentAuditEvent(entry, app.url)
    },
  )
}

function filterOf({ from, to, action, actor, target }: AuditFilter): AuditFilter {
  if (actor !== undefined && !isId(actor)) throw invalid('query.actor', 'format', 'must be the id of a user')
  return { from, to, action, actor, target }
}
