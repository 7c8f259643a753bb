import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import type { Page, Position } from '../http/paging.ts'
import type { App } from '../http/routes.ts'
import { lexiconOf } from './words/lexicon.ts'
import { listVisibleSpaces } from './queries.ts'
import type { FoundSpace } from './schema.ts'
import { findFirst } from './search.ts'
import { keyOf, showPages } from './show.ts'
import { rankSpaces } from './spaces.queries.ts'

/** Each space already lists several pages. */
const sectionsOfPage = 1

interface Row {
  space: Static<typeof FoundSpace>
  position: Position
}

/** Searches the spaces that a member may read. The space with the best page comes first, each with its best pages. */
export async function searchOrganization(
  app: App,
  { organization, userId }: Membership,
  text: string,
  page: Page,
): Promise<{ rows: Row[]; count: number }> {
  const organizationId = organization.id
  const visible = await listVisibleSpaces(app.db, organizationId, userId)
  const scope = { organizationId, spaceIds: visible.map(({ id }) => id) }
  const lexicons = [lexiconOf(null).name, ...visible.flatMap((space) => space.lexicons)]
  const found = await findFirst(app.db, { text, scope, lexicons }, page, (sought, after) =>
    rankSpaces(app.db, scope, sought, page.limit, after),
  )
  if (!found) return { rows: [], count: 0 }

  const { spaces, count } = found.result
  const ranked = spaces.slice(0, page.limit).flatMap((space) => space.pages)
  const pages = await showPages(app, { organizationId }, ranked, found, sectionsOfPage)
  const titles = new Map(visible.map(({ id, title }) => [id, title]))
  const rows = spaces.map(({ id, score, pages: best }) => ({
    space: { id, title: titles.get(id) ?? '', pages: best.flatMap((row) => pages.get(keyOf(row)) ?? []) },
    position: [found.way, score, id],
  }))
  return { rows, count }
}
