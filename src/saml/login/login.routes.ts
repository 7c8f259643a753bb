import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { refusedPage } from '../../account/refused.page.ts'
import { placeOf } from '../../front/place.ts'
import { refuseUntilReady } from '../../http/health.ts'
import { ApiError, asApiError, notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { authorOf } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { newSecret } from '../../secrets.ts'
import { findSession, hasArrived, readCookie, setCookie, setSessionCookie } from '../../sessions/cookie.ts'
import { readNext } from '../../sessions/next.ts'
import { serviceOf } from '../addresses.ts'
import { listKeys } from '../keys/keys.queries.ts'
import { answerLogin, beginLogin, endLogin, whereItLeads } from './logins.ts'
import { metadataOf } from '../metadata.ts'
import { type ReadyProvider, findProvider, isReady } from '../queries.ts'
import { LoginRefused } from './refusal.ts'

interface Params {
  organizationId: string
  providerId: string
}

const maxBodyBytes = 640 * 1024
const cookieSeconds = 24 * 3_600
const config = { hidden: true, uncounted: true }

/** The path of a browser: from here to the provider, back with its response, and in. */
export const samlLoginRoutes: Routes = async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    refuseUntilReady(app.health)
  })
  app.setErrorHandler((error, request, reply) => showRefusal(app, error, request, reply))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBodyBytes },
    async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(String(body)),
  )

  app.get<{ Params: Params }>('/saml/:organizationId/:providerId', { config }, async (request, reply) => {
    const provider = await accessAnyProvider(app, request.params)
    const keys = await listKeys(app.db, provider)
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadataOf(app.url, provider, keys))
  })

  app.get<{ Params: Params; Querystring: { next?: string } }>(
    '/saml/:organizationId/:providerId/start',
    { config, exposeHeadRoute: false },
    async (request, reply) => {
      app.limit?.count(request, reply)
      const provider = await accessReadyProvider(app, request.params)
      const browserSecret = readCookie(request, 'sign-in') ?? newSecret()
      const location = await beginLogin(app, provider, {
        browserSecret,
        address: request.ip,
        nextPath: readNext(request.query.next) ?? '/account',
      })
      setCookie(reply, request, 'sign-in', browserSecret, cookieSeconds)
      return reply.redirect(location, 303)
    },
  )

  // Responses are posted. A user who opens the address has reloaded a refused login, or followed an address that is
  // meant for providers.
  app.get<{ Params: Params }>('/saml/:organizationId/:providerId/acs', { config }, async (request) => {
    await accessAnyProvider(app, request.params)
    throw new LoginRefused('unknown-login')
  })

  app.post<{ Params: Params }>('/saml/:organizationId/:providerId/acs', { config }, async (request, reply) => {
    app.limit?.count(request, reply)
    const provider = await accessReadyProvider(app, request.params)
    const answer = formOf(request.body)
    const login = await answerLogin(app, provider, authorOf(request), answer)
    // Another website sent this, so the cookies that identify the browser are missing. They come with the next request.
    return reply.redirect(`${serviceOf(app.url, provider).doneURL}?login=${login.id}`, 303)
  })

  app.get<{ Params: Params; Querystring: { login?: string } }>(
    '/saml/:organizationId/:providerId/done',
    { config, exposeHeadRoute: false },
    async (request, reply) => {
      const provider = await accessReadyProvider(app, request.params)
      const loginId = String(request.query.login)
      if (await hasArrived(request)) return leadTo(app, reply, await whereItLeads(app.db, provider, loginId))
      const { secret, nextPath } = await endLogin(app.db, provider, authorOf(request), {
        loginId,
        secret: readCookie(request, 'sign-in'),
        userAgent: request.headers['user-agent'] ?? '',
        former: await findSession(request),
      })
      setSessionCookie(reply, request, secret)
      setCookie(reply, request, 'sign-in', '', 0)
      return reply.redirect(placeOf(app).link(nextPath), 303)
    },
  )
}

async function accessAnyProvider(app: App, { organizationId, providerId }: Params) {
  const provider =
    isId(organizationId) && isId(providerId) ? await findProvider(app.db, organizationId, providerId) : undefined
  if (!provider) throw notFound('identity provider')
  return provider
}

async function accessReadyProvider(app: App, params: Params): Promise<ReadyProvider> {
  const provider = await accessAnyProvider(app, params)
  if (!isReady(provider)) throw new ApiError('conflict', 'This identity provider is not completely set up yet.')
  return provider
}

/** Returns the two fields that count. Neither may occur twice. */
function formOf(body: unknown): { relayState: string; response: string } {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams()
  const [response, ...others] = form.getAll('SAMLResponse')
  const [relayState, ...otherStates] = form.getAll('RelayState')
  if (response === undefined || others.length > 0 || otherStates.length > 0) throw new LoginRefused('malformed')
  return { relayState: relayState ?? '', response }
}

/** Errors in the form itself are described in terms of the API, which mean nothing to users. */
const asRefusal = (error: ApiError) =>
  [400, 413, 415].includes(error.status) ? new LoginRefused('malformed', { cause: error }) : error

/** Users get a page, whatever happens. It says what they can do, and reveals nothing of what happened internally. */
function showRefusal(app: App, error: unknown, request: FastifyRequest<{ Params?: unknown }>, reply: FastifyReply) {
  const known = error instanceof LoginRefused ? error : asRefusal(asApiError(error))
  if (known.status >= 500) request.log.error({ err: error }, 'a login failed')
  else request.log.info({ reason: known instanceof LoginRefused ? known.reason : known.type }, 'a login was refused')
  const headers = known instanceof ApiError ? known.headers : known.status === 429 ? { 'retry-after': '300' } : {}
  const page = refusedPage(placeOf(app), {
    message: known.message,
    ...(isRepeated(known) && { heading: 'This sign-in has ended' }),
    way: (isRepeated(known) && wayOn(app, request)) || wayFrom(app, known.status, request.params as Params),
    whom: 'an administrator of your organization',
    requestId: request.id,
  })
  return answerPage(reply.headers(headers), page, known.status)
}

const isRepeated = (error: Error) => error instanceof LoginRefused && error.reason === 'repeated'

/** A user who went back to the provider is usually signed in. Only the next request has the cookie that shows it. */
function wayOn(app: App, request: FastifyRequest<{ Params?: unknown }>) {
  const { organizationId, providerId } = request.params as Params
  const { doneURL } = serviceOf(app.url, { organization_id: organizationId, id: providerId })
  return { label: 'Continue', address: `${doneURL}?login=${formOf(request.body).relayState}` }
}

function wayFrom(app: App, status: number, { organizationId = '', providerId = '' }: Partial<Params>) {
  if (!isId(organizationId)) return undefined
  // For users with an old bookmark: the provider may be deleted, but their account is not.
  if (status === 404)
    return { label: 'Sign in another way', address: placeOf(app).link(`/login?org=${organizationId}`) }
  const { startURL } = serviceOf(app.url, { organization_id: organizationId, id: providerId })
  return isId(providerId) ? { label: 'Try again', address: startURL } : undefined
}
