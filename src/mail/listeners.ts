import { mentionsIn } from '../comments/mentions.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import {
  type Listener,
  findWords,
  listAdministrators,
  listListeners,
  listListenersToMerge,
  listListenersToReview,
  listToldOfMentions,
} from './notices.queries.ts'
import { type MailRow, type NewMail, deleteMail, insertMails } from './queries.ts'
import { addToWaiting, holdThread } from './waiting.queries.ts'

/** Whoever goes on talking keeps a mail waiting so many times as long as one who falls silent. */
const longest = 10

/**
 * What happened becomes one mail for each who is to hear of it. Whoever made it happen does not wait for that. What is said
 * is told once nobody has said anything for `quietSeconds`, all of it together: people write one comment after the other.
 */
export async function tellWhoeverListens({ db }: App, mail: MailRow, quietSeconds: number): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    if (!(await deleteMail(tx, mail.id))) return
    const mails = await mailsAbout(tx, mail.organization_id!, mail.about, quietSeconds)
    if (mails.length > 0) insertMails(tx, mails)
  })
}

async function mailsAbout(
  tx: Transaction,
  organizationId: string,
  about: MailRow['about'],
  quietSeconds: number,
): Promise<NewMail[]> {
  const { comment, review, webhook, merged: changeRequest } = about
  if (webhook !== undefined) {
    const administrators = await listAdministrators(tx, organizationId)
    return administrators.map((userId) => ({ kind: 'webhook-disabled', organizationId, userId, about: { webhook } }))
  }
  if (changeRequest !== undefined) {
    const listeners = await listListenersToMerge(tx, organizationId, changeRequest)
    return listeners.map((userId) => ({ kind: 'merged', organizationId, userId, about: { changeRequest } }))
  }
  const mentioned = await listMentioned(tx, organizationId, about)
  // Words that were changed are news to those alone who are mentioned since.
  if (about.mentioned !== undefined) return gathered(tx, organizationId, mentioned, quietSeconds)
  const listeners =
    review === undefined
      ? await listListeners(tx, organizationId, comment!)
      : await listListenersToReview(tx, organizationId, review)
  // Each hears of it once.
  const known = new Set(mentioned.map(({ user_id }) => user_id))
  const others = listeners.filter(({ user_id }) => !known.has(user_id))
  return gathered(tx, organizationId, [...mentioned, ...others], quietSeconds)
}

/** Whether they may see it is asked when it is sent, as of all others. */
async function listMentioned(tx: Transaction, organizationId: string, about: MailRow['about']): Promise<Listener[]> {
  const words = await findWords(tx, organizationId, about)
  if (!words) return []
  const since = about.mentioned?.split(',')
  const ids = mentionsIn(words.markdown).filter((id) => id !== words.author_id && (since?.includes(id) ?? true))
  if (ids.length === 0) return []
  const told = await listToldOfMentions(tx, organizationId, ids)
  return told.map((user_id) => ({
    user_id,
    kind: 'mention',
    said: (about.review ?? about.comment)!,
    thread: words.thread,
  }))
}

/** The mails that it takes beside those that wait already. */
async function gathered(
  tx: Transaction,
  organizationId: string,
  listeners: Listener[],
  quietSeconds: number,
): Promise<NewMail[]> {
  if (listeners.length === 0) return []
  await holdThread(tx, listeners[0]!.thread)
  const wait = { quietSeconds, longestSeconds: quietSeconds * longest }
  const told = await addToWaiting(tx, organizationId, listeners, wait)
  return listeners
    .filter(({ user_id }) => !told.has(user_id))
    .map(({ kind, user_id: userId, said, thread }) => ({
      kind,
      organizationId,
      userId,
      about: { said, thread },
      inSeconds: quietSeconds,
    }))
}
