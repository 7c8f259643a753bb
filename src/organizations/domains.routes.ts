import { notFound } from '../http/errors.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessToJoin, findByDomain } from './domains.access.ts'
import { joinOrganization } from './domains.actions.ts'
import { presentSubdomain } from './domains.present.ts'
import { findOwnSubdomain } from './domains.queries.ts'
import { OrganizationsOfDomain, Subdomain } from './domains.schema.ts'
import { presentOrganization } from './present.ts'

export const domainRoutes: Routes = async (app) => {
  app.get(
    '/email-domains/:emailDomain/orgs',
    {
      config: { policy: token('organization:read', 'to be a member, or a verified address of the domain') },
      schema: {
        operationId: 'getOrganizationsForEmailDomain',
        summary: 'List the organizations of an e-mail domain: your own, and the one that you can join',
        tags: ['organizations'],
        params: Type.Object({ emailDomain: Type.String() }),
        response: { 200: OrganizationsOfDomain, ...refusals },
      },
    },
    async (request) => {
      const found = await findByDomain(app.db, request.caller, request.params.emailDomain.toLowerCase())
      return { organizations: found ? [presentOrganization(found, app.url)] : [] }
    },
  )

  app.post(
    '/orgs/:organizationId/join',
    {
      config: { policy: token(null, "a verified address of the organization's e-mail domain") },
      schema: {
        operationId: 'joinOrganization',
        summary: 'Join the organization of your e-mail domain',
        tags: ['organizations'],
        params: Type.Object({ organizationId: Type.String() }),
        response: { 204: Nothing('You joined the organization'), ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request
      if (caller.membership) return
      await accessToJoin(app.db, caller, params.organizationId)

      await write(request, async (tx) => {
        await joinOrganization(tx, await accessToJoin(tx, caller, params.organizationId), caller.user)
      })
    },
  )

  app.get(
    '/subdomains/:subdomain',
    {
      config: { policy: token('organization:read', 'to be a member of the organization it belongs to') },
      schema: {
        operationId: 'getSubdomain',
        summary: 'Get the target of a subdomain',
        tags: ['subdomains'],
        params: Type.Object({ subdomain: Type.String() }),
        response: { 200: Subdomain, ...refusals },
      },
    },
    async (request) => {
      const { subdomain } = request.params
      const organizationId = await findOwnSubdomain(app.db, request.caller, subdomain)
      if (organizationId === undefined) throw notFound('subdomain')
      return presentSubdomain(subdomain, organizationId)
    },
  )
}
