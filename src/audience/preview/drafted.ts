import { setImmediate } from 'node:timers/promises'
import { type Statement, sql } from '../../db/sql.ts'
import type { Section } from '../../content/sections.ts'
import type { App } from '../../http/routes.ts'
import { sectionsOf } from '../../openapi/finding/index-generated.ts'
import { isDerived } from '../../openapi/generate/expand.ts'
import { pageData } from '../../pages/entry-data.ts'
import { ByteCache } from '../../revisions/cache.ts'
import type { Entry } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import { type NewRow, withSections } from '../../search/indexing/changes.ts'
import type { IndexedRow } from '../../search/indexing/index.queries.ts'
import { lexiconOf } from '../../search/words/lexicon.ts'
import type { Place } from '../../search/indexing/place.ts'
import { type Sought, lexemesIn } from '../../search/nodes.ts'
import type { FoundPage } from '../../search/queries.ts'
import { isFindable, rowsOf, saysTheSame } from '../../search/indexing/rows.ts'
import { vectorsOf } from '../../search/indexing/vectors.ts'
import type { Variant } from '../snapshots/snapshot.ts'

/**
 * The differences between a change request and the main content of its space. The index contains only the main content.
 */
export interface Drafted {
  spaceId: string
  /** Pages of the main content that differ or are missing in the change request. */
  replaced: { spaceId: string; pageId: string }[]
  /** The rows that replace them, as they would be in the index. */
  rows: IndexedRow[]
  pages: ReadonlyMap<string, FoundPage>
}

const kept = new ByteCache(32 * 1024 * 1024)
/** Pages per batch. Other work gets its turn between batches: a text may be long, a title is not. */
const textsAtOnce = 10
const titlesAtOnce = 200

/**
 * Size limits of a draft. Beyond `mostOfTexts`, pages are found by title and description only, and beyond `mostOfAll`,
 * not at all.
 */
const mostOfTexts = 8 * 1024 * 1024
const mostOfAll = 16 * 1024 * 1024
const pageBytes = 300
const rowBytes = 500

/**
 * Returns the differences. `variant` is the space as the change request has it. Computed once for each pair of
 * revisions.
 */
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
    ({ rows, replaced, pages }) => 1_000 + replaced.length * 100 + pages.size * pageBytes + bytesOf(rows),
  )
}

const bytesOf = (rows: readonly IndexedRow[]) =>
  rows.reduce((sum, { body, words }) => sum + rowBytes + body.length + words.length, 0)

async function indexed(
  app: App,
  organizationId: string,
  { id: spaceId, language }: Variant['space'],
  pages: readonly Entry[],
): Promise<IndexedRow[]> {
  const place = { organizationId, spaceId, lexicon: lexiconOf(language) }
  const rows: IndexedRow[] = []
  let [from, bytes] = [0, 0]
  while (from < pages.length && bytes < mostOfAll) {
    const isRoom = bytes < mostOfTexts
    const some = pages.slice(from, from + (isRoom ? textsAtOnce : titlesAtOnce))
    from += some.length
    const read = isRoom ? await readAll(app, place, some) : some.map((page) => [page, []] as const)
    const fresh = read.flatMap(([page, sections]) =>
      rowsOf(page, sections).map((row): NewRow => ({ ...row, page_id: page.entry })),
    )
    const vectors = await vectorsOf(app.db, place, fresh)
    const added = fresh.map((row, at) => ({ ...row, ...vectors[at]! }))
    for (const row of added) rows.push(row)
    bytes += bytesOf(added)
    await setImmediate()
  }
  return rows
}

async function readAll(
  app: App,
  place: Place,
  pages: readonly Entry[],
): Promise<(readonly [Entry, readonly Section[]])[]> {
  const isMade = ({ entry }: Entry) => isDerived(entry)
  const written = pages.filter((page) => !isMade(page))
  const read = await withSections(app.db, place, written, new Map())
  for (const page of pages.filter(isMade)) {
    read.push([page, await sectionsOf(app.db, app.openapi, place.organizationId, page)])
    await setImmediate()
  }
  return read
}

/**
 * A table that replaces the index in a search of a change request: everything that reads `search_sections` reads it.
 * Contains only rows with one of the words, since the number of rows determines how long it takes.
 */
export function asIndex(organizationId: string, { spaceId, rows }: Drafted, { node, name }: Sought): Statement {
  const lexemes = lexemesIn(node).map(({ lexeme, prefix }) => `'${lexeme}${prefix ? '' : "'"}`)
  const starts = [...lexemes, `'${name}'`]
  const some = rows.filter(({ words }) => starts.some((start) => words.includes(start)))
  // Pages are ranked by their words alone, so no text is sent.
  return tableOf(
    organizationId,
    spaceId,
    some.map((row) => ({ ...row, heading: '', body: '' })),
  )
}

/** The same with all text of these pages, for showing the results. */
export function asIndexOf(organizationId: string, { spaceId, rows }: Drafted, pages: ReadonlySet<string>): Statement {
  return tableOf(
    organizationId,
    spaceId,
    rows.filter(({ page_id }) => pages.has(page_id)),
  )
}

const tableOf = (organizationId: string, spaceId: string, rows: readonly IndexedRow[]) =>
  sql`search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words, title_length)
    as materialized (
      select ${organizationId}::uuid, ${spaceId}::uuid, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (
        page_id uuid, anchor text, part int, hash text, heading text, body text, words tsvector, title_length int2))`
