import { type Statement, sql } from '../../db/sql.ts'

/** Goes into the statement that copies the content of a space, so that both are from the same moment. */
export function copiedSections(organizationId: string, fromSpaceId: string, toSpaceId: string): Statement {
  return sql`copied_sections as (
      insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
        title_length)
      select organization_id, ${toSpaceId}, page_id, anchor, part, hash, heading, body, words, title_length
      from search_sections where organization_id = ${organizationId} and space_id = ${fromSpaceId}),
    copied_progress as (
      insert into search_spaces (organization_id, space_id, lexicon, former, version, done_to)
      select organization_id, ${toSpaceId}, lexicon, former, version, done_to
      from search_spaces where organization_id = ${organizationId} and space_id = ${fromSpaceId})`
}
