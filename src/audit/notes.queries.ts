import { noOrganization } from '../changes/record.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Author } from '../db/transaction.ts'

export interface Note extends Author {
  id: string
  at: string
  action: string
  targetType: string
  targetId: string
  details: Record<string, string> | null
  hasOrganization: boolean
  organizationId?: string
  spaceId?: string
  collectionId?: string
}

/**
 * An event in an organization is recorded only if its actor is a member: to the organization, nobody else exists. Each
 * row is looked up by key (the limits): for a batch that might be large, the database would read all members of all
 * organizations.
 */
export async function insertNotes(db: Db, notes: Note[]): Promise<void> {
  await db.run(
    sql`
    insert into changes (id, organization_id, at, action, actor_id, token_id, target_type, target_id, details, request_id,
      address)
    select n.id, place.id, n.at, n.action, n."actorId", n."tokenId", n."targetType", n."targetId", n.details, n."requestId",
      n.address
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) n (id uuid, at timestamptz, action text, "actorId" uuid,
      "tokenId" uuid, "targetType" text, "targetId" text, details jsonb, "requestId" text, address text,
      "hasOrganization" boolean, "organizationId" uuid, "spaceId" uuid, "collectionId" uuid)
    left join lateral (select organization_id from spaces where id = n."spaceId" limit 1) s on true
    left join lateral (select organization_id from collections where id = n."collectionId" limit 1) c on true
    cross join lateral (select case when not n."hasOrganization" then ${noOrganization}::uuid
      else coalesce(n."organizationId", s.organization_id, c.organization_id) end as id) place
    where not n."hasOrganization" or (select true from members m
      where m.organization_id = place.id and m.user_id = n."actorId" limit 1)`.asSlow(),
  )
}
