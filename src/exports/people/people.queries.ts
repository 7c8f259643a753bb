import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { ExportedName } from '../queries.ts'

export interface MemberHere {
  id: string
  email: string
  /** Whether the address is known to be theirs. A person who joined by a link may have entered any. */
  confirmed: boolean
}

/** The members among these people, by id or by address. They stay members until the transaction ends. */
export async function lockMembersAmong(
  tx: Transaction,
  organizationId: string,
  people: readonly ExportedName[],
): Promise<MemberHere[]> {
  const ids = people.flatMap(({ id }) => id ?? [])
  const emails = people.map(({ email }) => email.toLowerCase())
  return tx.all(
    sql<MemberHere>`
    select u.id, lower(u.email) as email, u.email_verified or u.home_organization_id is not null as confirmed
    from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and (m.user_id = any (${ids}::uuid[]) or lower(u.email) = any (${emails}::text[]))
    order by m.user_id for key share of m`.asSlow(),
  )
}

export interface TeamFound {
  id: string
  organization_id: string
  title: string
}

/** All teams of the organization, the oldest first, and teams of other organizations that have these ids. */
export async function listTeamsAndTaken(db: Db, organizationId: string, ids: string[]): Promise<TeamFound[]> {
  return db.all(
    sql<TeamFound>`
    select id, organization_id, title from teams
    where organization_id = ${organizationId} or id = any (${ids}::uuid[]) order by created_at, id`.asSlow(),
  )
}

/** Code that changes the members of a team locks the team first. */
export async function lockTeams(tx: Transaction, organizationId: string, ids: string[]): Promise<void> {
  await tx.run(sql`
    select from teams where organization_id = ${organizationId} and id = any (${ids}::uuid[]) order by id for update`)
}
