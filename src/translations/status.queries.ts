import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Page } from '../http/paging.ts'
import { page as pageKind } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Translation, Variant } from './queries.ts'
import type { pageStates } from './schema.ts'

/** The state of a page of the source in a variant. */
export interface PageStatusRow {
  entry: string
  title: string
  language: string
  space_id: string
  status: (typeof pageStates)[number]
  variant_entry: string | null
  translated_from: string | null
  variant_updated_at: string | null
}

/** Returns the current revision of a source. */
export async function findSourceHead(
  db: Db,
  { organization_id, source_id }: Translation,
): Promise<Revision | undefined> {
  const head = await db.find(sql<{ lineId: string; seq: number; id: string }>`
    select id as "lineId", head_seq as seq, head_id as id from lines
    where organization_id = ${organization_id} and space_id = ${source_id} and main_id is null`)
  return head && { organizationId: organization_id, ...head, base: undefined }
}

/** Ordered by the age of the page, then by language. */
export async function listPageStatus(
  db: Db,
  source: Revision,
  variants: readonly Variant[],
  { status }: { status?: string | undefined },
  page: Page,
) {
  const matching = sql`from (${pagesBySource(source, variants)}) p ${status === undefined ? nothing : sql`where p.status = ${status}`}`
  const [entry, language] = page.after ?? []
  const after = page.after
    ? sql`${status === undefined ? sql`where` : sql`and`} (p.entry, p.language) > (${entry}::uuid, ${language}::text collate "C")`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<PageStatusRow>`
        select p.* ${matching} ${after} order by p.entry, p.language limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

/**
 * Every page of the source, with its state in each variant. A page of a variant corresponds to the page that it is
 * marked with or, without a mark, to the one with the same id, because copies of a space keep ids. If it names the
 * revision that it was made from, the source of that time is compared with the current one; otherwise, the times of the
 * last edits are compared.
 */
function pagesBySource({ organizationId, lineId }: Revision, variants: readonly Variant[]): Statement {
  const mark = sql`h.data -> 'translatedFrom'`
  const uuid = (text: Statement) => sql`case when ${text} ~ '^[0-9a-f-]{36}$' then (${text})::uuid end`
  return sql`
    select s.entry, s.data ->> 'title' as title, v.language, v.space_id, t.entry as variant_entry,
      t.data -> 'translatedFrom' ->> 'revision' as translated_from, t.data ->> 'updatedAt' as variant_updated_at,
      case when t.entry is null then 'missing'
        when t.mark is null then
          case when (s.data ->> 'updatedAt') collate "C" > t.data ->> 'updatedAt' then 'behind' else 'current' end
        when made.seq is null then 'behind'
        when s.from_seq <= made.seq then 'current'
        when (made.doc, made.title, made.description) is not distinct from
          (s.doc, s.data ->> 'title', s.data ->> 'description') then 'current'
        else 'behind' end as status
    from heads s
    cross join (select v.language collate "C" as language, v.space_id, l.id as line_id
      from unnest(${variants.map(({ language }) => language)}::text[], ${variants.map(({ space_id }) => space_id)}::uuid[])
        v (language, space_id)
      join lines l on l.organization_id = ${organizationId} and l.space_id = v.space_id and l.main_id is null) v
    left join (
      select distinct on (line_id, source) line_id, source, entry, data, mark from (
        select h.line_id, h.entry, h.data, ${mark} as mark,
          case when h.data ? 'translatedFrom' then ${uuid(sql`${mark} ->> 'page'`)} else h.entry end as source
        from heads h join lines l on l.organization_id = h.organization_id and l.id = h.line_id and l.main_id is null
        where h.organization_id = ${organizationId} and h.kind = ${pageKind} and h.state = 0
          and l.space_id = any (${variants.map(({ space_id }) => space_id)}::uuid[])) marked
      order by line_id, source, mark is null, data ->> 'updatedAt' desc, entry) t
      on t.line_id = v.line_id and t.source = s.entry
    left join lateral (
      select r.seq, old.doc, old.data ->> 'title' as title, old.data ->> 'description' as description
      from revisions r
      left join lateral (select e.doc, e.data from entries e
        where e.organization_id = ${organizationId} and e.line_id = ${lineId} and e.entry = s.entry
          and e.from_seq <= r.seq and s.from_seq > r.seq
        order by e.from_seq desc limit 1) old on true
      where r.organization_id = ${organizationId} and r.line_id = ${lineId}
        and r.id = ${uuid(sql`t.mark ->> 'revision'`)}) made on t.mark is not null
    where s.organization_id = ${organizationId} and s.line_id = ${lineId} and s.kind = ${pageKind} and s.state = 0`
}
