import { setImmediate } from 'node:timers/promises'
import { type Statement, sql } from '../db/sql.ts'
import type { App } from '../http/routes.ts'
import { sectionsOf } from '../openapi/finding/index-generated.ts'
import { isDerived } from '../openapi/generate/expand.ts'
import { pageData } from '../pages/entry-data.ts'
import { ByteCache } from '../revisions/cache.ts'
import type { Entry } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type NewRow, withSections } from '../search/changes.ts'
import type { IndexedRow } from '../search/index.queries.ts'
import { lexiconOf } from '../search/lexicon.ts'
import { type Node, lexemesIn } from '../search/nodes.ts'
import type { FoundPage } from '../search/queries.ts'
import { isFindable, rowsOf, saysTheSame } from '../search/rows.ts'
import { vectorsOf } from '../search/vectors.ts'
import type { Variant } from './snapshot.ts'

/** What a change request has otherwise than the main content of its space, which is all that the index knows. */
export interface Drafted {
  spaceId: string
  /** Pages of the main content that say something else here, or nothing at all. */
  replaced: { spaceId: string; pageId: string }[]
  /** What is said in their place, as the index would have it. */
  rows: IndexedRow[]
  pages: ReadonlyMap<string, FoundPage>
}

const kept = new ByteCache(16 * 1024 * 1024)
const atOnce = 100

/** `variant` is the space as the change request has it. Worked out once for the two revisions. */
export async function findDrafted(app: App, { head, space }: Variant, main: Revision): Promise<Drafted> {
  const [then, now] = await Promise.all([app.audience.pages(main), app.audience.pages(head)])
  const { organizationId } = head
  const names = [organizationId, space.id, main.id, then.made, head.id, now.made, space.language]
  return kept.keep(
    names.join(' '),
    async () => {
      const isSame = (page: Entry) => saysTheSame(then.tree.byId.get(page.entry), page)
      const changed = [...now.tree.byId.values()].filter((page) => !isSame(page))
      const isKept = (id: string) => now.tree.byId.has(id) && isSame(now.tree.byId.get(id)!)
      const replaced = [...then.tree.byId.keys()].filter((id) => !isKept(id))
      const findable = changed.filter(isFindable)
      return {
        spaceId: space.id,
        replaced: replaced.map((pageId) => ({ spaceId: space.id, pageId })),
        rows: await indexed(app, organizationId, space, findable),
        pages: new Map(
          findable.map((page) => {
            const found = { space_id: space.id, page_id: page.entry, title: pageData(page).title }
            return [page.entry, { ...found, path: now.tree.pathOf(page) }]
          }),
        ),
      }
    },
    ({ rows, replaced }) =>
      1_000 + replaced.length * 100 + rows.reduce((sum, { body, words }) => sum + 500 + body.length + words.length, 0),
  )
}

async function indexed(
  app: App,
  organizationId: string,
  { id: spaceId, language }: Variant['space'],
  pages: readonly Entry[],
): Promise<IndexedRow[]> {
  const place = { organizationId, spaceId, lexicon: lexiconOf(language) }
  const rows: IndexedRow[] = []
  for (let from = 0; from < pages.length; from += atOnce) {
    const some = pages.slice(from, from + atOnce)
    const written = await withSections(
      app.db,
      place,
      some.filter(({ entry }) => !isDerived(entry)),
      new Map(),
    )
    const made: typeof written = []
    for (const page of some.filter(({ entry }) => isDerived(entry))) {
      made.push([page, await sectionsOf(app.db, app.openapi, organizationId, page)])
      await setImmediate()
    }
    const fresh = [...written, ...made].flatMap(([page, sections]) =>
      rowsOf(page, sections).map((row): NewRow => ({ ...row, page_id: page.entry })),
    )
    const vectors = await vectorsOf(app.db, place, fresh)
    rows.push(...fresh.map((row, at) => ({ ...row, ...vectors[at]! })))
  }
  return rows
}

/**
 * In the place of the index, for a search in what a change request says: all that reads `search_sections` reads this.
 * Of all the rows only those are sent that have one of the words, which is what tells how long it takes.
 */
export function asIndex(organizationId: string, { spaceId, rows }: Drafted, node: Node, name?: string): Statement {
  const starts = lexemesIn(node).map(({ lexeme, prefix }) => `'${lexeme}${prefix ? '' : "'"}`)
  if (name !== undefined) starts.push(`'${name}'`)
  const some = rows.filter(({ words }) => starts.some((start) => words.includes(start)))
  return sql`search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words, title_length,
      ctid) as materialized (
    select ${organizationId}::uuid, ${spaceId}::uuid, r.*, row_number() over ()
    from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) r (page_id uuid, anchor text, part int, hash text,
      heading text, body text, words tsvector, title_length int2))`
}
