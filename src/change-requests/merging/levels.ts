import { limits } from '../../content/limits.ts'
import type { MergeOutcome } from '../../content/merge/merge.ts'
import type { Db } from '../../db/connect.ts'
import { Draft } from '../../editing/draft.ts'
import { conflict } from '../../http/errors.ts'
import { pageData } from '../../pages/entry-data.ts'
import { type Entry, isHere, listWithAncestors } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'

/**
 * Refuses a merge that puts pages too deep. Each side alone may have kept to the limit: one moved a page below another
 * page, and the other side moved that one further down.
 */
export async function requireLevels(db: Db, main: Revision, { rows, placed }: MergeOutcome): Promise<void> {
  if (placed.length === 0) return
  const draft = new Draft(db, main)
  const ids = rows.map(({ entry }) => entry)
  const found = await listWithAncestors(db, main, [...ids, ...rows.flatMap(({ parent }) => parent ?? [])])
  draft.know(ids, found)
  for (const row of rows) {
    if (isHere(row)) draft.put(row)
    else draft.remove(row.entry)
  }

  const levels = new Map<string, number>()
  const place = (entry: Entry, level: number) => {
    if (level > limits.pageLevels) throw tooDeep(entry)
    levels.set(entry.entry, level)
  }
  const isPlaced = new Set(placed)
  const pages = rows.filter(isHere).filter(({ entry }) => isPlaced.has(entry))
  for (const entry of pages) place(entry, await draft.levelOf(entry.entry))
  // Pages below a new page are new as well, or were moved there.
  const known = new Set(found.map(({ entry }) => entry))
  for (let level = pages.filter(({ entry }) => known.has(entry)); level.length > 0;) {
    level = (await draft.below(level)).filter(({ entry }) => !levels.has(entry))
    for (const entry of level) place(entry, levels.get(entry.parent)! + 1)
  }
}

const tooDeep = (entry: Entry) =>
  conflict(
    `Combined, these changes would place the page ${JSON.stringify(pageData(entry).title)} too deep: ` +
      `pages can be nested at most ${limits.pageLevels} levels deep. Move it, or a page above it, further up first.`,
  )
