import type { Static } from 'typebox'
import type { App } from '../http/routes.ts'
import { needleOf } from './excerpt.ts'
import { presentFoundPage } from './present.ts'
import { type Ranked, listFoundPages, listSections } from './queries.ts'
import type { FoundPage } from './schema.ts'
import type { Found } from './search.ts'

/** The pages that were found, as they are shown, by the page and its space: ids of pages are unique in a space only. */
export async function showPages(
  app: App,
  organizationId: string,
  pages: Ranked['rows'],
  { terms, node }: Found<unknown>,
  sectionsOfPage: number,
): Promise<Map<string, Static<typeof FoundPage>>> {
  const [rows, sections] = await Promise.all([
    listFoundPages(app.db, organizationId, pages),
    listSections(app.db, organizationId, pages, node, sectionsOfPage),
  ])
  const byPage = Map.groupBy(sections, keyOf)
  const needle = needleOf(terms, node)
  return new Map(
    rows.map((row) => [
      keyOf(row),
      presentFoundPage(
        row,
        byPage.get(keyOf(row)) ?? [],
        needle,
        `${app.url}/app/o/${organizationId}/s/${row.space_id}/`,
      ),
    ]),
  )
}

export const keyOf = ({ space_id, page_id }: { space_id: string; page_id: string }) => `${space_id} ${page_id}`
