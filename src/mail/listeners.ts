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
  // Each hears of it once.
  const known = new Set(mentioned.map(({ user_id }) => user_id))
  const others = listeners.filter(({ user_id }) => !known.has(user_id))
  return gathered(tx, organizationId, [...mentioned, ...others], quietSeconds)
}

const listenersTo = (tx: Transaction, organizationId: string, { comment, review }: MailRow['about']) =>
  review === undefined ? listListeners(tx, organizationId, comment!) : listListenersToReview(tx, organizationId, review)

/**
 * Words that were changed are news to those alone who are mentioned since. Of what they were not told yet, each still gets
 * one mail: whoever is mentioned now that one, and whoever is mentioned no more what everybody gets who listens, or none.
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

/** Whether they may see it is asked when it is sent, as of all others. */
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
