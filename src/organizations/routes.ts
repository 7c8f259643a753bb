import { type Membership, accessOrganization } from '../access/caller.ts'
import type { OrganizationRow } from '../db/tables.ts'
import { requireMatch } from '../http/conditional.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { cannotCreateOrganizations, mayCreateOrganizations } from './access.ts'
import { changeOrganization, createOrganization } from './actions.ts'
import { furnish } from './furnish.ts'
import { presentOrganization } from './present.ts'
import { listOwnOrganizations, lockOrganization } from './queries.ts'
import { NewOrganization, NewOrganizationQuery, Organization, OrganizationChanges } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })

export const organizationRoutes: Routes = async (app) => {
  app.get(
    '/orgs',
    {
      config: { policy: token('organization:read', 'nothing more than a token') },
      schema: {
        operationId: 'listOrganizationsForAuthenticatedUser',
        summary: 'List your organizations',
        tags: ['organizations'],
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Organization), ...refusals },
      },
    },
    async (request) => {
      const { user, token } = request.caller
      const page = pageOf(request)
      const list = await listOwnOrganizations(app.db, user.id, token.id, page)
      return presentPage(
        request,
        page,
        list,
        ({ organization }) => [organization.created_at.toISOString(), organization.id],
        (membership) => presentOrganization(membership, app.url),
      )
    },
  )

  app.post(
    '/orgs',
    {
      config: { policy: token(null, 'to be an administrator of the instance') },
      schema: {
        operationId: 'createOrganization',
        summary: 'Create an organization',
        tags: ['organizations'],
        querystring: NewOrganizationQuery,
        body: NewOrganization,
        response: { 201: Organization, ...refusals },
      },
    },
    async (request) => {
      const { user } = request.caller
      const { title, emailDomains } = request.body
      if (!mayCreateOrganizations(user)) throw cannotCreateOrganizations()

      return write(request, async (tx) => {
        const made = await createOrganization(tx, { title, emailDomains, adminId: user.id })
        const organization = await furnish(tx, app, made, { ...request.query, adminId: user.id })
        const membership = { userId: user.id, role: 'admin' as const, ownsTeam: false, organization, defaultSite: null }
        return presentOrganization(asAdmin(membership, organization), app.url)
      })
    },
  )

  app.get(
    '/orgs/:organizationId',
    {
      config: { policy: token('organization:read', 'to be a member') },
      schema: {
        operationId: 'getOrganizationById',
        summary: 'Get an organization',
        tags: ['organizations'],
        params: inOrganization,
        response: { 200: Organization, ...refusals },
      },
    },
    async (request) => presentOrganization(accessOrganization(request.caller, 'view'), app.url),
  )

  app.patch(
    '/orgs/:organizationId',
    {
      config: { policy: token('organization:write', 'the role admin') },
      schema: {
        operationId: 'updateOrganizationById',
        summary: 'Update an organization',
        tags: ['organizations'],
        params: inOrganization,
        body: OrganizationChanges,
        response: { 200: Organization, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')

      return write(request, async (tx) => {
        const current = await lockOrganization(tx, membership.organization.id)
        requireMatch(request, presentOrganization(asAdmin(membership, current), app.url))
        const organization = await changeOrganization(tx, current, request.body)
        return presentOrganization(asAdmin(membership, organization), app.url)
      })
    },
  )
}

/** An administrator sees every site, including the default one. */
const asAdmin = (membership: Membership, organization: OrganizationRow): Membership => ({
  ...membership,
  organization,
  defaultSite: organization.default_site_id,
})
