import type { InviteRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import type { Mailer } from '../mail/mailer.ts'
import { hashOf } from '../secrets.ts'
import { type MailCount, countMails } from './mailing.queries.ts'

/** Limit per organization and day. To invite more people, use an invite link, or send the links from the response. */
const mostInAll = 1_000
const mostToOne = 5

const inAll = Buffer.alloc(0)

/**
 * Mails each invite to its address if mail is configured. If there are too many, the request is refused, and the
 * invites are not created either.
 */
export async function mailInvites(
  tx: Transaction,
  mail: Mailer,
  organizationId: string,
  invites: readonly InviteRow[],
): Promise<void> {
  if (!mail.isOn || invites.length === 0) return
  const counts = await countMails(tx, organizationId, [
    { addressHash: inAll, times: invites.length },
    ...invites.map(({ email }) => ({ addressHash: hashOf(email!.toLowerCase()), times: 1 })),
  ])
  for (const count of counts) refuseTooMany(count)
  mail.tell(
    tx,
    ...invites.map(({ id, email }) => ({
      kind: 'invite' as const,
      organizationId,
      address: email!,
      about: { invite: id },
    })),
  )
}

function refuseTooMany({ address_hash, times, seconds_left }: MailCount): void {
  const isAll = address_hash.length === 0
  if (times <= (isAll ? mostInAll : mostToOne)) return
  const message = isAll
    ? `This organization can send ${mostInAll.toLocaleString('en')} invites by mail per day. An invite link has no such limit.`
    : `An organization can send at most ${mostToOne} invites per day to one address. One of these addresses has already received that many.`
  throw new ApiError('rate_limited', message, { headers: { 'retry-after': String(Math.max(1, seconds_left)) } })
}
