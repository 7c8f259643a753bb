import type { Transaction } from '../db/transaction.ts'
import { askForEmbeds } from '../embeds/follow-main.ts'
import { indexLinks } from '../links/index-main.ts'
import { indexSections } from '../search/indexing/index-main.ts'
import { recordFormerPaths } from '../sites/former-paths.ts'
import type { MainChange } from './main-change.ts'

/**
 * Brings everything derived from a main line up to its new revision: search, links and former paths of pages. It
 * belongs to the same transaction, so nothing is ever behind, and its cost depends on what changed, not on the size of
 * the space. What the pages embed is noted, to be requested later.
 */
export async function followMain(tx: Transaction, change: MainChange): Promise<void> {
  await Promise.all([indexSections(tx, change), indexLinks(tx, change), recordFormerPaths(tx, change)])
  askForEmbeds(tx, change)
}

/**
 * The same, right behind a revision that was sent and may still be refused. If it is refused, that reason is thrown,
 * and only after nothing more is being sent here.
 */
export async function followWritten(tx: Transaction, written: Promise<unknown>, change: MainChange): Promise<void> {
  const results = await Promise.allSettled([written, followMain(tx, change)])
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
