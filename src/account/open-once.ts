import type { FastifyRequest } from 'fastify'
import type { Transaction } from '../db/transaction.ts'
import { nilId } from '../ids.ts'
import { type CodeHolder, findCodeHolderById } from '../sessions/holder.queries.ts'
import type { OpenedSession } from '../sessions/open.ts'
import type { SessionRow } from '../sessions/queries.ts'
import { type Browser, signIn } from '../sessions/sign-in.ts'
import { type Fields, fieldsOf } from './forms.ts'
import { onlyOnce, twoClicksMs } from './once.ts'

/** What somebody came in with, and as whom. */
export interface Opening {
  opened: OpenedSession
  holder: CodeHolder
}

/**
 * Opens a session with what can be used once: a code, an invite. Whoever clicks twice comes in all the same. Browsers
 * forget what is answered to the first click: so the session of that one ends, and the second gets one of its own. Of its
 * secret nothing but a hash is kept, as of any other.
 */
export async function openOnce(
  tx: Transaction,
  request: FastifyRequest,
  { method, browser }: { method: SessionRow['method']; browser: Browser },
  open: () => Promise<Opening | undefined>,
): Promise<string | undefined> {
  tx.hold()
  let secret: string | undefined
  const work = async () => {
    const opening = await open()
    secret = opening?.opened.secret
    return opening && { id: opening.opened.id, userId: opening.holder.user.id, at: Date.now() }
  }
  const fields: Fields = { ...fieldsOf(request), url: request.url }
  const first = await onlyOnce(
    tx,
    request.server.secrets,
    { userId: nilId, fields },
    work,
    (kept) => kept !== undefined && Date.now() - kept.at < twoClicksMs,
  )
  if (!first || secret !== undefined) return secret
  const holder = await findCodeHolderById(tx, first.userId)
  if (!holder) return undefined
  const former = { id: first.id, user: holder.user }
  return (await signIn(tx, holder, method, { ...browser, former })).secret
}

export const browserOf = (request: FastifyRequest, former: Browser['former']): Browser => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  former,
})
