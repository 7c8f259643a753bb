import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { ApiError } from './errors.ts'
import { type Routes, anyone } from './routes.ts'
import Type from './type.ts'

export interface Health {
  /** False until the database is migrated. The server already listens before that. */
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
      // A stuck database neither answers nor refuses. The caller of this route does not wait as long as a normal
      // request would.
      const isUp = app.db.one(sql`select 1 as up`).then(() => true)
      const isLate = sleep(app.config.limits.poolWaitMs, false, { ref: false })
      if (!(await Promise.race([isUp, isLate]))) throw new DatabaseUnavailable('The database does not respond')
      return { status: 'ok' as const }
    },
  )
}

export function refuseUntilReady(health: Health): void {
  if (health.ready) return
  throw new ApiError('unavailable', 'Lectern is starting. Try again in a moment.')
}
