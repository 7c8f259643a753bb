import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Where } from './place.ts'

export interface RowKey {
  page_id: string
  anchor: string
  part: number
}

/** One per row of a space. */
export const keyOfRow = ({ page_id, anchor, part }: RowKey): string => `${page_id} ${part} ${anchor}`

export interface IndexedRow extends RowKey {
  hash: string
  heading: string
  body: string
  words: string
  title_length: number
}

export type KnownRow = RowKey & Pick<IndexedRow, 'hash'>

export async function findLanguage(db: Db, { organizationId, spaceId }: Where): Promise<string | null> {
  const found = await db.find(sql<Pick<SpaceRow, 'language'>>`
    select language from spaces where organization_id = ${organizationId} and id = ${spaceId}`)
  // If the space no longer exists, the writer finds out when writing.
  return found?.language ?? null
}

/** Returns what the index contains of these pages. */
export async function listIndexed(db: Db, { organizationId, spaceId }: Where, pages: string[]): Promise<KnownRow[]> {
  return db.all(sql<KnownRow>`
    select page_id, anchor, part, hash from search_sections
    where organization_id = ${organizationId} and space_id = ${spaceId} and page_id = any (${pages}::uuid[])`)
}

/** Not awaited, because it is sent along with the commit. */
export function writeRows(
  tx: Transaction,
  { organizationId, spaceId }: Where,
  rows: readonly IndexedRow[],
  gone: readonly RowKey[],
): void {
  tx.runLater(
    sql`
    with gone as (
      delete from search_sections s using unnest(${gone.map(({ page_id }) => page_id)}::uuid[],
        ${gone.map(({ anchor }) => anchor)}::text[], ${gone.map(({ part }) => part)}::int[]) g (page_id, anchor, part)
      where s.organization_id = ${organizationId} and s.space_id = ${spaceId} and s.page_id = g.page_id
        and s.anchor = g.anchor and s.part = g.part)
    insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
      title_length)
    select ${organizationId}, ${spaceId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (page_id uuid,
      anchor text, part int, hash text, heading text, body text, words tsvector,
      title_length int2)
    on conflict (organization_id, space_id, page_id, anchor, part) do update set hash = excluded.hash,
      heading = excluded.heading, body = excluded.body, words = excluded.words,
      title_length = excluded.title_length`,
  )
}
