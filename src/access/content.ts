import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { CollectionRow, SpaceRow } from '../db/tables.ts'
import { forbidden, notFound } from '../http/errors.ts'
import type { Revision } from '../revisions/revision.ts'
import { bestRole } from './best-role.ts'
import type { Caller } from './caller.ts'
import { collectionAround } from './levels.ts'
import { type CollectionRight, type SpaceRight, collectionRights, spaceRights } from './rights.ts'
import type { Role } from './roles.ts'
import { sessionOpens, tokenOpens } from './token-opens.ts'

/**
 * Who may do what with content. The rule (the first thing that says something decides) is written here once, as SQL,
 * because lists, counts and search need it for sets. A single space is checked with the same SQL.
 */

/** A space, and the caller's roles on it. */
export interface SpaceAccess {
  space: SpaceRow
  role: Role
  organizationRole: Role | null
  /** The current head of its main line. Read along with the space, since nearly every caller goes on to read there. */
  main: Revision
}

/**
 * Returns a space if the caller may see it and has `right` on it, and throws otherwise. The usual way for a request to
 * get a space.
 */
export async function accessSpace(db: Db, caller: Caller, spaceId: string, right: SpaceRight): Promise<SpaceAccess> {
  const found = await findSpaceFor(db, caller, spaceId)
  if (!found) throw notFound('space')
  if (!spaceRights(found.role)[right]) throw forbidden(spaceVerbs[right])
  return found
}

/** Returns a space that the caller may see. A space in the trash counts as missing. */
export async function findSpaceFor(db: Db, caller: Caller, spaceId: string): Promise<SpaceAccess | undefined> {
  const found = await findEvenDeleted(db, caller, spaceId)
  return found?.space.deleted_at === null ? found : undefined
}

/** The same, including spaces in the trash. */
export async function findEvenDeleted(db: Db, caller: Caller, spaceId: string): Promise<SpaceAccess | undefined> {
  const key = `space ${caller.user.id} ${caller.token.id} ${spaceId}`
  return db.remember('content', key, () => readSpaceFor(db, caller, spaceId))
}

async function readSpaceFor(db: Db, caller: Caller, spaceId: string): Promise<SpaceAccess | undefined> {
  const row = await db.find(sql<SpaceRow & { role: Role | null; organization_role: Role | null } & Head>`
    select ${spaceColumns}, m.role as organization_role, ${roleOn(sql`s`, sql`s.collection_id`, caller.user.id)} as role,
      l.id as line_id, l.head_seq, l.head_id
    from spaces s ${joinMember(sql`s.organization_id`, caller)}
    left join lines l on l.organization_id = s.organization_id and l.space_id = s.id and l.main_id is null
    where s.id = ${spaceId}`)
  if (!row?.role) return undefined
  const { role, organization_role: organizationRole, line_id: lineId, head_seq: seq, head_id: id, ...space } = row
  const main = { organizationId: space.organization_id, lineId, seq, id, base: undefined }
  return { space, role, organizationRole, main }
}

interface Head {
  line_id: string
  head_seq: number
  head_id: string
}

/** Returns the roles of these people on a space, for those who may see it. A disabled account sees nothing. */
export async function listSpaceRoles(
  db: Db,
  space: Pick<SpaceRow, 'organization_id' | 'id'>,
  userIds: string[],
): Promise<Map<string, Role>> {
  const rows = await db.all(sql<{ user_id: string; role: Role | null }>`
    select m.user_id, ${roleOn(sql`s`, sql`s.collection_id`, sql`m.user_id`)} as role
    from spaces s join members m on m.organization_id = s.organization_id and not m.disabled
    join users u on u.id = m.user_id and not u.disabled
    where s.organization_id = ${space.organization_id} and s.id = ${space.id} and m.user_id = any (${userIds}::uuid[])`)
  return new Map(rows.flatMap(({ user_id, role }) => (role === null ? [] : [[user_id, role] as const])))
}

export interface CollectionAccess {
  collection: CollectionRow
  role: Role
  organizationRole: Role | null
}

export async function accessCollection(
  db: Db,
  caller: Caller,
  id: string,
  right: CollectionRight,
): Promise<CollectionAccess> {
  const found = await findCollectionFor(db, caller, id)
  if (!found) throw notFound('collection')
  if (!collectionRights(found.role)[right]) throw forbidden(collectionVerbs[right])
  return found
}

export async function findCollectionFor(db: Db, caller: Caller, id: string): Promise<CollectionAccess | undefined> {
  const row = await db.find(sql<CollectionRow & { role: Role | null; organization_role: Role | null }>`
    select ${collectionColumns}, m.role as organization_role, ${roleOn(sql`c`, sql`c.parent_id`, caller.user.id)} as role
    from collections c ${joinMember(sql`c.organization_id`, caller)} where c.id = ${id}`)
  if (!row?.role) return undefined
  const { role, organization_role: organizationRole, ...collection } = row
  return { collection, role, organizationRole }
}

export const spaceColumns = sql`s.organization_id, s.id, s.collection_id, s.title, s.emoji, s.icon, s.edit_mode, s.language,
  s.inherits, s.level, s.position, s.merge_rules, s.created_by, s.created_at, s.updated_at, s.deleted_at`

export const collectionColumns = sql`c.organization_id, c.id, c.parent_id, c.title, c.description, c.inherits, c.level,
  c.position, c.created_at`

/**
 * Two tables for a statement about many things: `collection_roles (user_id, id, role, parent)` and `space_roles
 * (user_id, id, role, parent)`. They contain the role of this member, or of each of these members, on every collection
 * and space of an organization, and the collection around it if they may see that one. Goes behind `with recursive`.
 * The grants are gathered first, so that things without a grant cost next to nothing.
 */
export function contentRoles(organizationId: string, users: string | string[]): Statement {
  const inherited = (role: Statement) => sql`case when asking.role = 'admin' then 'admin'
    when said.thing_id is not null then said.role when not thing.inherits then thing.level::text else ${role}::text end`
  const parent = sql`case when up.role is not null then up.id end`
  return sql`${grantsTo(organizationId, [users].flat())},
  collection_roles (user_id, id, role, parent) as (
    select asking.user_id, thing.id, ${inherited(sql`asking.role`)}, null::uuid from asking
    join collections thing on thing.organization_id = ${organizationId} and thing.parent_id is null
    left join said on said.user_id = asking.user_id and said.thing_id = thing.id
    union all
    select asking.user_id, thing.id, ${inherited(sql`up.role`)}, ${parent} from collection_roles up
    join asking on asking.user_id = up.user_id
    join collections thing on thing.organization_id = ${organizationId} and thing.parent_id = up.id
    left join said on said.user_id = asking.user_id and said.thing_id = thing.id),
  space_roles (user_id, id, role, parent) as (
    select asking.user_id, thing.id,
      ${inherited(sql`case when thing.collection_id is null then asking.role::text else up.role end`)}, ${parent}
    from asking join spaces thing on thing.organization_id = ${organizationId}
    left join collection_roles up on up.user_id = asking.user_id and up.id = thing.collection_id
    left join said on said.user_id = asking.user_id and said.thing_id = thing.id)`
}

/**
 * The collection around a thing, if the member may see it. Otherwise the thing appears at the top. For the few things
 * that are requested by id.
 */
export const parentSeenBy = (userId: string, organizationId: Statement, up: Statement) => sql`(
  select holder.id from collections holder
  join members m on m.organization_id = holder.organization_id and m.user_id = ${userId} and not m.disabled
  where holder.organization_id = ${organizationId} and holder.id = ${up}
    and ${roleOn(sql`holder`, sql`holder.parent_id`, userId)} is not null)`

/**
 * Whether a member may open a space, or has one of these roles on it. Counts of spaces use it, so that nobody can count
 * what they may not see. The list is computed once per statement, and not at all for administrators, who may see and do
 * everything.
 */
export const isOpenTo = (
  organizationId: string,
  viewerId: string,
  spaceId: Statement,
  as?: readonly Role[],
): Statement => sql`(
  exists (select from members where organization_id = ${organizationId} and user_id = ${viewerId} and role = 'admin')
  or ${spaceId} in (
    with recursive ${contentRoles(organizationId, viewerId)}
    select id from space_roles where ${as ? sql`role = any (${as}::text[])` : sql`role is not null`}))`

/** `asking (user_id, role)`: those of these users who are members. */
export const askingOf = (organizationId: string, users: string[]) => sql`asking as (
    select user_id, role from members
    where organization_id = ${organizationId} and user_id = any (${users}::uuid[]) and not disabled)`

/** `asking`, and `said (user_id, thing_id, role)`, the grants to these members. Reads only their own grants. */
function grantsTo(organizationId: string, users: string[]): Statement {
  const asked = sql`any (${users}::uuid[])`
  return sql`${askingOf(organizationId, users)},
  said as (
    select user_id, thing_id, case when bool_or(own) then max(role) filter (where own) else ${bestRole(sql`role`)} end as role
    from (
      select user_id, thing_id, role::text, true as own from member_grants
      where organization_id = ${organizationId} and user_id = ${asked}
      union all
      select tm.user_id, g.thing_id, g.role::text, false
      from team_members tm join team_grants g on g.organization_id = tm.organization_id and g.team_id = tm.team_id
      where tm.organization_id = ${organizationId} and tm.user_id = ${asked}) grants
    group by user_id, thing_id)`
}

/**
 * The reverse: `member_roles (user_id, role, joined_at, reason, said_on)`, the role of every member on one space or
 * collection, and the reason for it. Goes behind `with recursive`. Applies the same rule to all members at once: walks
 * up to the first thing with a level of its own. Members with a grant on the way get the first one, all others get that
 * level, or their role in the organization.
 */
export function memberRoles(organizationId: string, thingId: string): Statement {
  // Looked up for each of the few things. With a plain join, all grants of the organization are read.
  const onEach = (grants: Statement) => sql`(
        select * from ${grants} where organization_id = ${organizationId} and thing_id = chain.id offset 0)`
  return sql`chain (depth, id, up, inherits, level) as (
    select 0, thing.id, thing.up, thing.inherits, thing.level from (
      select id, collection_id as up, inherits, level from spaces
      where organization_id = ${organizationId} and id = ${thingId}
      union all
      select id, parent_id, inherits, level from collections
      where organization_id = ${organizationId} and id = ${thingId}) thing
    union all
    select chain.depth + 1, around.id, around.parent_id, around.inherits, around.level from chain
    cross join lateral ${collectionAround(sql`${organizationId}`, sql`chain.up`)} around
    where chain.inherits),
  said as (
    select distinct on (user_id) user_id, role, turn, thing_id from (
      select g.user_id, chain.depth, chain.id as thing_id, 0 as turn, g.role::text as role
      from chain cross join lateral ${onEach(sql`member_grants`)} g
      union all
      select tm.user_id, chain.depth, chain.id, 1, ${bestRole(sql`g.role`)}
      from chain cross join lateral ${onEach(sql`team_grants`)} g
      join team_members tm on tm.organization_id = g.organization_id and tm.team_id = g.team_id
      group by tm.user_id, chain.depth, chain.id) grants
    order by user_id, depth, turn),
  closing as (select id, level from chain where not inherits),
  member_roles (user_id, role, joined_at, reason, said_on) as (
    select m.user_id, case when m.role = 'admin' then 'admin' when said.user_id is not null then said.role
      when exists (select from closing) then (select level::text from closing) else m.role::text end, m.joined_at,
      case when m.role = 'admin' then 'organization' when said.turn = 0 then 'member' when said.turn = 1 then 'team'
        when exists (select from closing) then 'everybody' else 'organization' end,
      case when m.role = 'admin' then null when said.user_id is not null then said.thing_id
        else (select id from closing) end
    from members m left join said on said.user_id = m.user_id
    where m.organization_id = ${organizationId} and not m.disabled)`
}

/** Only active members count whose token or session opens the organization. */
function joinMember(organizationId: Statement, { user, token, session }: Caller): Statement {
  return sql`join members m on m.organization_id = ${organizationId} and m.user_id = ${user.id} and not m.disabled
    and ${session ? sessionOpens(sql`m`, session) : tokenOpens(sql`m`, token.id)}`
}

/**
 * Walks up from the thing to the first one that decides the role. If none does, the role in the organization applies.
 */
function roleOn(thing: Statement, up: Statement, userId: string | Statement): Statement {
  return sql`case when m.role = 'admin' then 'admin' else (
    with recursive chain (depth, up, decided, role) as (
      select 0, ${up}, say.decided, say.role from ${says(thing, userId)} say
      union all
      select chain.depth + 1, around.parent_id, say.decided, say.role from chain
      cross join lateral ${collectionAround(sql`m.organization_id`, sql`chain.up`)} around
      cross join lateral ${says(sql`around`, userId)} say
      where not chain.decided
    )
    select case when decided then role else m.role end from chain order by depth desc limit 1) end`
}

/**
 * What one thing decides: the grant to the member, otherwise the best grant to one of their teams, otherwise its own
 * level.
 */
function says(thing: Statement, userId: string | Statement): Statement {
  return sql`(
    select g.thing_id is not null or t.teams > 0 or not ${thing}.inherits as decided,
      case when g.thing_id is not null then g.role when t.teams > 0 then t.role else ${thing}.level end as role
    from (select count(*) as teams, ${bestRole(sql`team.role`)} as role
      from team_grants team join team_members tm
        on tm.organization_id = team.organization_id and tm.team_id = team.team_id and tm.user_id = ${userId}
      where team.organization_id = ${thing}.organization_id and team.thing_id = ${thing}.id) t
    left join member_grants g on g.organization_id = ${thing}.organization_id and g.thing_id = ${thing}.id
      and g.user_id = ${userId})`
}

const spaceVerbs: Record<SpaceRight, string> = {
  view: 'see this space',
  access: 'see this space',
  admin: 'administer this space',
  viewInviteLinks: 'see invites to this space',
  edit: 'edit this space',
  triggerGitSync: 'synchronize this space',
  comment: 'comment in this space',
  merge: 'merge in this space',
  review: 'review in this space',
}

const collectionVerbs: Record<CollectionRight, string> = {
  view: 'see this collection',
  admin: 'administer this collection',
  viewInviteLinks: 'see invites to this collection',
  create: 'create content in this collection',
}
