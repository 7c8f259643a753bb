import type { Static } from 'typebox'
import type { SpaceRow } from '../db/tables.ts'
import type { Page, Position } from '../http/paging.ts'
import type { App } from '../http/routes.ts'
import { lexiconOf } from './words/lexicon.ts'
import { listLexicons } from './indexing/progress.queries.ts'
import { rankPages } from './queries.ts'
import type { FoundPage } from './schema.ts'
import { findFirst } from './search.ts'
import { keyOf, showPages } from './show.ts'

const sectionsOfPage = 10

interface Row {
  /** Undefined for a page that was deleted at this very moment, and for the extra row after the last one shown. */
  page: Static<typeof FoundPage> | undefined
  position: Position
}

/** Searches one space. The best page comes first. */
export async function searchSpace(
  app: App,
  { id, organization_id: organizationId, language }: SpaceRow,
  text: string,
  page: Page,
): Promise<{ rows: Row[]; count: number }> {
  const scope = { organizationId, spaceIds: [id] }
  const lexicons = [lexiconOf(language).name, ...(await listLexicons(app.db, scope))]
  const found = await findFirst(app.db, { text, scope, lexicons }, page, (sought, after) =>
    rankPages(app.db, scope, sought, page.limit, after),
  )
  if (!found) return { rows: [], count: 0 }

  const { rows, count } = found.result
  const pages = await showPages(app, { organizationId }, rows.slice(0, page.limit), found, sectionsOfPage)
  return {
    rows: rows.map((row) => ({ page: pages.get(keyOf(row)), position: [found.way, row.score, row.page_id] })),
    count,
  }
}
