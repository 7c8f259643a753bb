import { type Statement, sql } from '../db/sql.ts'

/** A promise about the data, and a statement that counts where it is broken. Every feature adds its own. */
export interface Invariant {
  promise: string
  broken: Statement<{ count: number }>
}

const count = (promise: string, broken: Statement<{ count: number }>): Invariant => ({
  promise,
  broken: broken.asSlow(),
})

export const invariants: Invariant[] = [
  count(
    'Every organization has an administrator',
    sql`select count(*) from organizations o where not exists (select from members m
      where m.organization_id = o.id and m.role = 'admin' and not m.disabled)`,
  ),
  count(
    'The record of changes is append-only',
    sql`select (not exists (select from pg_trigger where tgname = 'changes_append_only' and tgenabled <> 'D'))::int as count`,
  ),
  count(
    'Nobody is in a team of an organization they are not in',
    sql`select count(*) from team_members t where not exists (select from members m
      where m.organization_id = t.organization_id and m.user_id = t.user_id)`,
  ),
]
