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

/** The opened session, and the person it belongs to. */
export interface Opening {
  opened: OpenedSession
  holder: CodeHolder
}

/**
 * Opens a session with something that works once: a code or an invite. A double click also succeeds, with the same
 * session: browsers discard the answer to one of the clicks, and we cannot know which one. So the secret is derived
 * from what both clicks sent, including the browser's own secret, which is not stored anywhere.
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
  // If they have signed out in the meantime, the form is treated as used.
  return isFirst || (await findSessionOf(tx, opened.userId, opened.id)) ? secret : undefined
}
