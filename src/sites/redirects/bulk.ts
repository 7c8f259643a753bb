import type { Static } from 'typebox'
import { sql } from '../../db/sql.ts'
import type { SiteRedirectRow } from '../../db/tables.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import {
  type Redirecting,
  changeRedirect,
  createRedirect,
  publishRedirect,
  readSource,
  refuseHidden,
  removeRedirect,
} from './actions.ts'
import { findOccupant } from './queries.ts'
import type { BulkItem, BulkResult } from './schema.ts'

type Result = Static<typeof BulkResult>['results'][number]

/**
 * Applies the items one after the other. An item with an error does not affect the others: only its own changes are
 * rolled back.
 */
export async function upsertRedirects(work: Redirecting, items: readonly BulkItem[]): Promise<Result[]> {
  const { tx } = work
  const results: Result[] = []
  for (const [i, item] of items.entries()) {
    await tx.run(sql`savepoint one_redirect`)
    try {
      results.push(await upsertOne({ ...work, at: `body.redirects.${i}` }, item))
      await tx.run(sql`release savepoint one_redirect`)
    } catch (error) {
      // Only our own refusals. After any other failure the state of the transaction is unknown.
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      await tx.run(sql`rollback to savepoint one_redirect`)
      results.push({ status: 'error', source: item.source, draft: item.intent === 'draft', error: error.message })
    }
  }
  return results
}

async function upsertOne(work: Redirecting, item: BulkItem): Promise<Result> {
  const { source, intent = 'live', destination, captureWildcard, permanent } = item
  const { tx, site, at } = work
  const match = readSource(source, at)
  const draft = intent !== 'live'
  const row = await findOccupant(tx, site, draft, match)
  if (row) refuseHidden(work, row)

  if (intent === 'publish') {
    if (!row) throw invalid(`${at}.source`, 'exists', 'has no draft that could go live')
    return resultOf('published', await publishRedirect(work, row))
  }
  if (destination === null) {
    if (!row) throw invalid(`${at}.source`, 'exists', 'has no redirect that could be deleted')
    await removeRedirect(work, row)
    return resultOf('deleted', row)
  }
  if (destination === undefined) throw invalid(`${at}.destination`, 'required', 'is required; null deletes')
  const given = { source, destination, captureWildcard, permanent, draft }
  return row
    ? resultOf('updated', await changeRedirect(work, row, given))
    : resultOf('created', await createRedirect(work, given))
}

const resultOf = (status: Result['status'], { id, source, draft }: SiteRedirectRow): Result => ({
  status,
  source,
  draft,
  id,
})
