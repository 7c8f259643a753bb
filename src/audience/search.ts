import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import { type Block, everyBlock } from '../content/blocks.ts'
import { sections } from '../content/sections.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import { invalid } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { pageData } from '../pages/entry-data.ts'
import { ByteCache } from '../revisions/cache.ts'
import type { Scope } from '../search/queries.ts'
import { indexedAnchor } from '../search/rows.ts'
import { conditionOf, isShown } from './conditions.ts'
import { type SpacePages, visibleTree } from './pages.ts'
import type { SiteSearch } from './search.schema.ts'
import type { SiteSnapshot, Variant } from './snapshot.ts'
import type { Place } from './structure.ts'
import type { Visitor } from './visitor.ts'

type Wanted = Pick<Static<typeof SiteSearch>, 'scope' | 'mode' | 'siteSpaceIds' | 'siteSpaceId'>

/** Which of the places that somebody sees a search is about. */
export function placesToSearch(snapshot: SiteSnapshot, seen: readonly Place[], wanted: Wanted): Place[] {
  const { scope, mode } = wanted
  const named = (ids: readonly string[], field: string) =>
    ids.map((id, at) => {
      const place = seen.find(({ variant }) => variant.row.id === id)
      if (!place) throw invalid(`${field}.${at}`, 'exists', 'is no site space of this site')
      return place
    })
  if (scope?.mode === 'specific') return named(scope.siteSpaceIds, 'body.scope.siteSpaceIds')
  if (scope?.mode === 'all') return [...seen]
  if (!scope && wanted.siteSpaceIds) return named(wanted.siteSpaceIds, 'body.siteSpaceIds')
  if (!scope && mode === 'all') return [...seen]

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
  // Where somebody is comes first: what stands in several places is shown there.
  return [...new Set([...(taken ? [taken] : []), ...defaults, ...included])].filter(({ variant }) =>
    snapshot.variants.has(variant.row.id),
  )
}

/** What of these spaces a visitor must not find: whole pages, and sections that hold what a condition hides. */
export interface Hidden {
  pages: { spaceId: string; pageId: string }[]
  sections: { spaceId: string; pageId: string; anchor: string }[]
}

export const nothingHidden: Hidden = { pages: [], sections: [] }

const kept = new ByteCache(8 * 1024 * 1024)

/** The same for everybody of whom the same is known, as long as the space is the same. */
export async function hiddenFrom(app: App, { head, space }: Variant, visitor: Visitor): Promise<Hidden> {
  const known = hash('sha256', JSON.stringify(visitor.scope ?? null), 'base64url')
  const pages = await app.audience.pages(head)
  return kept.keep(
    `${head.organizationId} ${space.id} ${head.id} ${pages.made ?? ''} ${known}`,
    () => findHidden(app, space.id, pages, visitor),
    ({ pages, sections }) => 200 + pages.length * 100 + sections.length * 150,
  )
}

async function findHidden(app: App, spaceId: string, pages: SpacePages, visitor: Visitor): Promise<Hidden> {
  const { at, tree } = pages
  const visible = visibleTree(pages, visitor)
  const hidden: Hidden = { pages: [], sections: [] }
  for (const pageId of tree.byId.keys()) if (!visible.byId.has(pageId)) hidden.pages.push({ spaceId, pageId })

  const docs = [...visible.byId.values()].filter(
    ({ doc, data }) => doc !== null && pageData({ data }).type === 'document',
  )
  const conditional = await listConditional(app, at.organizationId, [...new Set(docs.map(({ doc }) => doc!))])
  for (const page of docs.filter(({ doc }) => conditional.has(doc!))) {
    const { blocks } = await app.content.document(at.organizationId, page.doc)
    const scope = visitor.scope && {
      ...visitor.scope,
      space: { vars: pages.variables },
      page: { vars: pageData(page).variables ?? {} },
    }
    const whole = sections({ blocks })
    const shown = new Map(sections({ blocks: withoutHidden(blocks, scope) }).map((each) => [each.anchor, each.hash]))
    const unlike = whole.filter((each) => shown.get(each.anchor) !== each.hash)
    // Of very many sections several share a row of the index: nobody can tell which of them a row holds.
    if (unlike.length > 0 && whole.length > 400) hidden.pages.push({ spaceId, pageId: page.entry })
    else
      hidden.sections.push(
        ...unlike.map(({ anchor }) => ({ spaceId, pageId: page.entry, anchor: indexedAnchor(anchor) })),
      )
  }
  return hidden
}

/** The blocks without what conditions hide; what expressions show is in no index. */
function withoutHidden(blocks: readonly Block[], scope: Visitor['scope']): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.type === 'if') {
      return isShown(conditionOf(block.expression), scope) ? withoutHidden(block.blocks, scope) : []
    }
    return 'blocks' in block ? [{ ...block, blocks: withoutHidden(block.blocks, scope) }] : [block]
  })
}

const conditionalDocs = new Map<string, boolean>()
const mostDocs = 200_000

/**
 * Which of these bodies have conditions in them. A body never changes, so each is looked at once. The answer is gathered
 * apart from what is kept: somebody else may empty that while we wait, and what is forgotten must not count as open.
 */
async function listConditional(app: App, organizationId: string, docs: string[]): Promise<Set<string>> {
  const keyOf = (doc: string) => `${organizationId} ${doc}`
  const unknown = docs.filter((doc) => !conditionalDocs.has(keyOf(doc)))
  const conditional = new Set(docs.filter((doc) => conditionalDocs.get(keyOf(doc))))
  if (conditionalDocs.size > mostDocs) conditionalDocs.clear()
  for (let from = 0; from < unknown.length; from += 1_000) {
    const some = unknown.slice(from, from + 1_000)
    const suspects = await app.db.all(
      sql<{ hash: string }>`
      select hash from documents where organization_id = ${organizationId} and hash = any (${some}::text[])
        and markdown ~ '\\{%\\s*if'`.asSlow(),
    )
    const suspected = new Set(suspects.map(({ hash }) => hash))
    for (const doc of some) {
      const isConditional = suspected.has(doc) && (await hasCondition(app, organizationId, doc))
      conditionalDocs.set(keyOf(doc), isConditional)
      if (isConditional) conditional.add(doc)
    }
  }
  return conditional
}

/** The words alone may stand in a code block. */
async function hasCondition(app: App, organizationId: string, doc: string): Promise<boolean> {
  const { blocks } = await app.content.document(organizationId, doc)
  return [...everyBlock(blocks)].some(({ type }) => type === 'if')
}

/** These spaces of an organization, without what is hidden. */
export function inSpaces(organizationId: string, spaceIds: readonly string[], hidden: Hidden): Scope {
  const { pages, sections: parts } = hidden
  return {
    organizationId,
    spaceIds,
    tables: sql`hidden_pages (space_id, page_id) as materialized (select * from unnest(
        ${pages.map(({ spaceId }) => spaceId)}::uuid[], ${pages.map(({ pageId }) => pageId)}::uuid[])),
      hidden_parts (space_id, page_id, anchor) as materialized (select * from unnest(
        ${parts.map(({ spaceId }) => spaceId)}::uuid[], ${parts.map(({ pageId }) => pageId)}::uuid[],
        ${parts.map(({ anchor }) => anchor)}::text[]))`,
    where: sql`true
      ${unless(pages.length, sql`hidden_pages h where h.space_id = s.space_id and h.page_id = s.page_id`)}
      ${unless(
        parts.length,
        sql`hidden_parts h where h.space_id = s.space_id and h.page_id = s.page_id
        and h.anchor = s.anchor`,
      )}`,
  }
}

const unless = (count: number, hidden: Statement) =>
  count === 0 ? nothing : sql`and not exists (select from ${hidden})`

/**
 * Whether these places still show the revisions that were looked at. What is hidden was worked out for those, and the
 * index is of the newest: where they differ, something may have been found that is hidden by now.
 */
export async function isCurrent(app: App, places: Place[]): Promise<boolean> {
  const heads = places.map(({ variant }) => variant.head)
  if (heads.length === 0) return true
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*) from unnest(${heads.map((head) => head.organizationId)}::uuid[],
      ${heads.map((head) => head.lineId)}::uuid[], ${heads.map((head) => head.seq)}::int[]) held (organization_id, id, seq)
    join lines l on l.organization_id = held.organization_id and l.id = held.id and l.head_seq = held.seq`)
  return count === heads.length
}
