import { sql } from '../db/sql.ts'
import { commentInvariants } from './comments.ts'
import { contentInvariants } from './content.ts'
import { type Invariant, invariant } from './invariant.ts'
import { linkInvariants } from './links.ts'
import { searchInvariants } from './search.ts'
import { siteInvariants } from './sites.ts'
import { webhookInvariants } from './webhooks.ts'

/** All invariants. Each feature adds its own. */
export const invariants: Invariant[] = [
  invariant(
    'Every organization has an administrator',
    sql`select count(*) from organizations o where not exists (select from members m
      where m.organization_id = o.id and m.role = 'admin' and not m.disabled)`,
  ),
  invariant(
    'The record of changes is append-only',
    sql`select (not exists (select from pg_trigger where tgname = 'changes_append_only' and tgenabled <> 'D'))::int as count`,
  ),
  invariant(
    'Team members are members of the organization',
    sql`select count(*) from team_members t where not exists (select from members m
      where m.organization_id = t.organization_id and m.user_id = t.user_id)`,
  ),
  invariant(
    'SAML requests are signed only if there is a key',
    sql`select count(*) from saml_providers p where p.sign_requests and not exists (select from saml_keys k
      where k.organization_id = p.organization_id and k.provider_id = p.id)`,
  ),
  invariant(
    'Change requests of a space are numbered without gaps',
    sql`select count(*) from (
        select r.organization_id, r.space_id, count(*) as many, max(r.number) as highest from change_requests r group by 1, 2) x
      full join (select * from space_counters where last_number > 0) c using (organization_id, space_id)
      where many is distinct from highest or highest is distinct from last_number`,
  ),
  invariant(
    'The change request counts of spaces are correct',
    sql`select count(*) from (
        select organization_id, space_id, sum(requests_open) as open, sum(requests_draft) as draft from counter_slots
        group by 1, 2) shown
      full join (
        select organization_id, space_id, count(*) filter (where status = 'open') as open,
          count(*) filter (where status = 'draft') as draft from change_requests group by 1, 2) are
        using (organization_id, space_id)
      where (coalesce(shown.open, 0), coalesce(shown.draft, 0)) <> (coalesce(are.open, 0), coalesce(are.draft, 0))`,
  ),
  invariant(
    'Merged change requests, and only those, have a revision on the main branch',
    sql`select count(*) from change_requests c join lines b on b.organization_id = c.organization_id and b.id = c.line_id
      left join revisions r on r.organization_id = c.organization_id and r.line_id = b.main_id and r.merged_from = c.id
      where (c.status = 'merged') <> (r.id is not null) or r.id <> c.revision_merged`,
  ),
  invariant(
    'No merged change request has open conflicts',
    sql`select count(*) from change_requests c join conflicts x on x.organization_id = c.organization_id
      and x.line_id = c.line_id and x.to_seq is null where c.status = 'merged'`,
  ),
  invariant(
    'Every branch is based on a revision of its main branch',
    sql`select count(*) from lines b join lines m on m.organization_id = b.organization_id and m.id = b.main_id
      where b.base_seq not between 1 and m.head_seq`,
  ),
  invariant(
    'An account that belongs to an organization is a member of no other',
    sql`select count(*) from members m join users u on u.id = m.user_id where u.home_organization_id <> m.organization_id`,
  ),
  ...contentInvariants,
  ...siteInvariants,
  ...linkInvariants,
  ...searchInvariants,
  ...commentInvariants,
  ...webhookInvariants,
]
