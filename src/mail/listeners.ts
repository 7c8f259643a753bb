import { mentionsIn } from '../comments/mentions.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import {
  type Listener,
  type Words,
  findWords,
  listAdministrators,
  listListeners,
  listListenersToMerge,
  listListenersToReview,
  listToldOfMentions,
} from './notices.queries.ts'
import { type MailRow, type NewMail, deleteMail, insertMails } from './queries.ts'
import { addToWaiting, holdThread, takeOutOfWaiting } from './waiting.queries.ts'

/** If people keep writing, a mail waits at most this many times as long as it does when nobody writes any more. */
const longest = 10

/**
 * Turns an event into one mail for each user who is to be notified. The user who caused the event does not wait for
 * that. Comments are sent once nobody has written any for `quietSeconds`, all in one mail, because people write one
 * comment after the other.
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
  const { webhook, merged: changeRequest } = about
  if (webhook !== undefined) {
    const administrators = await listAdministrators(tx, organizationId)
    return administrators.map((userId) => ({ kind: 'webhook-disabled', organizationId, userId, about: { webhook } }))
  }
  if (changeRequest !== undefined) {
    const listeners = await listListenersToMerge(tx, organizationId, changeRequest)
    return listeners.map((userId) => ({ kind: 'merged', organizationId, userId, about: { changeRequest } }))
  }
  const words = await findWords(tx, organizationId, about)
  if (about.mentioned !== undefined)
    return words ? mailsAboutNewWords(tx, organizationId, about, words, quietSeconds) : []
  const mentioned = words ? await listMentioned(tx, organizationId, about, words) : []
  const listeners = await listenersTo(tx, organizationId, about)
  // Each user is notified once.
  const known = new Set(mentioned.map(({ user_id }) => user_id))
  const others = listeners.filter(({ user_id }) => !known.has(user_id))
  return gathered(tx, organizationId, [...mentioned, ...others], quietSeconds)
}

const listenersTo = (tx: Transaction, organizationId: string, { comment, review }: MailRow['about']) =>
  review === undefined ? listListeners(tx, organizationId, comment!) : listListenersToReview(tx, organizationId, review)

/**
 * An edited text is news only for users who were not mentioned before. A user who has not been notified of it yet still
 * gets one mail: users who are mentioned by the edit get the mail about the mention, and users who are no longer
 * mentioned get the same mail as all other listeners, or none.
 */
async function mailsAboutNewWords(
  tx: Transaction,
  organizationId: string,
  about: MailRow['about'],
  words: Words,
  quietSeconds: number,
): Promise<NewMail[]> {
  const since = about.mentioned?.split(',') ?? []
  const mentioned = (await listMentioned(tx, organizationId, about, words)).filter(({ user_id }) =>
    since.includes(user_id),
  )
  const still = new Set(mentionsIn(words.markdown))
  const left = (about.unmentioned ?? '').split(',').filter((id) => id !== '' && !still.has(id))
  await holdThread(tx, words.thread)
  const said = { id: (about.review ?? about.comment)!, thread: words.thread }
  const known = mentioned.map(({ user_id }) => user_id)
  await takeOutOfWaiting(tx, organizationId, said, known, ['comment', 'reply'])
  const untold = await takeOutOfWaiting(tx, organizationId, said, left, ['mention'])
  const others = untold.size === 0 ? [] : await listenersTo(tx, organizationId, about)
  const listeners = [...mentioned, ...others.filter(({ user_id }) => untold.has(user_id))]
  return gathered(tx, organizationId, listeners, quietSeconds)
}

/** Whether they may see it is checked when the mail is sent, as for all mails. */
async function listMentioned(
  tx: Transaction,
  organizationId: string,
  about: MailRow['about'],
  words: Words,
): Promise<Listener[]> {
  const ids = mentionsIn(words.markdown).filter((id) => id !== words.author_id)
  if (ids.length === 0) return []
  const told = await listToldOfMentions(tx, organizationId, ids)
  return told.map((user_id) => ({
    user_id,
    kind: 'mention',
    said: (about.review ?? about.comment)!,
    thread: words.thread,
  }))
}

/** Adds to the mails that already wait, and returns the mails that are needed in addition. */
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
