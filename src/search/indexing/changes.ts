import { setImmediate } from 'node:timers/promises'
import type { Section } from '../../content/sections.ts'
import type { Db } from '../../db/connect.ts'
import { derive, derivedBefore } from '../../derived/derive.ts'
import { listBodies } from '../../revisions/bodies.ts'
import { type Entry, type Row, listEntries } from '../../revisions/entries.ts'
import type { Bodies } from '../../revisions/lines.ts'
import type { Revision } from '../../revisions/revision.ts'
import { type RowKey, findLanguage, keyOfRow, listIndexed } from './index.queries.ts'
import { lexiconOf } from '../words/lexicon.ts'
import type { Place, Where } from './place.ts'
import { type SectionRow, isFindable, rowsOf, saysTheSame } from './rows.ts'

/** What must be written and removed for the index to contain these pages. */
export interface Changes {
  place: Place
  rows: NewRow[]
  gone: RowKey[]
}

export type NewRow = SectionRow & { page_id: string }

/**
 * Compares pages with what the index contains of them. `before` is the revision that the index has: pages that are the
 * same there are not even read. Without it, all rows are written, whatever the index contains.
 */
export async function findChanges(
  db: Db,
  where: Where,
  before: Revision | undefined,
  pages: readonly Row[],
  bodies: Bodies,
): Promise<Changes> {
  const ids = pages.map(({ entry }) => entry)
  const [language, indexed, former] = await Promise.all([
    findLanguage(db, where),
    listIndexed(db, where, ids),
    before && before.seq > 0 ? listEntries(db, before, ids) : [],
  ])
  const place = { ...where, lexicon: lexiconOf(language) }
  const formerly = new Map(former.map((entry) => [entry.entry, entry]))
  const changed = pages.filter((page) => !saysTheSame(formerly.get(page.entry), page))
  const findable = changed.filter((page): page is Entry => page.state === 0 && isFindable(page))

  const known = Map.groupBy(indexed, ({ page_id }) => page_id)
  const left = new Map(changed.flatMap(({ entry }) => known.get(entry) ?? []).map((row) => [keyOfRow(row), row]))
  const rows: NewRow[] = []
  for (const [page, sections] of await withSections(db, place, findable, bodies)) {
    for (const row of rowsOf(page, sections)) {
      const found = { ...row, page_id: page.entry }
      const same = left.get(keyOfRow(found))
      left.delete(keyOfRow(found))
      if (!before || same?.hash !== row.hash) rows.push(found)
    }
  }
  return { place, rows, gone: [...left.values()] }
}

/**
 * Returns each page with its sections. Only bodies that were not parsed before are read, and they are parsed with
 * pauses.
 */
export async function withSections(db: Db, { organizationId }: Where, pages: readonly Entry[], bodies: Bodies) {
  const missing = pages.flatMap(({ doc }) => (doc === null || bodies.has(doc) || derivedBefore(doc) ? [] : [doc]))
  const read = await listBodies(db, organizationId, [...new Set(missing)])
  const texts = new Map([...bodies, ...read.map(({ hash, markdown }) => [hash, markdown] as const)])
  const found: [Entry, readonly Section[]][] = []
  for (const page of pages) {
    const known = page.doc === null ? derive('') : derivedBefore(page.doc)
    if (!known) await setImmediate()
    found.push([page, (known ?? derive(texts.get(page.doc!) ?? '', page.doc!)).sections])
  }
  return found
}
