import { readSigned, writeSigned } from '../signed.ts'
import { isId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { type MailKind, isMailKind } from './kinds.ts'

/**
 * A user, and the kind of mail that they unsubscribe from. Having the link is enough: it is only contained in a mail to
 * that user, and does nothing else.
 */
export interface Unsubscription {
  userId: string
  kind: MailKind
}

const purpose = 'unsubscribe'

export function unsubscribeUrl(url: string, secrets: Secrets, { userId, kind }: Unsubscription): string {
  return `${url}/mail/unsubscribe/${writeSigned(secrets, purpose, { u: userId, k: kind })}`
}

export function readUnsubscription(secrets: Secrets, signed: string): Unsubscription | undefined {
  const said = readSigned<{ u?: unknown; k?: unknown }>(secrets, purpose, signed)
  if (!said || typeof said.u !== 'string' || !isId(said.u) || !isMailKind(said.k)) return undefined
  return { userId: said.u, kind: said.k }
}
