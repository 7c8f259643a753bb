import type { FastifyRequest } from 'fastify'
import type { Transaction } from '../db/transaction.ts'
import { nilId } from '../ids.ts'
import type { CodeHolder } from '../sessions/holder.queries.ts'
import type { OpenedSession } from '../sessions/open.ts'
import { readCookie } from '../sessions/cookie.ts'
import { findSessionOf } from '../sessions/queries.ts'
import type { Browser } from '../sessions/sign-in.ts'
import { type Fields, fieldsOf } from './forms.ts'
import { onlyOnce, twoClicksMs } from './once.ts'

/** What somebody came in with, and as whom. */
export interface Opening {
  opened: OpenedSession
  holder: CodeHolder
}

/**
 * Opens a session with what can be used once: a code, an invite. Whoever clicks twice comes in all the same, and with the
 * same session: browsers forget what is answered to one of the clicks, and nobody knows to which. So the secret is made
 * of what both were sent with, the browser's own secret among it, which is kept nowhere.
 */
export async function openOnce(
  tx: Transaction,
  request: FastifyRequest,
  former: Browser['former'],
  open: (browser: Browser) => Promise<Opening | undefined>,
): Promise<string | undefined> {
  tx.hold()
  const fields: Fields = { ...fieldsOf(request), url: request.url }
  const { secrets } = request.server
  const sent = JSON.stringify([readCookie(request, 'sign-in'), ...Object.entries(fields).toSorted()])
  const secret = secrets.sign('session', sent)
  let isFirst = false
  const work = async () => {
    isFirst = true
    const userAgent = request.headers['user-agent'] ?? ''
    const opening = await open({ address: request.ip, userAgent, former, secret })
    return opening && { id: opening.opened.id, userId: opening.holder.user.id, at: Date.now() }
  }
  const isStill = (kept: Awaited<ReturnType<typeof work>>) => kept !== undefined && Date.now() - kept.at < twoClicksMs
  const opened = await onlyOnce(tx, secrets, { userId: nilId, fields }, work, isStill)
  if (!opened) return undefined
  // Signed out meanwhile, they go back to a form that was used.
  return isFirst || (await findSessionOf(tx, opened.userId, opened.id)) ? secret : undefined
}
