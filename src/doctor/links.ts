import { sql } from '../db/sql.ts'
import { invariant } from './invariant.ts'

/** Invariants of links that no constraint can enforce. */
export const linkInvariants = [
  invariant(
    'Every working link has a target',
    sql`select count(*) from links k where k.status = 0 and k.target_space is null and k.target is not null
      and not exists (select from heads h where h.organization_id = k.organization_id and h.line_id = k.line_id
        and h.entry = k.target and h.state = 0)`,
  ),
  invariant(
    'Every link belongs to existing content of a main branch',
    sql`select count(*) from links k where not exists (select from heads h
      join lines l on l.organization_id = h.organization_id and l.id = h.line_id and l.main_id is null
      where h.organization_id = k.organization_id and h.line_id = k.line_id and h.entry = k.source and h.state = 0)`,
  ),
  invariant(
    'The link counts of spaces are correct',
    sql`select count(*) from (
        select l.organization_id, l.space_id, count(*) as links, count(*) filter (where k.status = 1) as broken,
          count(*) filter (where k.status = 2) as in_app
        from links k join lines l on l.organization_id = k.organization_id and l.id = k.line_id group by 1, 2) are
      full join space_counters shown using (organization_id, space_id)
      where (coalesce(shown.links, 0), coalesce(shown.broken, 0), coalesce(shown.in_app, 0))
        <> (coalesce(are.links, 0), coalesce(are.broken, 0), coalesce(are.in_app, 0))`,
  ),
]
