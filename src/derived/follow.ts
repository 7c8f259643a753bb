import type { Transaction } from '../db/transaction.ts'
import { askForEmbeds } from '../embeds/follow-main.ts'
import { indexLinks } from '../links/index-main.ts'
import { indexSections } from '../search/indexing/index-main.ts'
import { recordFormerPaths } from '../sites/former-paths.ts'
import type { MainChange } from './main-change.ts'

/**
 * Brings what is made of a main line up to its new revision: search, links and where pages lay before. It belongs to the
 * same transaction, so none is ever behind, and costs what changed, not what is there. What the pages embed is noted, to be
 * asked for later.
 */
export async function followMain(tx: Transaction, change: MainChange): Promise<void> {
  await Promise.all([indexSections(tx, change), indexLinks(tx, change), recordFormerPaths(tx, change)])
  askForEmbeds(tx, change)
}

/**
 * The same right behind a revision that was sent and may still be refused: what refuses it is the reason that is told,
 * and told once nothing more is sent here.
 */
export async function followWritten(tx: Transaction, written: Promise<unknown>, change: MainChange): Promise<void> {
  const results = await Promise.allSettled([written, followMain(tx, change)])
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
