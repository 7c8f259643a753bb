import { personalPages } from './account/server.ts'
import { auditRoutes } from './audit/routes.ts'
import { AuditTrail, noteRefusal } from './audit/trail.ts'
import { changeRequestChangesRoutes } from './change-requests/changes.routes.ts'
import { changeRequestRoutes } from './change-requests/routes.ts'
import { mergingRoutes } from './change-requests/merging/merging.routes.ts'
import { revertRoutes } from './change-requests/merging/revert.routes.ts'
import { reviewRoutes } from './change-requests/reviews/reviews.routes.ts'
import { reviewerRoutes } from './change-requests/reviews/reviewers.routes.ts'
import { commenterRoutes } from './comments/commenters.routes.ts'
import { replyRoutes } from './comments/replies.routes.ts'
import { commentRoutes } from './comments/routes.ts'
import { Audience } from './audience/audience.ts'
import { previewRoutes } from './audience/preview/preview.routes.ts'
import { siteSearchRoutes } from './audience/search/search.routes.ts'
import { urlRoutes } from './audience/urls/urls.routes.ts'
import { type Config, addressOf } from './config.ts'
import type { Database } from './db/connect.ts'
import { collectionRoutes } from './collections/routes.ts'
import { collectionPermissionRoutes, spacePermissionRoutes } from './grants/routes.ts'
import { asSeenBy, identifyCaller, requireIds } from './http/auth.ts'
import { allowBrowsersOutside } from './http/cors.ts'
import { healthRoutes, refuseUntilReady } from './http/health.ts'
import { answerError } from './http/errors.ts'
import { informationRoutes } from './http/information.ts'
import { answerUnrouted } from './http/methods.ts'
import { RateLimit } from './http/rate-limit.ts'
import { type App, pointAtNew } from './http/routes.ts'
import { makeServer } from './http/server.ts'
import { type ApiDescription, type Operation, collectOperations, describeApi } from './http/spec.ts'
import { domainRoutes } from './organizations/domains.routes.ts'
import { inviteRoutes } from './invites/routes.ts'
import { Imports } from './imports/imports.ts'
import { importRoutes } from './imports/routes.ts'
import { importRunRoutes } from './imports/runs/routes.ts'
import { Insights } from './insights/insights.ts'
import { insightRoutes } from './insights/routes.ts'
import { Mailer } from './mail/mailer.ts'
import { RequestFigures } from './metrics/requests.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { memberRoutes } from './organizations/members.routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { Embeds } from './embeds/embeds.ts'
import { embedRoutes } from './embeds/routes.ts'
import { editingRoutes } from './editing/routes.ts'
import { answerInKind } from './front/refusals.ts'
import { pageRoutes } from './front/routes.ts'
import { Follower } from './git/following/follower.ts'
import { gitFollowingRoutes } from './git/following/routes.ts'
import { gitHookCallRoutes } from './git/following/hook/calls.routes.ts'
import { gitHookRoutes } from './git/following/hook/routes.ts'
import { gitRoutes } from './git/routes.ts'
import { GitSyncs } from './git/syncs.ts'
import { HotPages } from './published/sending/hot-pages.ts'
import { Looks } from './published/look/looks.ts'
import { metaLinkRoutes } from './published/meta-links/meta-links.routes.ts'
import { Fetcher } from './fetch/fetcher.ts'
import { downloadRoutes } from './files/downloads.routes.ts'
import { fileRoutes } from './files/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { exportRunRoutes } from './exports/runs/runs.routes.ts'
import { Pdfs } from './pdf/pdfs.ts'
import { pdfDownloadRoutes, pdfRoutes } from './pdf/routes.ts'
import { uploadRoutes, uploadTarget } from './files/uploads.routes.ts'
import { ContentCache } from './pages/content-cache.ts'
import { computedRoutes } from './openapi/computed.routes.ts'
import { specDownloadRoutes } from './openapi/downloads.ts'
import { specRoutes } from './openapi/routes.ts'
import { Specifications } from './openapi/specifications.ts'
import { specVersionRoutes } from './openapi/versions.routes.ts'
import { backlinkRoutes } from './links/backlinks.routes.ts'
import { linkRoutes } from './links/routes.ts'
import { revisionRoutes } from './pages/revisions.routes.ts'
import { contentRoutes } from './pages/routes.ts'
import { answerHotFirst, answerSiteHosts, publishedRoutes } from './published/server.ts'
import { changePages } from './review/server.ts'
import { samlKeyRoutes } from './saml/keys/keys.routes.ts'
import { samlLoginRoutes } from './saml/login/login.routes.ts'
import { samlRoutes } from './saml/routes.ts'
import { scimRoutes } from './scim/routes.ts'
import { searchRoutes } from './search/routes.ts'
import type { Secrets } from './secrets.ts'
import { sessionRoutes } from './sessions/routes.ts'
import type { BlobStore } from './storage/store.ts'
import { adaptiveRoutes } from './sites/adaptive/routes.ts'
import { customizationRoutes } from './sites/customization/routes.ts'
import { hostnameRoutes } from './sites/hostnames/routes.ts'
import { siteMoveRoutes } from './sites/structure/moves.routes.ts'
import { sitePermissionRoutes } from './sites/permissions/routes.ts'
import { publishingAuthRoutes } from './sites/publishing-auth/routes.ts'
import { redirectRoutes } from './sites/redirects/routes.ts'
import { siteRoutes } from './sites/routes.ts'
import { siteExternalLinkRoutes } from './sites/structure/external-links.routes.ts'
import { siteSectionGroupRoutes } from './sites/structure/section-groups.routes.ts'
import { siteSectionRoutes } from './sites/structure/sections.routes.ts'
import { fontDownloads } from './sites/fonts/downloads.routes.ts'
import { fontRoutes } from './sites/fonts/routes.ts'
import { pictureDownloads } from './sites/pictures/downloads.routes.ts'
import { pictureRoutes } from './sites/pictures/routes.ts'
import { shareLinkRoutes } from './sites/share-links/routes.ts'
import { siteSpaceRoutes } from './sites/structure/site-spaces.routes.ts'
import { siteStructureRoutes } from './sites/structure/routes.ts'
import { spaceLifecycleRoutes } from './spaces/lifecycle.routes.ts'
import { spaceRoutes } from './spaces/routes.ts'
import { teamMemberRoutes } from './teams/members.routes.ts'
import { teamRoutes } from './teams/routes.ts'
import { barredTokenRoutes } from './tokens/barred.routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { TokenUses } from './tokens/uses.ts'
import { translationRoutes } from './translations/routes.ts'
import { userRoutes } from './users/routes.ts'
import { version } from './version.ts'
import { deliveryRoutes } from './webhooks/deliveries.routes.ts'
import { eventDescriptions } from './webhooks/events.schema.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { WebhookSender } from './webhooks/sender.ts'
import { workspacePages } from './workspace/server.ts'

export interface Parts {
  config: Config
  db: Database
  secrets: Secrets
  store: BlobStore
}

/** The table of contents: first what applies to all routes, then every feature by name. */
export async function makeApp(parts: Parts): Promise<App> {
  const { config } = parts
  const app = makeServer(config, answerInKind)
  carry(app, parts)

  const operations = collectOperations(app)
  app.decorate('operations', operations)

  app.register(healthRoutes)
  if (config.metricsToken !== undefined) measure(app, config.metricsToken)
  app.register(pageRoutes)
  app.register(personalPages([...changePages, ...workspacePages]))
  app.register(publishedRoutes)
  app.register(samlLoginRoutes)
  app.register(uploadTarget)
  app.register(downloadRoutes)
  app.register(fontDownloads)
  app.register(pictureDownloads)
  app.register(specDownloadRoutes)
  app.register(pdfDownloadRoutes)
  app.register(
    async function api(app) {
      app.addHook('onRequest', async () => refuseUntilReady(app.health))
      app.addHook('onRequest', identifyCaller(app.limit))
      app.addHook('preValidation', requireIds)
      app.addHook('preSerialization', (request, reply, answer, done) => {
        pointAtNew(request, reply, answer)
        done(null, asSeenBy(request, answer))
      })
      app.addHook('onResponse', noteRefusal)
      app.setErrorHandler(answerError)
      app.setNotFoundHandler(answerUnrouted(answerError, { checksIds: true }))

      app.register(informationRoutes)
      app.register(userRoutes)
      app.register(tokenRoutes)
      app.register(sessionRoutes)
      app.register(barredTokenRoutes)
      app.register(organizationRoutes)
      app.register(memberRoutes)
      app.register(inviteRoutes)
      app.register(domainRoutes)
      app.register(samlRoutes)
      app.register(samlKeyRoutes)
      app.register(scimRoutes)
      app.register(auditRoutes)
      app.register(webhookRoutes)
      app.register(translationRoutes)
      app.register(deliveryRoutes)
      app.register(teamRoutes)
      app.register(teamMemberRoutes)
      app.register(collectionRoutes)
      app.register(collectionPermissionRoutes)
      app.register(spaceRoutes)
      app.register(spaceLifecycleRoutes)
      app.register(spacePermissionRoutes)
      app.register(siteRoutes)
      app.register(previewRoutes)
      app.register(siteSearchRoutes)
      app.register(urlRoutes)
      app.register(siteStructureRoutes)
      app.register(siteSectionRoutes)
      app.register(siteSectionGroupRoutes)
      app.register(siteExternalLinkRoutes)
      app.register(siteSpaceRoutes)
      app.register(siteMoveRoutes)
      app.register(sitePermissionRoutes)
      app.register(shareLinkRoutes)
      app.register(hostnameRoutes)
      app.register(fontRoutes)
      app.register(pictureRoutes)
      app.register(publishingAuthRoutes)
      app.register(adaptiveRoutes)
      app.register(customizationRoutes)
      app.register(redirectRoutes)
      app.register(insightRoutes)
      app.register(uploadRoutes)
      app.register(editingRoutes)
      app.register(importRoutes)
      app.register(importRunRoutes)
      app.register(contentRoutes)
      app.register(metaLinkRoutes)
      app.register(fileRoutes)
      app.register(pdfRoutes)
      app.register(exportRoutes)
      app.register(exportRunRoutes)
      app.register(revisionRoutes)
      app.register(gitRoutes)
      app.register(gitFollowingRoutes)
      app.register(gitHookRoutes)
      app.register(gitHookCallRoutes)
      app.register(linkRoutes)
      app.register(backlinkRoutes)
      app.register(embedRoutes)
      app.register(changeRequestRoutes)
      app.register(changeRequestChangesRoutes)
      app.register(mergingRoutes)
      app.register(reviewRoutes)
      app.register(reviewerRoutes)
      app.register(revertRoutes)
      app.register(searchRoutes)
      app.register(specRoutes)
      app.register(specVersionRoutes)
      app.register(computedRoutes)
      app.register(commentRoutes)
      app.register(replyRoutes)
      app.register(commenterRoutes)
    },
    { prefix: '/v1' },
  )

  return app
}

/** Attaches the services that routes use, and closes them with the app. */
function carry(app: App, { config, db, secrets, store }: Parts): void {
  app.decorate('db', db)
  app.decorate('config', config)
  app.decorate('secrets', secrets)
  app.decorate('store', store)
  app.decorate('fetcher', new Fetcher({ allow: config.fetchAllow }))
  app.addHook('onClose', () => app.fetcher.close())
  app.decorate(
    'content',
    new ContentCache(db, { generate: (organizationId, doc) => app.openapi.body(organizationId, doc) }),
  )
  app.decorate('url', addressOf(config))
  app.decorate('hosts', {
    get url() {
      return app.url
    },
    sitesHost: config.sitesHost,
  })

  app.decorate('openapi', new Specifications(app))
  app.addHook('onClose', () => app.openapi.close())

  app.decorate('embeds', new Embeds(app))
  app.addHook('onClose', () => app.embeds.close())

  app.decorate('imports', new Imports(app))
  app.addHook('onClose', () => app.imports.close())
  app.decorate('git', new GitSyncs(app))
  app.addHook('onClose', () => app.git.close())

  app.decorate('audit', new AuditTrail(db, app.log))
  app.addHook('onClose', () => app.audit.flush())
  app.decorate('tokenUses', new TokenUses(db, app.log))
  app.addHook('onClose', () => app.tokenUses.flush())
  app.decorate('insights', new Insights(app))
  app.addHook('onClose', () => app.insights.flush({ end: true }))
  app.decorate('webhooks', new WebhookSender(app))
  closeBesideRequests(app, () => app.webhooks.close())

  app.decorate('mail', new Mailer(app))
  closeBesideRequests(app, () => app.mail.close())

  app.decorate('following', new Follower(app))
  closeBesideRequests(app, () => app.following.close())

  app.decorate('pdfs', new Pdfs(app))
  app.addHook('onClose', () => app.pdfs.close())

  app.decorate('health', { ready: false })
  app.decorate('audience', new Audience(app))
  app.decorate('looks', new Looks())
  app.decorate('limit', config.rateLimit && new RateLimit(config.rateLimit))
  app.addHook('onClose', () => app.audience.close())
  app.addHook('onRequest', answerSiteHosts(app))
  app.addHook('onRequest', allowBrowsersOutside)
  app.decorate('hot', new HotPages(app.audience.snapshots, app.insights))
  answerHotFirst(app)
}

/** Counts every request from now on, and serves the figures to clients with the metrics token. */
function measure(app: App, token: string): void {
  const requests = new RequestFigures()
  app.addHook('onResponse', requests.note)
  app.register(metricsRoutes(requests, token))
}

/**
 * For services that may have to wait for others when they close. Closing starts as soon as the server takes no more
 * requests, for all of them at once.
 */
function closeBesideRequests(app: App, close: () => Promise<void>): void {
  let closed: Promise<void> | undefined
  app.addHook('preClose', async () => void (closed = close()))
  app.addHook('onClose', () => closed)
}

/** Returns the OpenAPI document of an app whose routes are all registered. */
export function describeApp(app: App): ApiDescription {
  return describeApi(app.operations, version, eventDescriptions)
}

declare module 'fastify' {
  interface FastifyInstance {
    operations: Operation[]
  }
}
