import type { Db } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Row } from '../../revisions/entries.ts'
import type { Bodies } from '../../revisions/lines.ts'
import type { Revision } from '../../revisions/revision.ts'
import { findChanges } from './changes.ts'
import { writeRows } from './index.queries.ts'
import type { Where } from './place.ts'
import { vectorsOf } from './vectors.ts'

const atOnce = 100

/**
 * Updates the index to these pages of a main line, which must be locked. Writes only rows that are new or have changed
 * since `before`; without it, all of them, for other dictionaries.
 */
export async function indexPages(
  tx: Transaction,
  where: Where,
  before: Revision | undefined,
  pages: readonly Row[],
  bodies: Bodies,
): Promise<void> {
  for (let from = 0; from < pages.length; from += atOnce) {
    const { place, rows, gone } = await findChanges(tx, where, before, pages.slice(from, from + atOnce), bodies)
    if (rows.length === 0 && gone.length === 0) continue
    const vectors = await vectorsOf(tx, place, rows)
    writeRows(
      tx,
      place,
      rows.map((row, i) => ({ ...row, ...vectors[i]! })),
      gone,
    )
  }
}

/** Does the slow work before the line is locked. The vectors are then cached, and new words are in the vocabulary. */
export async function preparePages(
  db: Db,
  where: Where,
  before: Revision | undefined,
  pages: readonly Row[],
  bodies: Bodies,
): Promise<void> {
  for (let from = 0; from < pages.length; from += atOnce) {
    const { place, rows } = await findChanges(db, where, before, pages.slice(from, from + atOnce), bodies)
    if (rows.length > 0) await vectorsOf(db, place, rows)
  }
}
