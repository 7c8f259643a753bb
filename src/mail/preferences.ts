import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { type MailKind, mailKinds } from './kinds.ts'
import { listMuted, mute, unmute } from './queries.ts'

/** What somebody wants to be told by mail, all of it at once. */
export async function chooseMail(tx: Transaction, userId: string, wanted: ReadonlySet<MailKind>): Promise<void> {
  const before = new Set(await listMuted(tx, userId))
  const muted = mailKinds.filter((kind) => !wanted.has(kind))
  if (muted.length === before.size && muted.every((kind) => before.has(kind))) return
  await unmute(tx, userId, [...wanted])
  await mute(tx, userId, muted)
  recordChosenMail(tx, userId)
}

/** No more of one kind. */
export async function muteKind(tx: Transaction, userId: string, kind: MailKind): Promise<void> {
  if ((await listMuted(tx, userId)).includes(kind)) return
  await mute(tx, userId, [kind])
  recordChosenMail(tx, userId)
}

/** They may do so by a link that they were sent, without signing in: so it says who, whoever is asking. */
export function recordChosenMail(tx: Transaction, userId: string): void {
  const target = { type: 'user', id: userId }
  recordChange(tx, { organizationId: null, actorId: userId, target, action: 'user.updated', fields: ['mail'] })
}
