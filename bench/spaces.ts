import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { type Transaction, nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'
import { lexiconOf } from '../src/search/words/lexicon.ts'
import { insertIndexed } from '../src/search/indexing/progress.queries.ts'

export interface LoadedSpace {
  id: string
  /** A page in the middle of the space, on the second level. */
  pageId: string
  path: string
}

const perSection = 100

/** Creates a space with the given number of pages of 2 KB, in sections of a hundred, with few large statements. */
export async function loadSpace(db: Database, organizationId: string, pages: number): Promise<LoadedSpace> {
  const [id, lineId, revisionId] = [newId(), newId(), newId()]
  const idOf = (i: number) => db.one(sql<{ id: string }>`select md5(${`${id} ${i}`})::uuid as id`)
  await transaction(db, nobody, async (tx) => insertSpace(tx, organizationId, id))
  await db.run(sql`
    insert into lines (organization_id, id, space_id, head_seq, head_id)
    values (${organizationId}, ${lineId}, ${id}, 1, ${revisionId})`)
  await db.run(sql`
    insert into revisions (organization_id, line_id, seq, id, parents, type)
    values (${organizationId}, ${lineId}, 1, ${revisionId}, '{}', 'edits')`)
  const step = 10_000
  for (let from = 0; from < pages; from += step) {
    const to = Math.min(pages, from + step) - 1
    await db.run(
      sql`insert into documents (organization_id, hash, markdown)
      select ${organizationId}, md5(${id}::text || i), repeat('Some words of page ' || i || E'.\n\n', 80)
      from generate_series(${from}::int, ${to}::int) i`.asSlow(),
    )
    await db.run(
      sql`insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, data)
      select ${organizationId}, ${lineId}, md5(${id}::text || ' ' || i)::uuid, 1, 1, 0,
        case when i % ${perSection}::int = 0 then '00000000-0000-0000-0000-000000000000'::uuid
          else md5(${id}::text || ' ' || (i - i % ${perSection}::int))::uuid end,
        'page-' || i, 'a' || lpad(i::text, 8, '0') || 'V', md5(${id}::text || i),
        jsonb_build_object('type', 'document', 'title', 'Page ' || i, 'createdAt', '2026-01-01T00:00:00.000Z',
          'updatedAt', '2026-01-01T00:00:00.000Z')
      from generate_series(${from}::int, ${to}::int) i`.asSlow(),
    )
  }
  await db.run(
    sql`insert into heads (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
    select organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data
    from entries where organization_id = ${organizationId} and line_id = ${lineId}`.asSlow(),
  )
  for (const table of [sql`entries`, sql`heads`, sql`documents`]) await db.run(sql`vacuum analyze ${table}`.asSlow())
  const middle = Math.floor(pages / 2 / perSection) * perSection
  return { id, pageId: (await idOf(middle + 50)).id, path: `page-${middle}/page-${middle + 50}` }
}

/**
 * Inserts a space that search regards as indexed. Content that the benchmark writes directly to the database is not in
 * the index, and a job would otherwise index it while something else is being measured.
 */
export function insertSpace(tx: Transaction, organizationId: string, id: string): void {
  tx.runLater(sql`
    insert into spaces (organization_id, id, title, position) values (${organizationId}, ${id}, 'Bench', ${id})`)
  insertIndexed(tx, { organizationId, spaceId: id, lexicon: lexiconOf(null) })
}

/** Waits until the database has finished its cleanup after loading, which would otherwise be measured too. */
export async function settle(db: Database): Promise<void> {
  await db.run(sql`checkpoint`.asSlow())
  const isTidying = async () => {
    const { workers } = await db.one(sql<{ workers: number }>`
      select count(*) as workers from pg_stat_activity where backend_type = 'autovacuum worker'`)
    return workers > 0
  }
  const until = performance.now() + 60_000
  // Checks several times, because between two tables there is briefly no worker.
  for (let quiet = 0; quiet < 5 && performance.now() < until; await sleep(200))
    quiet = (await isTidying()) ? 0 : quiet + 1
}

/** Changes one title as a commit does, so that the next read gets a new revision. */
export async function touchPage(db: Database, spaceId: string, pageId: string): Promise<void> {
  const id = newId()
  await db.run(
    sql`with line as (
      update lines set head_seq = head_seq + 1, head_id = ${id} where space_id = ${spaceId} and main_id is null returning *),
    revision as (
      insert into revisions (organization_id, line_id, seq, id, parents, type)
      select organization_id, id, head_seq, head_id, '{}', 'edits' from line),
    written as (
      insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, data)
      select h.organization_id, h.line_id, h.entry, l.head_seq, kind, state, parent, slug, position, doc,
        data || jsonb_build_object('title', ${id}::text)
      from line l join heads h on h.organization_id = l.organization_id and h.line_id = l.id and h.entry = ${pageId}
      returning *)
    update heads h set from_seq = w.from_seq, data = w.data from written w
    where h.organization_id = w.organization_id and h.line_id = w.line_id and h.entry = w.entry`.asSlow(),
  )
}
