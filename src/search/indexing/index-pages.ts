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
 * Brings the index up to these pages of a main line, which is held. Only rows that are new or have changed since
 * `before` are written; without it all of them, for other dictionaries.
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

/** Does what takes time before the line is held: words are found, and new ones are known, once it is. */
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
