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
 * Who may do what with content. The rule (contract: the first that says something wins) stands here once, as SQL,
 * because lists, counts and search need it for sets; a single space is asked in the same words.
 */

/** A space, and what the caller is there. */
export interface SpaceAccess {
  space: SpaceRow
  role: Role
  organizationRole: Role | null
  /** What its main line holds now. It comes along, since nearly everybody goes on to read there. */
  main: Revision
}

/** A space that the caller may see and has `right` on. The only way a request gets hold of one. */
export async function accessSpace(db: Db, caller: Caller, spaceId: string, right: SpaceRight): Promise<SpaceAccess> {
  const found = await findSpaceFor(db, caller, spaceId)
  if (!found) throw notFound('space')
  if (!spaceRights(found.role)[right]) throw forbidden(spaceVerbs[right])
  return found
}

/** A space that the caller may see. One in the trash does not exist. */
export async function findSpaceFor(db: Db, caller: Caller, spaceId: string): Promise<SpaceAccess | undefined> {
  const found = await findEvenDeleted(db, caller, spaceId)
  return found?.space.deleted_at === null ? found : undefined
}

/** The same for one that may be in the trash. */
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

/** What these people are on a space: those who may see it, with their role. A closed account sees nothing. */
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
 * Two tables for a statement about many things: `collection_roles (user_id, id, role, parent)` and `space_roles (user_id,
 * id, role, parent)`, what this member is, or each of these, on every collection and space of an organization, and the
 * collection around it, where they may see that one. To be put behind `with recursive`. The grants are gathered first,
 * so that things nobody was granted cost next to nothing.
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
 * The collection around a thing, for a member who may see that one; for anybody else the thing is at the top. For the
 * few things that are asked for by id.
 */
export const parentSeenBy = (userId: string, organizationId: Statement, up: Statement) => sql`(
  select holder.id from collections holder
  join members m on m.organization_id = holder.organization_id and m.user_id = ${userId} and not m.disabled
  where holder.organization_id = ${organizationId} and holder.id = ${up}
    and ${roleOn(sql`holder`, sql`holder.parent_id`, userId)} is not null)`

/**
 * Whether a member may open a space, or does so with one of these roles. Numbers of spaces are counted with it, so that
 * nobody can count what they may not see. The list is made once for a whole statement, and for administrators, who see
 * all there is and may do all, not at all.
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

/** `asking (user_id, role)`: the members among these. */
export const askingOf = (organizationId: string, users: string[]) => sql`asking as (
    select user_id, role from members
    where organization_id = ${organizationId} and user_id = any (${users}::uuid[]) and not disabled)`

/** That, and `said (user_id, thing_id, role)`, what was granted to them. Only their own grants are read for it. */
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
 * The other way round: `member_roles (user_id, role, joined_at, reason, said_on)`, what every member is on one space or
 * collection, and why. To be put behind `with recursive`. The same rule for all at once: the things up to the first one with a level of its own, the
 * first grant on the way for whoever has one, and that level, or the role in the organization, for all others.
 */
export function memberRoles(organizationId: string, thingId: string): Statement {
  // Looked up for each of the few things: as a plain join, all grants of the organization are read.
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

/** Only members count: not the disabled, not with a token or a session that does not open the organization. */
function joinMember(organizationId: Statement, { user, token, session }: Caller): Statement {
  return sql`join members m on m.organization_id = ${organizationId} and m.user_id = ${user.id} and not m.disabled
    and ${session ? sessionOpens(sql`m`, session) : tokenOpens(sql`m`, token.id)}`
}

/** From the thing upwards, the first that says something; where nothing does, the role in the organization. */
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

/** What is said on one thing: a grant to the member, else the best one to a team of theirs, else its own level. */
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
  admin: 'administrate this space',
  viewInviteLinks: 'see invites to this space',
  edit: 'edit this space',
  triggerGitSync: 'synchronize this space',
  comment: 'comment in this space',
  merge: 'merge in this space',
  review: 'review in this space',
}

const collectionVerbs: Record<CollectionRight, string> = {
  view: 'see this collection',
  admin: 'administrate this collection',
  viewInviteLinks: 'see invites to this collection',
  create: 'create content in this collection',
}
