import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/** Whether the page and the revision exist that a page of a variant names as its origin. */
export interface Origin {
  has_page: boolean
  has_revision: boolean
}

/** Returns undefined if the space is not a variant of any source. */
export async function findOrigin(
  db: Db,
  organizationId: string,
  spaceId: string,
  { page, revision }: { page: string; revision: string },
): Promise<Origin | undefined> {
  return db.find(sql<Origin>`
    select exists (select from entries e
        where e.organization_id = l.organization_id and e.line_id = l.id and e.entry = ${page} and e.kind = 1) as has_page,
      exists (select from revisions r
        where r.organization_id = l.organization_id and r.line_id = l.id and r.id = ${revision}) as has_revision
    from translation_variants v
    join translations t on t.organization_id = v.organization_id and t.id = v.translation_id
    join lines l on l.organization_id = t.organization_id and l.space_id = t.source_id and l.main_id is null
    where v.organization_id = ${organizationId} and v.space_id = ${spaceId}`)
}
