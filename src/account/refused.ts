import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/connect.ts'
import type { App } from '../http/routes.ts'
import { authorOf } from '../http/write.ts'
import type { Reason as OidcReason } from '../oidc/refusal.ts'
import { findCodeHolder } from '../sessions/holder.queries.ts'
import { listPlacesOf } from '../sessions/queries.ts'
import { findUserByEmail } from '../users/queries.ts'

/**
 * Notes a refused sign-in. If the address belongs to an account, this goes into the record of that person's
 * organizations, as tried in their name. The caller does not wait for it, so its timing does not reveal whether the
 * address is known.
 */
export function noteRefusedSignIn(
  app: App,
  request: FastifyRequest,
  email: string | undefined,
  reason: 'wrong-code' | 'too-often' | OidcReason,
): void {
  const by = authorOf(request)
  const noted = async () => {
    const user = email === undefined ? undefined : await findTried(app.db, email)
    const places = user ? await listPlacesOf(app.db, user.id) : []
    const target = user ? { type: 'user', id: user.id } : { type: 'sign-in', id: 'unknown' }
    for (const organizationId of places.length > 0 ? places : [undefined]) {
      app.audit.note({
        action: 'session.refused',
        by: { ...by, actorId: user?.id ?? null },
        in: organizationId === undefined ? null : { organizationId },
        target,
        details: { reason },
      })
    }
  }
  noted().catch((error: unknown) => app.log.warn({ err: error }, 'a refused sign-in was not recorded'))
}

/** The account that was tried: the one a code would be for, or one that is disabled. */
const findTried = async (db: Db, email: string) =>
  (await findCodeHolder(db, email, undefined))?.user ?? (await findUserByEmail(db, email))
