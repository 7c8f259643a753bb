import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { type MailKind, mailKinds } from './kinds.ts'
import { listMuted, mute, unmute } from './queries.ts'

/** Sets all kinds of mail that a user wants to receive. */
export async function chooseMail(tx: Transaction, userId: string, wanted: ReadonlySet<MailKind>): Promise<void> {
  const before = new Set(await listMuted(tx, userId))
  const muted = mailKinds.filter((kind) => !wanted.has(kind))
  if (muted.length === before.size && muted.every((kind) => before.has(kind))) return
  await unmute(tx, userId, [...wanted])
  await mute(tx, userId, muted)
  recordChosenMail(tx, userId)
}

/** Turns off one kind of mail. */
export async function muteKind(tx: Transaction, userId: string, kind: MailKind): Promise<void> {
  if ((await listMuted(tx, userId)).includes(kind)) return
  await mute(tx, userId, [kind])
  recordChosenMail(tx, userId)
}

/** Names the user as the actor explicitly: a link in a mail can change this setting without signing in. */
export function recordChosenMail(tx: Transaction, userId: string): void {
  const target = { type: 'user', id: userId }
  recordChange(tx, { organizationId: null, actorId: userId, target, action: 'user.updated', fields: ['mail'] })
}
