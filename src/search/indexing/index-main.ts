import type { Transaction } from '../../db/transaction.ts'
import type { MainChange } from '../../derived/main-change.ts'
import { page } from '../../revisions/entries.ts'
import { findLanguage } from './index.queries.ts'
import { indexPages } from './index-pages.ts'
import { lexiconOf } from '../words/lexicon.ts'
import { insertIndexed } from './progress.queries.ts'

/** Updates the index to a new revision of a main line, in its transaction, so that search is never behind. */
export async function indexSections(tx: Transaction, { before, after, rows, bodies }: MainChange): Promise<void> {
  const where = { organizationId: after.organizationId, spaceId: after.spaceId }
  // A new space has nothing else to index.
  if (before.head.seq === 0) insertIndexed(tx, { ...where, lexicon: lexiconOf(await findLanguage(tx, where)) })
  const pages = rows.filter(({ kind }) => kind === page)
  await indexPages(tx, where, before.head, pages, bodies)
}
