import { nobody, transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import { listListeners } from './notices.queries.ts'
import { type MailRow, deleteMail, insertMails } from './queries.ts'

/** What was said becomes one mail for each who is to hear of it. Whoever says something does not wait for that. */
export async function tellWhoeverListens({ db }: App, mail: MailRow): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    const organizationId = mail.organization_id!
    const { comment: commentId = null, review: reviewId = null } = mail.about
    if (!(await deleteMail(tx, mail.id))) return
    const listeners = await listListeners(tx, organizationId, { commentId, reviewId })
    if (listeners.length === 0) return
    insertMails(
      tx,
      listeners.map(({ kind, user_id: userId, comment_id: comment }) => ({
        kind,
        organizationId,
        userId,
        about: { comment },
      })),
    )
  })
}
