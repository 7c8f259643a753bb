import { parseJsonBody } from '../http/body.ts'
import { answerUnrouted } from '../http/methods.ts'
import type { Routes } from '../http/routes.ts'
import { withKnownNames } from './attribute-names.ts'
import { scimDescriptionRoutes } from './description.routes.ts'
import { answerScimError } from './errors.ts'
import { scimGroupRoutes } from './groups.routes.ts'
import { scimUserRoutes } from './users.routes.ts'

const type = 'application/scim+json'

/**
 * Lets the identity provider of an organization report who is in it, and in which teams, without anyone signing in
 * first.
 */
export const scimRoutes: Routes = async (app) => {
  app.register(routesOfOrganization, { prefix: '/orgs/:organizationId/scim/v2' })
}

const routesOfOrganization: Routes = async (app) => {
  app.addContentTypeParser(type, { parseAs: 'buffer' }, parseJsonBody)
  app.setErrorHandler(answerScimError)
  const refuse = answerUnrouted(answerScimError, { checksIds: true })
  app.setNotFoundHandler(refuse)
  app.addHook('preValidation', async (request) => {
    request.body = withKnownNames(request.body)
  })
  app.addHook('preSerialization', async (_request, reply, answer) => {
    reply.type(`${type}; charset=utf-8`)
    return answer
  })

  // With other methods, these would be taken for ids.
  const config = { hidden: true, refusesMethods: true }
  for (const url of ['/Users/.search', '/Groups/.search'])
    app.route({ method: ['GET', 'PUT', 'PATCH', 'DELETE'], url, config, handler: async (...of) => refuse(...of) })
  for (const routes of [scimUserRoutes, scimGroupRoutes, scimDescriptionRoutes]) app.register(routes)
}
