import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/** The role of a space in a translation. */
export interface TranslatedSpace {
  translation_id: string
  space_id: string
  language: string | null
  is_source: boolean
}

export async function listTranslatedSpaces(
  db: Db,
  organizationId: string,
  spaceIds: string[],
): Promise<TranslatedSpace[]> {
  return db.all(sql<TranslatedSpace>`
    select id as translation_id, source_id as space_id, source_language as language, true as is_source
    from translations where organization_id = ${organizationId} and source_id = any (${spaceIds}::uuid[])
    union all
    select translation_id, space_id, language, false
    from translation_variants where organization_id = ${organizationId} and space_id = any (${spaceIds}::uuid[])`)
}
