import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './routes.ts'

/**
 * Scripts in a browser may call the API from any page, with a bearer token. Cookies never work: credentials are not
 * allowed, and `/v1` uses no cookies.
 */
export function allowBrowsers(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', exposed)
}

/** Answers the preflight requests that a browser sends before it lets a script call. */
export function answerPreflights(app: App): void {
  app.options('/v1/*', { config: { hidden: true } }, async (_request, reply) => answerPreflight(reply))
}

/** Where the API sends its callers to upload or download bytes. The address itself carries the permission. */
const handedOut = /^\/(uploads|files|pdf|openapi)\/:?\w/

/** The same for these addresses: otherwise a script could not use one that it got in an answer. */
export async function allowBrowsersOutside(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!handedOut.test(request.routeOptions.url ?? request.url)) return
  allowBrowsers(reply)
  const asksBefore = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  if (asksBefore) await answerPreflight(reply)
}

const answerPreflight = (reply: FastifyReply) =>
  reply
    .code(204)
    .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    .header('access-control-allow-headers', allowed)
    .header('access-control-max-age', '86400')
    .send()

/** Includes `user-agent`, because the official client sets it, and some browsers treat it as a custom header. */
const allowed = 'authorization, content-type, if-match, if-none-match, idempotency-key, prefer, user-agent'

const exposed = [
  'etag',
  'location',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'idempotency-replayed',
  'deprecation',
  'preference-applied',
  'lectern-export',
].join(', ')
