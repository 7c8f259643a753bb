import { changeRequestChangesRoutes } from './change-requests/changes.routes.ts'
import { changeRequestRoutes } from './change-requests/routes.ts'
import { mergingRoutes } from './change-requests/merging.routes.ts'
import { revertRoutes } from './change-requests/revert.routes.ts'
import { reviewRoutes } from './change-requests/reviews.routes.ts'
import { reviewerRoutes } from './change-requests/reviewers.routes.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import { collectionRoutes } from './collections/routes.ts'
import { collectionPermissionRoutes, spacePermissionRoutes } from './grants/routes.ts'
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
import { editingRoutes } from './editing/routes.ts'
import { pageRoutes } from './front/routes.ts'
import { Fetcher } from './fetch/fetcher.ts'
import { downloadRoutes } from './files/downloads.routes.ts'
import { fileRoutes } from './files/routes.ts'
import { uploadRoutes, uploadTarget } from './files/uploads.routes.ts'
import { ContentCache } from './pages/content-cache.ts'
import { revisionRoutes } from './pages/revisions.routes.ts'
import { contentRoutes } from './pages/routes.ts'
import type { Secrets } from './secrets.ts'
import type { BlobStore } from './storage/store.ts'
import { spaceLifecycleRoutes } from './spaces/lifecycle.routes.ts'
import { spaceRoutes } from './spaces/routes.ts'
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
  store: BlobStore
}

/** The table of contents: what holds for all routes, then every feature by name. */
export async function makeApp({ config, db, secrets, store }: Parts): Promise<App> {
  const app = makeServer(config)
  app.decorate('db', db)
  app.decorate('config', config)
  app.decorate('secrets', secrets)
  app.decorate('store', store)
  app.decorate('fetcher', new Fetcher({ allow: config.fetchAllow }))
  app.addHook('onClose', () => app.fetcher.close())
  app.decorate('content', new ContentCache(db))
  app.decorate('url', config.url ?? `http://${config.host}:${config.port}`)

  app.decorate('health', { ready: false })

  const methods = collectMethods(app)
  const operations = collectOperations(app)
  app.decorate('operations', operations)

  app.register(healthRoutes)
  app.register(pageRoutes)
  app.register(uploadTarget)
  app.register(downloadRoutes)
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
      app.register(collectionRoutes)
      app.register(collectionPermissionRoutes)
      app.register(spaceRoutes)
      app.register(spaceLifecycleRoutes)
      app.register(spacePermissionRoutes)
      app.register(uploadRoutes)
      app.register(editingRoutes)
      app.register(contentRoutes)
      app.register(fileRoutes)
      app.register(revisionRoutes)
      app.register(changeRequestRoutes)
      app.register(changeRequestChangesRoutes)
      app.register(mergingRoutes)
      app.register(reviewRoutes)
      app.register(reviewerRoutes)
      app.register(revertRoutes)
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
