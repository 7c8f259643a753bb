import { type Statement, nothing, sql } from '../db/sql.ts'

/** Where to search. The code that creates a scope has checked that the caller may read there. */
export interface Scope {
  organizationId: string
  spaceIds: readonly string[]
  /** Tables that `where` needs, placed after `with recursive`. */
  tables?: Statement
  /** An additional condition for rows of `search_sections s`. */
  where?: Statement
  /**
   * `tables` contains its own `search_sections`, which is short: all matches are ranked, and none is looked up again.
   */
  isShort?: true
}

/** Up to this many spaces are looked into one by one. */
export const mostSpaces = 40

const place = sql`array[s.organization_id, s.space_id]`

/**
 * A few spaces are looked up one by one. For many, the index finds the rows of this organization, which are then
 * filtered by space. All other conditions are written so that no other index answers them (`is true`), since that would
 * read all rows of the spaces.
 */
export function isWithin({ organizationId, spaceIds, where }: Scope): Statement {
  const few = 10
  const within = spaceIds.length <= few ? spaceIds : [organizationId]
  return sql`${place} && ${within}::uuid[] and (s.organization_id = ${organizationId}) is true
    and (s.space_id in (select unnest(${spaceIds}::uuid[]))) is true ${where ? sql`and ${where}` : nothing}`
}

/** The same for a single space, given as SQL. */
export function isIn({ organizationId, where }: Scope, spaceId: Statement): Statement {
  return sql`${place} @> array[${spaceId}] and (s.organization_id = ${organizationId}) is true
    ${where ? sql`and ${where}` : nothing}`
}

export const withTables = ({ tables }: Scope) => (tables ? sql`${tables},` : nothing)
