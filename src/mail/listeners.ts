import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import { listAdministrators, listListeners } from './notices.queries.ts'
import { type MailRow, type NewMail, deleteMail, insertMails } from './queries.ts'

/** What happened becomes one mail for each who is to hear of it. Whoever made it happen does not wait for that. */
export async function tellWhoeverListens({ db }: App, mail: MailRow): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    if (!(await deleteMail(tx, mail.id))) return
    const mails = await mailsAbout(tx, mail.organization_id!, mail.about)
    if (mails.length > 0) insertMails(tx, mails)
  })
}

async function mailsAbout(tx: Transaction, organizationId: string, about: MailRow['about']): Promise<NewMail[]> {
  const { comment: commentId = null, review: reviewId = null, webhook } = about
  if (webhook !== undefined) {
    const administrators = await listAdministrators(tx, organizationId)
    return administrators.map((userId) => ({ kind: 'webhook-disabled', organizationId, userId, about: { webhook } }))
  }
  const listeners = await listListeners(tx, organizationId, { commentId, reviewId })
  return listeners.map(({ kind, user_id: userId, comment_id: comment }) => ({
    kind,
    organizationId,
    userId,
    about: { comment },
  }))
}
