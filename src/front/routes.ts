import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import type { Html } from '../http/html.ts'
import type { App, Routes } from '../http/routes.ts'
import { describeApi } from '../http/spec.ts'
import { findSession } from '../sessions/cookie.ts'
import { siteAddress } from '../sites/addresses.ts'
import { findFrontSite } from '../sites/front.queries.ts'
import { eventDescriptions } from '../webhooks/events.schema.ts'
import { version } from '../version.ts'
import { appPage } from './app-page.ts'
import { landingPage } from './landing.ts'
import { leadToPage } from './page-instead.ts'
import { assetsOfPages, placeOf } from './place.ts'
import { policyOfPages } from './policy.ts'

const robotsText =
  'User-agent: *\nDisallow: /v1/\nDisallow: /app/\nDisallow: /invite/\nDisallow: /login\nDisallow: /account\n'

/**
 * The pages for browsers that exist even without a site: plain pages without any data. All that they know about the
 * reader is whether they are signed in.
 */
export const pageRoutes: Routes = async (app) => {
  const assets = assetsOfPages()
  const place = once(() => placeOf(app))
  const description = once(() => {
    const servers = [{ url: app.url }]
    return { ...describeApi(app.operations, version, eventDescriptions), servers }
  })

  const landing = pageForPeople(app, (isSignedIn) => landingPage(place(), isSignedIn))
  const nothing = page(() => appPage(place()))
  const reference = pageForPeople(app, async (isSignedIn) => {
    // Loaded on first use, so that it costs nothing if only the API is called.
    const { referencePage } = await import('./reference/page.ts')
    return referencePage(description(), place(), app.config.rateLimit, isSignedIn)
  })
  const openApi = answerOnce(() => JSON.stringify(description(), null, 2), {
    'content-type': 'application/json; charset=utf-8',
    // Tools that run in a browser read it from any origin.
    'access-control-allow-origin': '*',
  })
  const robots = answerOnce(() => robotsText, { 'content-type': 'text/plain; charset=utf-8' })

  app.get('/', landing)
  app.get('/app', async (_request, reply) => reply.redirect(place().link('/account'), 307))
  app.get('/app/*', async (request, reply) => leadToPage(app, reply) ?? nothing(request, reply.code(404)))
  app.get('/docs/api', reference)
  // The documentation that the first organization shows to everybody; if there is none, the API reference.
  app.get('/docs', async (_request, reply) => {
    const site = app.health.ready ? await findFrontSite(app.db) : undefined
    return reply.redirect(site ? siteAddress(app.hosts, site) : place().link('/docs/api'), 307)
  })
  // Programs that follow links (link checkers, previews) do not say that they accept pages, as browsers do.
  for (const path of ['/docs/', '/docs/api/']) app.get(path, async (_request, reply) => leadToPage(app, reply))
  app.get('/openapi.json', openApi)
  app.get('/robots.txt', robots)
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, async (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(assets.favicon),
    )
  }
  app.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const asset = assets.find(request.params.file)
    if (!asset) throw notFound('address')
    return reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable').send(asset.body)
  })
}

/** A page with a link that leads signed-in users to their account, and all others to the sign-in page. */
function pageForPeople(app: App, make: (isSignedIn: boolean) => Html | Promise<Html>) {
  const forMembers = page(() => make(true))
  const forOthers = page(() => make(false))
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'cookie')
    return (await isSignedIn(app, request)) ? forMembers(request, reply) : forOthers(request, reply)
  }
}

/** These pages also work without the database; nobody counts as signed in then. */
async function isSignedIn(app: App, request: FastifyRequest): Promise<boolean> {
  if (!app.health.ready) return false
  const session = await findSession(request).catch(() => undefined)
  return session !== undefined
}

const page = (make: () => Html | Promise<Html>) =>
  answerOnce(make, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOfPages("'none'"),
  })

/** Answers with the result of `make` from the first request. A browser that already has it gets 304. */
function answerOnce(make: () => Html | string | Promise<Html>, headers: Record<string, string>) {
  const kept = once(async () => {
    const body = Buffer.from(String(await make()))
    return { body, etag: etagOf(body) }
  })
  return async (_request: unknown, reply: FastifyReply) => {
    const { body, etag } = await kept()
    return reply.headers({ ...headers, etag, 'cache-control': 'no-cache' }).send(body)
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
