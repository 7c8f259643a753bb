import { CallerCache } from './access/caller-cache.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import { identifyCaller, requireIds } from './http/auth.ts'
import { healthRoutes, refuseUntilReady } from './http/health.ts'
import { answerNotFound } from './http/errors.ts'
import { informationRoutes } from './http/information.ts'
import { collectMethods, refuseOtherMethods } from './http/methods.ts'
import { RateLimit } from './http/rate-limit.ts'
import type { App } from './http/routes.ts'
import { makeServer } from './http/server.ts'
import { type ApiDescription, type Operation, collectOperations, describeApi } from './http/spec.ts'
import { domainRoutes } from './organizations/domains.routes.ts'
import { inviteRoutes } from './organizations/invites.routes.ts'
import { memberRoutes } from './organizations/members.routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { pageRoutes } from './front/routes.ts'
import type { Secrets } from './secrets.ts'
import { teamMemberRoutes } from './teams/members.routes.ts'
import { teamRoutes } from './teams/routes.ts'
import { barredTokenRoutes } from './tokens/barred.routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { userRoutes } from './users/routes.ts'
import { version } from './version.ts'

export interface Parts {
  config: Config
  db: Database
  secrets: Secrets
}

/** The table of contents: what holds for all routes, then every feature by name. */
export async function makeApp({ config, db, secrets }: Parts): Promise<App> {
  const app = makeServer(config)
  app.decorate('db', db)
  app.decorate('config', config)
  app.decorate('secrets', secrets)
  app.decorate('callers', new CallerCache(db))
  app.decorate('url', config.url ?? `http://${config.host}:${config.port}`)

  app.decorate('health', { ready: false })

  const methods = collectMethods(app)
  const operations = collectOperations(app)
  app.decorate('operations', operations)

  app.register(healthRoutes)
  app.register(pageRoutes)
  app.register(
    async function api(app) {
      app.addHook('onRequest', async () => refuseUntilReady(app.health))
      app.addHook('onRequest', identifyCaller(config.rateLimit && new RateLimit(config.rateLimit)))
      app.addHook('preValidation', requireIds)
      app.setNotFoundHandler(answerNotFound)

      app.register(informationRoutes)
      app.register(userRoutes)
      app.register(tokenRoutes)
      app.register(barredTokenRoutes)
      app.register(organizationRoutes)
      app.register(memberRoutes)
      app.register(inviteRoutes)
      app.register(domainRoutes)
      app.register(teamRoutes)
      app.register(teamMemberRoutes)
      app.after(() => refuseOtherMethods(app, methods))
    },
    { prefix: '/v1' },
  )

  app.after(() => refuseOtherMethods(app, methods))
  return app
}

/** The OpenAPI document of an app whose routes are all registered. */
export function describeApp(app: App): ApiDescription {
  return describeApi(app.operations, version)
}

declare module 'fastify' {
  interface FastifyInstance {
    operations: Operation[]
  }
}
