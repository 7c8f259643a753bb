import { sql } from '../db/sql.ts'
import { top } from '../revisions/entries.ts'
import { invariant } from './invariant.ts'

/** Invariants of spaces and their content that no constraint can enforce. */
export const contentInvariants = [
  invariant(
    'Every space has exactly one main branch, with a revision',
    sql`select count(*) from spaces s where (select count(*) from lines l
      where l.organization_id = s.organization_id and l.space_id = s.id and l.main_id is null and l.head_seq > 0) <> 1`,
  ),
  invariant(
    'Every space and collection has a position',
    sql`select (select count(*) from spaces where position = '') + (select count(*) from collections where position = '')
      as count`,
  ),
  invariant(
    'Collections do not contain each other',
    sql`with recursive reached as (
        select organization_id, id from collections where parent_id is null
        union all
        select c.organization_id, c.id from reached r
        join collections c on c.organization_id = r.organization_id and c.parent_id = r.id)
      select (select count(*) from collections) - (select count(*) from reached) as count`,
  ),
  invariant(
    'The head of a branch is its newest revision, and revisions have no gaps',
    sql`select count(*) from lines l where l.head_seq <> (select count(*) from revisions r
        where r.organization_id = l.organization_id and r.line_id = l.id and r.seq between 1 and l.head_seq)
      or exists (select from revisions r
        where r.organization_id = l.organization_id and r.line_id = l.id and r.seq > l.head_seq)
      or l.head_seq > 0 and not exists (select from revisions r where r.organization_id = l.organization_id
        and r.line_id = l.id and r.seq = l.head_seq and r.id = l.head_id)`,
  ),
  invariant(
    'Every parent of a revision exists',
    sql`select count(*) from revisions r, unnest(r.parents) parent where not exists (select from revisions x
      where x.organization_id = r.organization_id and x.id = parent)`,
  ),
  invariant(
    'Every row of content belongs to a revision',
    sql`select count(*) from entries e where not exists (select from revisions r
      where r.organization_id = e.organization_id and r.line_id = e.line_id and r.seq = e.from_seq)`,
  ),
  invariant(
    'Current content is the latest that was written',
    sql`select (select count(*) from heads h cross join lateral (select * from entries e
        where e.organization_id = h.organization_id and e.line_id = h.line_id and e.entry = h.entry
        order by e.from_seq desc limit 1) e
      where (h.from_seq, h.kind, h.state, h.parent, h.slug, h.position, h.doc, h.refs, h.data)
        is distinct from (e.from_seq, e.kind, e.state, e.parent, e.slug, e.position, e.doc, e.refs, e.data))
      + (select count(*) from heads h where not exists (select from entries e
        where e.organization_id = h.organization_id and e.line_id = h.line_id and e.entry = h.entry))
      + (select count(*) from entries e where not exists (select from heads h
        where h.organization_id = e.organization_id and h.line_id = e.line_id and h.entry = e.entry)) as count`,
  ),
  invariant(
    'Every page of a main branch can be reached from the top level',
    sql`with recursive pages as (
        select h.organization_id, h.line_id, h.entry, h.parent from heads h
        join lines l on l.organization_id = h.organization_id and l.id = h.line_id
        where l.main_id is null and h.kind = 1 and h.state = 0),
      reached as (
        select organization_id, line_id, entry from pages where parent = ${top}
        union all
        select c.organization_id, c.line_id, c.entry from reached r
        join heads c on c.organization_id = r.organization_id and c.line_id = r.line_id and c.parent = r.entry
          and c.kind = 1 and c.state = 0)
      select (select count(*) from pages) - (select count(*) from reached) as count`,
  ),
  invariant(
    'Entries of main branches are consistent and have a position',
    sql`select count(*) from heads h join lines l on l.organization_id = h.organization_id and l.id = h.line_id
      where l.main_id is null and (h.state = 2 or h.state = 0 and h.kind = 1 and (h.position is null or h.slug is null))`,
  ),
]
