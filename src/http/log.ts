import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pino from 'pino'
import type { Config } from '../config.ts'
import { maybeCaller } from './routes.ts'

/** Lines are written in batches: writing each one separately costs a busy server a tenth of its time. */
const gathered = { minLength: 4 * 1024, periodicFlush: 200 }

/** Writes structured lines to standard error. Standard output is for people. */
export function makeLogger(config: Config): FastifyBaseLogger {
  return pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: false, ...gathered }),
  )
}

/**
 * Logs one line per request. It contains the route as declared, and never the URL itself: a path may contain a secret
 * (an invite, a share key), and a query may contain anything.
 */
export async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const caller = maybeCaller(request)
  const isQuiet = request.routeOptions.config?.quiet && reply.statusCode < 400
  request.log[isQuiet ? 'debug' : 'info'](
    {
      method: request.method,
      route: routeOf(request, reply),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: caller?.user.id,
      token: caller?.token.id,
      address: request.ip,
    },
    'request',
  )
}

/**
 * Returns the declared route of a request, also for a URL that only takes other methods. Sites with a host of their own
 * count like those at the main address, even if a path is that of a route of ours.
 */
export function routeOf(request: FastifyRequest, { statusCode }: FastifyReply): string | null {
  if (request.isToSite) return '/sites/*'
  const { url } = request.routeOptions
  return url ?? (statusCode === 405 ? request.server.routeAt(request.url)?.path : undefined) ?? null
}
