import { hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Static } from 'typebox'
import { sections } from '../../content/sections.ts'
import { type Statement, nothing, sql } from '../../db/sql.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import { ByteCache } from '../../revisions/cache.ts'
import type { Entry } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import type { Scope } from '../../search/scope.ts'
import { rowsOf } from '../../search/indexing/rows.ts'
import { hiddenApart, listConditional } from '../conditional.ts'
import { type SpacePages, visibleTree } from '../pages.ts'
import type { SiteSearch } from './search.schema.ts'
import type { SiteSnapshot, Variant } from '../snapshots/snapshot.ts'
import type { Place } from '../snapshots/structure.ts'
import type { Visitor } from '../visitors/visitor.ts'

type Wanted = Pick<Static<typeof SiteSearch>, 'scope' | 'mode' | 'siteSpaceIds' | 'siteSpaceId'>

/** Returns the places to search, among those that the caller sees. */
export function placesToSearch(snapshot: SiteSnapshot, seen: readonly Place[], wanted: Wanted): Place[] {
  const { scope, mode } = wanted
  const named = (ids: readonly string[], field: string) =>
    ids.map((id, at) => {
      const place = seen.find(({ variant }) => variant.row.id === id)
      if (!place) throw invalid(`${field}.${at}`, 'exists', 'is not a site space of this site')
      return place
    })
  if (scope?.mode === 'specific') return named(scope.siteSpaceIds, 'body.scope.siteSpaceIds')
  if (scope?.mode === 'all') return [...seen]
  if (!scope && wanted.siteSpaceIds) return named(wanted.siteSpaceIds, 'body.siteSpaceIds')
  if (!scope && mode === 'all') return [...seen]
  if (!scope && mode === 'specific') throw invalid('body.siteSpaceIds', 'required', 'is required with this mode')
  if (!scope && mode === 'current' && wanted.siteSpaceId === undefined)
    throw invalid('body.siteSpaceId', 'required', 'is required with this mode')

  const current = scope?.currentSiteSpace ?? wanted.siteSpaceId
  const [taken] = named(
    current === undefined ? [] : [current],
    scope ? 'body.scope.currentSiteSpace' : 'body.siteSpaceId',
  )
  const included = named(scope?.includedSiteSpaces ?? [], 'body.scope.includedSiteSpaces')
  const bySection = Map.groupBy(seen, ({ section }) => section)
  const defaults = [...bySection].flatMap(([section, places]) => {
    if (taken && taken.section === section) return []
    return places.find(({ variant }) => variant.isDefault) ?? places[0]!
  })
  // The current place comes first: a space that is in several places is shown there.
  return [...new Set([...(taken ? [taken] : []), ...defaults, ...included])].filter(({ variant }) =>
    snapshot.variants.has(variant.row.id),
  )
}

/** Returns the spaces in the order of the places. If a site contains a space twice, the first place is used. */
export const firstOfEach = (places: readonly Place[]): Map<string, Place> =>
  new Map(
    Array.from(
      Map.groupBy(places, ({ variant }) => variant.space.id),
      ([id, [first]]) => [id, first!],
    ),
  )

/** What a visitor must not find in these spaces. */
export interface Hidden {
  pages: PageOfSpace[]
  partly: PartlyHidden[]
}

/** A page with parts that are hidden from the visitor. */
interface PartlyHidden extends PageOfSpace {
  /** Hashes of the index rows that the visitor may find. */
  shown: string[]
  /**
   * From the anchor of a section in the index to its anchor for this visitor, who may see only some of several headings
   * with the same text.
   */
  anchors: ReadonlyMap<string, string>
}

interface PageOfSpace {
  spaceId: string
  pageId: string
}

export const nothingHidden: Hidden = { pages: [], partly: [] }

const kept = new ByteCache(8 * 1024 * 1024)

/**
 * Returns what is hidden from a visitor. Cached for all visitors with the same claims, as long as the space is
 * unchanged. Visitors can choose some of their claims, so the rows are made once for all who see the same.
 */
export async function hiddenFrom(app: App, { head, space }: Variant, visitor: Visitor): Promise<Hidden> {
  const pages = await app.audience.pages(head)
  const keep = (by: 'claims' | 'sight', what: unknown, make: () => Promise<Hidden>) =>
    kept.keep(
      [head.organizationId, space.id, head.id, pages.made, by, hash('sha256', JSON.stringify(what))].join(' '),
      make,
      ({ pages, partly }) =>
        200 + pages.length * 100 + partly.reduce((sum, { shown }) => sum + 200 + shown.length * 100, 0),
    )
  return keep('claims', visitor.scope ?? null, async () => {
    const sight = await sightOf(app, pages, visitor)
    return keep('sight', [sight.pages, [...sight.blocks]], () => findHidden(app, space.id, pages, visitor, sight))
  })
}

/** What conditions hide from a visitor. */
interface Sight {
  /** The ids of hidden pages. */
  pages: string[]
  /** By the id of a page that is seen, where its hidden blocks begin. */
  blocks: ReadonlyMap<string, readonly unknown[]>
}

/** Pages per turn: other requests get theirs in between. */
const pagesAtOnce = 20

async function sightOf(app: App, pages: SpacePages, visitor: Visitor): Promise<Sight> {
  const { at, tree } = pages
  const visible = visibleTree(pages, visitor)
  const docs = [...visible.byId.values()].filter(
    ({ doc, data }) => doc !== null && pageData({ data }).type === 'document',
  )
  const conditional = await listConditional(app, at.organizationId, [...new Set(docs.map(({ doc }) => doc!))])
  const blocks = new Map<string, unknown[]>()
  for (const [n, page] of docs.filter(({ doc }) => conditional.has(doc!)).entries()) {
    if (n % pagesAtOnce === 0) await breathe()
    const { hidden } = await apart(app, pages, visitor, page)
    if (hidden.length > 0)
      blocks.set(
        page.entry,
        hidden.map(({ range }) => range?.start),
      )
  }
  return { pages: [...tree.byId.keys()].filter((id) => !visible.byId.has(id)), blocks }
}

async function apart(app: App, { at, variables }: SpacePages, visitor: Visitor, page: Entry) {
  const { blocks } = await app.content.document(at.organizationId, page.doc)
  const scope = { ...visitor.scope, space: { vars: variables }, page: { vars: pageData(page).variables ?? {} } }
  return { blocks, ...hiddenApart(blocks, scope) }
}

async function findHidden(
  app: App,
  spaceId: string,
  pages: SpacePages,
  visitor: Visitor,
  sight: Sight,
): Promise<Hidden> {
  const hidden: Hidden = { pages: sight.pages.map((pageId) => ({ spaceId, pageId })), partly: [] }
  for (const [n, id] of [...sight.blocks.keys()].entries()) {
    if (n % pagesAtOnce === 0) await breathe()
    const page = pages.tree.byId.get(id)!
    const { blocks, shown: seen } = await apart(app, pages, visitor, page)
    const whole = rowsOf(page, sections({ blocks }))
    // A row that the visible blocks produce as well contains nothing else, even if the index made it from other blocks.
    const shown = new Map(rowsOf(page, sections({ blocks: seen })).map(({ hash, anchor }) => [hash, anchor]))
    if (whole.every(({ hash }) => shown.has(hash))) continue
    const found = whole.filter(({ hash }) => shown.has(hash))
    const anchors = new Map(found.map(({ hash, anchor }) => [anchor, shown.get(hash)!]))
    hidden.partly.push({ spaceId, pageId: id, shown: [...shown.keys()], anchors })
  }
  return hidden
}

/** The search scope of these spaces of an organization, without what is hidden. */
export function inSpaces(organizationId: string, spaceIds: readonly string[], hidden: Hidden): Scope {
  const { pages, partly } = hidden
  const rows = partly.flatMap(({ spaceId, pageId, shown }) => shown.map((hash) => ({ spaceId, pageId, hash })))
  return {
    organizationId,
    spaceIds,
    tables: sql`hidden_pages (space_id, page_id) as materialized (${idsOf(pages)}),
      guarded_pages (space_id, page_id) as materialized (${idsOf(partly)}),
      shown_rows (space_id, page_id, hash) as materialized (select * from unnest(
        ${rows.map(({ spaceId }) => spaceId)}::uuid[], ${rows.map(({ pageId }) => pageId)}::uuid[],
        ${rows.map(({ hash }) => hash)}::text[]))`,
    where: sql`true
      ${unless(pages.length, sql`hidden_pages h where h.space_id = s.space_id and h.page_id = s.page_id`)}
      ${unless(
        partly.length,
        sql`guarded_pages g where g.space_id = s.space_id and g.page_id = s.page_id and not exists (
        select from shown_rows r where r.space_id = s.space_id and r.page_id = s.page_id and r.hash = s.hash)`,
      )}`,
  }
}

const idsOf = (pages: readonly PageOfSpace[]) => sql`select * from unnest(
  ${pages.map(({ spaceId }) => spaceId)}::uuid[], ${pages.map(({ pageId }) => pageId)}::uuid[])`

const unless = (count: number, hidden: Statement) =>
  count === 0 ? nothing : sql`and not exists (select from ${hidden})`

export const headsOf = (places: readonly Place[]) => places.map(({ variant }) => variant.head)

const tries = 3

/**
 * Searches, and returns the result only if the content it was based on is still the newest. What is hidden was computed
 * for that content, but the index is of the newest: if they differ, a result may be hidden by then. In that case it
 * searches again, with a fresh snapshot of the site.
 */
export async function searchCurrent<Result>(
  app: App,
  siteId: string,
  search: () => Promise<{ result: Result; heads: readonly Revision[] }>,
): Promise<Result> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const { result, heads } = await search()
    if (await areNewest(app, heads)) return result
    app.audience.snapshots.forget(siteId)
  }
  throw new ApiError('unavailable', 'The site is changing too quickly to be searched. Try again in a moment.')
}

async function areNewest(app: App, heads: readonly Revision[]): Promise<boolean> {
  if (heads.length === 0) return true
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*) from unnest(${heads.map((head) => head.organizationId)}::uuid[],
      ${heads.map((head) => head.lineId)}::uuid[], ${heads.map((head) => head.seq)}::int[]) held (organization_id, id, seq)
    join lines l on l.organization_id = held.organization_id and l.id = held.id and l.head_seq = held.seq`)
  return count === heads.length
}
