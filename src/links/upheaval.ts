import type { Db } from '../db/connect.ts'
import { type Entry, type Row, listWithAncestors, page, top } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type LineKey, type LinkRow, listAnchoredTo, listLinksTo, listLinksWanting } from './queries.ts'
import { keyOf } from './renew.ts'

/** What a change does to links that lead somewhere into it. */
export interface Upheaval {
  /** Entries that are gone, or that have come: all links to them. */
  turned: string[]
  /** Pages with another text or title: links to places in them. */
  rewritten: string[]
  /** Pages that came, moved or were renamed: links that mean where they are now. */
  arrived: string[]
}

/** `before` has what of the rows was there. */
export function upheavalOf(before: ReadonlyMap<string, Entry>, rows: readonly Row[]): Upheaval {
  const upheaval: Upheaval = { turned: [], rewritten: [], arrived: [] }
  for (const row of rows) {
    const was = before.get(row.entry)
    const isHere = row.state === 0
    if (isHere !== (was !== undefined)) upheaval.turned.push(row.entry)
    if (!isHere || row.kind !== page) continue
    const isOther = was && (was.doc !== row.doc || was.data?.['title'] !== row.data?.['title'])
    if (isOther) upheaval.rewritten.push(row.entry)
    if (was?.parent !== row.parent || was.slug !== row.slug) upheaval.arrived.push(row.entry)
  }
  return upheaval
}

/**
 * The links of main that a change may have broken or mended, those of the changed entries among them. What lies below
 * a page that moved is not walked through: the paths that are asked for say which of it matters. `known` are the links
 * to places in the pages, where they are at hand.
 */
export async function listShaken(
  db: Db,
  line: LineKey,
  upheaval: Upheaval,
  after: Revision,
  known?: readonly LinkRow[],
): Promise<LinkRow[]> {
  const [anchored, direct, byPath] = await Promise.all([
    known ?? listAnchoredTo(db, line, upheaval.rewritten),
    listLinksTo(db, line, upheaval.turned),
    listByPath(db, line, upheaval.arrived, after),
  ])
  return [...new Map([...anchored, ...direct, ...byPath].map((row) => [keyOf(row), row])).values()]
}

async function listByPath(db: Db, line: LineKey, arrived: readonly string[], after: Revision): Promise<LinkRow[]> {
  if (arrived.length === 0) return []
  const pages = new Map((await listWithAncestors(db, after, [...arrived])).map((entry) => [entry.entry, entry]))
  const paths = arrived.flatMap((id) => (pages.has(id) ? pathIn(pages, pages.get(id)!) : []))
  // The empty path is the first page.
  const mayBeFirst = arrived.some((id) => pages.get(id)?.parent === top)
  return listLinksWanting(db, line, [...paths, ...(mayBeFirst ? [''] : [])])
}

/** The slugs from the top down to a page, whose ancestors are at hand. */
function pathIn(pages: ReadonlyMap<string, Entry>, entry: Entry): string {
  const slugs = [entry.slug!]
  for (let up = pages.get(entry.parent); up; up = pages.get(up.parent)) slugs.unshift(up.slug!)
  return slugs.join('/')
}
