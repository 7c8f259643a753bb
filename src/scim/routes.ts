import { parseJsonBody } from '../http/body.ts'
import type { Routes } from '../http/routes.ts'
import { scimDescriptionRoutes } from './description.routes.ts'
import { answerScimError } from './errors.ts'
import { scimGroupRoutes } from './groups.routes.ts'
import { scimUserRoutes } from './users.routes.ts'

const type = 'application/scim+json'

/** How the identity provider of an organization says who is in it, and in which teams, without anybody signing in first. */
export const scimRoutes: Routes = async (app) => {
  app.addContentTypeParser(type, { parseAs: 'buffer' }, parseJsonBody)
  app.setErrorHandler(answerScimError)
  app.addHook('preSerialization', async (_request, reply, answer) => {
    reply.type(`${type}; charset=utf-8`)
    return answer
  })

  for (const routes of [scimUserRoutes, scimGroupRoutes, scimDescriptionRoutes]) {
    app.register(routes, { prefix: '/orgs/:organizationId/scim/v2' })
  }
}
