import { nobody, transaction } from '../db/transaction.ts'
import type { Task } from '../jobs/task.ts'
import { takeUntold } from './edits.queries.ts'
import { insertMails } from './queries.ts'

/** Edits during this time are reported together with the first one. */
const gatherMinutes = 10
const limit = 500

/**
 * Notifies watchers of a space of what others edit in its main content. This is a job so that writers do not wait for
 * it.
 */
export const tellWatchers: Task = {
  name: 'tell-watchers',
  schedule: '*/5 * * * *',
  async run({ db, config, stopping }) {
    for (let count = limit; count === limit;) {
      if (stopping?.aborted) return
      count = await transaction(db, nobody, async (tx) => {
        tx.leaveMain()
        const taken = await takeUntold(tx, { gatherMinutes, limit })
        const mails = taken.untold.map(({ organization_id: organizationId, user_id: userId, space_id, from, to }) => ({
          kind: 'edited' as const,
          organizationId,
          userId,
          about: { space: space_id, from: String(from), to: String(to) },
        }))
        if (mails.length > 0 && config.smtpUrl !== undefined) insertMails(tx, mails)
        return taken.count
      })
    }
  },
}
