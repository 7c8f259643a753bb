import { type Statement, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { broken, statuses } from './queries.ts'

/** A space that is copied, and its copy. */
export interface Copy {
  organizationId: string
  fromSpaceId: string
  toSpaceId: string
  toLineId: string
}

/**
 * SQL to be included in the statement that copies the content, so that both are from the same moment. An address that
 * names the space itself still leads to the original, not to the copy.
 */
export function copiedLinks({ organizationId, fromSpaceId, toSpaceId, toLineId }: Copy): Statement {
  return sql`copied_links as (
      insert into links (organization_id, line_id, source, ord, raw, relation, target_space, target, wanted, anchor, status)
      select k.organization_id, ${toLineId}, k.source, k.ord, k.raw, k.relation,
        case when k.target_space is null and coalesce(k.target::text, k.wanted) is not null
          and k.raw ~ '^(https?:|/spaces/[0-9a-f-]{36}/)' then ${fromSpaceId}::uuid else k.target_space end,
        k.target, k.wanted, k.anchor, k.status
      from lines l join links k on k.organization_id = l.organization_id and k.line_id = l.id
      where l.organization_id = ${organizationId} and l.space_id = ${fromSpaceId} and l.main_id is null),
    copied_backlog as (
      insert into link_backlog (organization_id, space_id, up_to)
      select organization_id, ${toSpaceId}, up_to from link_backlog
      where organization_id = ${organizationId} and space_id = ${fromSpaceId})`
}

/** Called once the copied links are written. */
export async function settleCopy(tx: Transaction, { organizationId, toSpaceId, toLineId }: Copy): Promise<void> {
  await tx.run(
    sql`
    update space_counters c set links = n.links, broken = n.broken, in_app = n.in_app from (
      select count(*) as links, count(*) filter (where status = ${broken}) as broken,
        count(*) filter (where status = ${statuses.indexOf('in-app')}) as in_app
      from links where organization_id = ${organizationId} and line_id = ${toLineId}) n
    where c.organization_id = ${organizationId} and c.space_id = ${toSpaceId}`.asSlow(),
  )
  await lookAgain(
    tx,
    organizationId,
    sql`
    select distinct target_space from links
    where organization_id = ${organizationId} and line_id = ${toLineId} and target_space is not null`,
  )
}

/**
 * Called when spaces were moved to an organization: what they link to there, and what links to them, is resolved again.
 * In the organization that they left, nobody sees their links any more, and links to them are broken for everybody.
 */
export async function welcomeLinks(
  tx: Transaction,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  await lookAgain(
    tx,
    organizationId,
    sql`
    select distinct k.target_space from lines l join links k on k.organization_id = l.organization_id and k.line_id = l.id
    where l.organization_id = ${organizationId} and l.space_id = any (${spaceIds}::uuid[]) and l.main_id is null
      and k.target_space is not null
    union
    select space.id from unnest(${spaceIds}::uuid[]) space (id) where exists (select from links k
      where k.organization_id = ${organizationId} and k.target_space = space.id)`,
  )
}

/**
 * Negative values of `seen_seq` count the requests for another run, so that a run in progress does not mark a request
 * as done that came after it started.
 */
async function lookAgain(tx: Transaction, organizationId: string, spaces: Statement): Promise<void> {
  await tx.run(
    sql`
    insert into linked_spaces (organization_id, target_space, seen_seq)
    select ${organizationId}, id, 0 from (${spaces}) linked (id)
    on conflict (organization_id, target_space) do update set seen_seq = least(linked_spaces.seen_seq, 0) - 1`.asSlow(),
  )
}
