import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import type { App } from '../http/routes.ts'
import { expandPages, isDerived } from '../openapi/generate/expand.ts'
import { pageData } from '../pages/entry-data.ts'
import { findMainLine } from '../revisions/lines.ts'
import { inOneLine, isCut } from './excerpt.ts'
import { Needle } from './needle.ts'
import { presentFoundPage } from './present.ts'
import { type FoundPage as FoundPageRow, type Ranked, listFoundPages, listSections } from './queries.ts'
import type { Scope } from './scope.ts'
import type { FoundPage } from './schema.ts'
import type { Found } from './search.ts'

/** Returns the found pages as presented, by page and space, since page ids are unique only within a space. */
export async function showPages(
  app: App,
  scope: Omit<Scope, 'spaceIds'>,
  pages: Ranked['rows'],
  found: Found<unknown>,
  sectionsOfPage: number,
  find = (some: Ranked['rows']) => findPages(app, scope.organizationId, some),
): Promise<Map<string, Static<typeof FoundPage>>> {
  const { organizationId } = scope
  const [rows, asWritten] = await Promise.all([
    find(pages),
    listSections(app.db, scope, pages, found.node, sectionsOfPage),
  ])
  const sections = asWritten.map((section) => ({ ...section, body: inOneLine(section.body) }))
  const byPage = Map.groupBy(sections, keyOf)
  const needle = await Needle.of(app.db, found, sections.map(({ body }) => body).filter(isCut))
  return new Map(
    rows.map((row) => [
      keyOf(row),
      presentFoundPage(
        row,
        byPage.get(keyOf(row)) ?? [],
        needle,
        `${app.url}${appPath.space(organizationId, row.space_id)}/`,
      ),
    ]),
  )
}

export const keyOf = ({ space_id, page_id }: { space_id: string; page_id: string }) => `${space_id} ${page_id}`

/** Nearly always all pages are written ones. Looking up generated pages takes longer. */
async function findPages(app: App, organizationId: string, pages: Ranked['rows']): Promise<FoundPageRow[]> {
  const written = await listFoundPages(app.db, organizationId, pages)
  if (written.length === pages.length) return written
  const known = new Set(written.map(keyOf))
  const missing = pages.filter((page) => isDerived(page.page_id) && !known.has(keyOf(page)))
  return [...written, ...(await findMadePages(app, organizationId, missing))]
}

/**
 * Pages that are generated from specifications are in no table. Their current place comes from the tree into which they
 * are inserted.
 */
async function findMadePages(app: App, organizationId: string, pages: Ranked['rows']): Promise<FoundPageRow[]> {
  const bySpace = Map.groupBy(pages, ({ space_id }) => space_id)
  const found = await Promise.all(
    [...bySpace].map(async ([space_id, wanted]) => {
      const { head } = await findMainLine(app.db, organizationId, space_id)
      const { tree } = await expandPages(app, head, await app.content.tree(head))
      return wanted.flatMap(({ page_id }) => {
        const page = tree.byId.get(page_id)
        return page ? [{ space_id, page_id, title: pageData(page).title, path: tree.pathOf(page) }] : []
      })
    }),
  )
  return found.flat()
}
