import type { FastifyReply } from 'fastify'
import type { App } from './routes.ts'

/**
 * Scripts in a browser may call the API from any page, with a bearer token. Never with cookies: no credentials are
 * allowed, and `/v1` knows none.
 */
export function allowBrowsers(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', exposed)
}

/** What a browser asks before it lets a script call. */
export function answerPreflights(app: App): void {
  app.options('/v1/*', { config: { hidden: true } }, async (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', allowed)
      .header('access-control-max-age', '86400')
      .send(),
  )
}

/** The official client sets `User-Agent`, which some browsers hold for a header of the script's own. */
const allowed = 'authorization, content-type, if-match, if-none-match, idempotency-key, prefer, user-agent'

const exposed = [
  'etag',
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
