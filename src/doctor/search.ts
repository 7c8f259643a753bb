import { sql } from '../db/sql.ts'
import { invariant } from './invariant.ts'

/** Pages of main lines that search can find. */
const findable = sql`select l.organization_id, l.space_id, h.entry as page_id from lines l
  join heads h on h.organization_id = l.organization_id and h.line_id = l.id
  where l.main_id is null and h.kind = 1 and h.state = 0 and coalesce(h.data ->> 'type', 'document') = 'document'
    and h.data ->> 'noIndex' is distinct from 'true'`

/** Pages generated from a specification are not entries. A job keeps their search rows up to date. */
const isGenerated = sql`substr(s.page_id::text, 15, 1) = '8'`

export const searchInvariants = [
  invariant(
    'Everything in the search index exists',
    sql`with findable as (${findable})
      select count(*) from search_sections s where not ${isGenerated} and not exists (select from findable f
        where f.organization_id = s.organization_id and f.space_id = s.space_id and f.page_id = s.page_id)`,
  ),
  invariant(
    'Every page of an indexed space is in the search index',
    sql`with findable as (${findable})
      select count(*) from (
        select f.organization_id, f.space_id, f.page_id from findable f join search_spaces x
          on x.organization_id = f.organization_id and x.space_id = f.space_id and x.done_to is null
        except select organization_id, space_id, page_id from search_sections where anchor = '') missing`,
  ),
]
