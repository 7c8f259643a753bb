import { Readable } from 'node:stream'
import type { Db } from '../db/connect.ts'
import { type AuditFilter, listEntriesBefore } from './queries.ts'
import { presentAuditEvent } from './present.ts'

const batch = 1_000

/**
 * Every entry that matches, the newest first, one a line. Read in batches, as fast as whoever gets it takes them, so that
 * a long record takes no more memory than a short one. What happens meanwhile is newer than where it began.
 */
export function exportAuditEvents(db: Db, organizationId: string, filter: AuditFilter, url: string): Readable {
  return Readable.from(linesOf(db, organizationId, filter, url), { objectMode: false })
}

async function* linesOf(db: Db, organizationId: string, filter: AuditFilter, url: string): AsyncGenerator<string> {
  for (let before: string | undefined; ;) {
    const rows = await listEntriesBefore(db, organizationId, filter, before, batch)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentAuditEvent(row, url))}\n`).join('')
    if (rows.length < batch) return
    before = rows.at(-1)!.id
  }
}
