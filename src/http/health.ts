import Type from 'typebox'
import { sql } from '../db/sql.ts'
import { ApiError } from './errors.ts'
import { type Routes, anyone } from './routes.ts'

export interface Health {
  /** False until the database is migrated; the server already listens then. */
  ready: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    health: Health
  }
}

/** `GET /healthz`: 200 when requests can be answered, 503 when not. For load balancers: no token, not counted. */
export const healthRoutes: Routes = async (app) => {
  app.get(
    '/healthz',
    {
      config: { policy: anyone, quiet: true },
      schema: { response: { 200: Type.Object({ status: Type.Literal('ok') }) } },
    },
    async () => {
      refuseUntilReady(app.health)
      await app.db.one(sql`select 1 as up`)
      return { status: 'ok' as const }
    },
  )
}

export function refuseUntilReady(health: Health): void {
  if (health.ready) return
  throw new ApiError('unavailable', 'Lectern is starting. Try again in a moment.', { headers: { 'retry-after': '1' } })
}
