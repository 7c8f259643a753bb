import { type Caller, type CallerRow, asCaller, callerColumns } from '../access/caller.ts'
import { insistsOnSso } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { type SessionRow, live } from './queries.ts'

/**
 * Returns the holder of this session as a member of an organization that the session gives access to. For content that
 * people look at in a browser. The API itself accepts no session.
 */
export async function findCallerOfSession(
  db: Db,
  sessionId: string,
  organizationId: string,
): Promise<Caller | undefined> {
  const row = await db.find(sql<CallerRow & { method: SessionRow['method']; only_in: string | null }>`
    select s.id as token_id, null as scopes, s.method, s.organization_id as only_in, ${callerColumns}
    from sessions s
    join users u on u.id = s.user_id
    join members m on m.organization_id = ${organizationId} and m.user_id = u.id and not m.disabled
      and (s.organization_id is null or s.organization_id = m.organization_id)
      and (s.method = 'saml' or not ${insistsOnSso(sql`m`)})
    join organizations o on o.id = m.organization_id
    where s.id = ${sessionId} and ${live} and not u.disabled`)
  if (!row) return undefined
  const { method, only_in: onlyIn, ...rest } = row
  return { ...asCaller(rest), session: { organizationId: onlyIn, bySso: method === 'saml' } }
}
