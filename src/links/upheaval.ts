import type { Db } from '../db/connect.ts'
import { type Entry, type Row, listWithAncestors, page, top } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type LineKey, type LinkRow, listAnchoredTo, listLinksTo, listLinksWanting } from './queries.ts'
import { keyOf } from './renew.ts'

/** The effects of a change on links to the changed content. */
export interface Upheaval {
  /** Entries that were added or removed. Affects all links to them. */
  turned: string[]
  /** Pages whose text or title changed. Affects links to anchors in them. */
  rewritten: string[]
  /** Pages that were added, moved or renamed. Affects links that refer to their current paths. */
  arrived: string[]
}

/** `before` contains the previous versions of the rows that existed before. */
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
 * Lists the links of main that a change may have broken or mended, including links of the changed entries. Pages below
 * a moved page are not visited: the paths that links refer to show which of them matter. `known` contains the links to
 * anchors in the pages, if they are already loaded.
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

/** Lists the links of main that refer to the paths of these pages in a revision. */
export async function listByPath(
  db: Db,
  line: LineKey,
  arrived: readonly string[],
  after: Revision,
): Promise<LinkRow[]> {
  if (arrived.length === 0) return []
  const pages = new Map((await listWithAncestors(db, after, [...arrived])).map((entry) => [entry.entry, entry]))
  const paths = arrived.flatMap((id) => (pages.has(id) ? pathIn(pages, pages.get(id)!) : []))
  // The empty path is the first page.
  const mayBeFirst = arrived.some((id) => pages.get(id)?.parent === top)
  return listLinksWanting(db, line, [...paths, ...(mayBeFirst ? [''] : [])])
}

/** Returns the path of slugs from the top to a page whose ancestors are already loaded. */
function pathIn(pages: ReadonlyMap<string, Entry>, entry: Entry): string {
  const slugs = [entry.slug!]
  for (let up = pages.get(entry.parent); up; up = pages.get(up.parent)) slugs.unshift(up.slug!)
  return slugs.join('/')
}
