import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/connect.ts'
import { type Row, page } from '../revisions/entries.ts'
import type { Bodies, Line } from '../revisions/lines.ts'
import { preparePages } from '../search/indexing/index-pages.ts'
import { derive, derivedBefore } from './derive.ts'

/**
 * Prepares what depends on a main line before the line is written: parsing and splitting texts takes longer than
 * writing them, and other requests are served in between here. Anything that is not prepared is computed while the line
 * is locked.
 */
export async function readAhead(
  db: Db,
  { organizationId, spaceId, head }: Pick<Line, 'organizationId' | 'spaceId' | 'head'>,
  { rows, bodies }: { rows: readonly Row[]; bodies: Bodies },
): Promise<void> {
  for (const [hash, markdown] of bodies) {
    if (derivedBefore(hash)) continue
    await setImmediate()
    derive(markdown, hash)
  }
  const pages = rows.filter(({ kind }) => kind === page)
  await preparePages(db, { organizationId, spaceId }, head, pages, bodies)
}
