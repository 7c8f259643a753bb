import { addressOfChange } from '../audience/change-preview.ts'
import { appPage } from '../front/app-page.ts'
import { placeOf } from '../front/place.ts'
import { ApiError } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { findCallerOfSession } from '../sessions/caller.ts'
import type { Session } from '../sessions/cookie.ts'
import { answerPage } from './answer.ts'
import { requireSession } from './who.ts'

interface Named {
  organizationId: string
  spaceId: string
  changeRequestId: string
}

/**
 * Where mails lead that ask for a review: to the change request as its site will show it. The authors' app, once there is
 * one, has this address. Whoever is not signed in is asked to, whatever it names.
 */
export const changeRoutes: Routes = async (app) => {
  for (const rest of ['', '/*']) {
    app.get(`/app/o/:organizationId/s/:spaceId/~/changes/:changeRequestId${rest}`, async (request, reply) => {
      const session = await requireSession(app, request, reply)
      if (!session) return reply
      const address = await findAddress(app, session, request.params as Named)
      if (address === undefined) return answerPage(reply, appPage(placeOf(app)))
      return reply
        .code(303)
        .headers({ location: address, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
        .send('')
    })
  }
}

/** Undefined for what is not there, is not for them, or is shown by no site. */
async function findAddress(
  app: App,
  { id }: Session,
  { organizationId, ...names }: Named,
): Promise<string | undefined> {
  if (!isId(organizationId) || !isId(names.spaceId)) return undefined
  const caller = await findCallerOfSession(app.db, id, organizationId)
  try {
    return caller && (await addressOfChange(app, caller, names, { claims: {} }))
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}
