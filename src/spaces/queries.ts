import { contentRoles, parentSeenBy, spaceColumns } from '../access/content.ts'
import { shownLevel } from '../access/levels.ts'
import type { Role } from '../access/roles.ts'
import { isIn } from '../collections/tree.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { MergeRules, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Page } from '../http/paging.ts'
import type { ShownGitSync } from '../git/present.ts'
import { nilId } from '../ids.ts'
import { type PublishedPlace, publishedPlace, publishedPlaces } from '../sites/published-place.ts'
import { shareKeyHash } from '../sites/share-links/keys.ts'

/** What is shown of a space in addition to its own row. */
export interface SpaceDetails extends PublishedPlace, ShownGitSync {
  default_level: Role | null
  revision: string
  changed_at: Date
  comments: number
  change_requests: number
  requests_open: number
  requests_draft: number
}

/** Finds a space by its id alone, unless it is in the trash. For callers whose right to it is not a role. */
export async function findSpaceById(db: Db, spaceId: string): Promise<SpaceRow | undefined> {
  return db.find(sql<SpaceRow>`select ${spaceColumns} from spaces s where s.id = ${spaceId} and s.deleted_at is null`)
}

/** A user's role on a space, and the collection around it if they may see that. */
export interface SpaceSight {
  /** null: the user's own change has just removed their access. */
  role: Role | null
  seen_parent: string | null
}

/** A space as a user sees it. */
export type SpaceSeen = SpaceRow & SpaceDetails & SpaceSight

/**
 * Join this only to the few spaces that are shown, not to all that exist. Content changes do not update the space's own
 * row, so that writers do not wait for each other there.
 */
export const details = sql`${shownLevel(sql`s`, sql`s.collection_id`)} as default_level, l.head_id as revision,
  greatest(s.updated_at, h.created_at) as changed_at, coalesce(k.last_number, 0) as change_requests,
  n.comments, n.requests_open, n.requests_draft, ${publishedPlace},
  g.url as git_url, g.tree_url as git_tree_url, g.provider as git_provider, g.updated_at as git_updated_at`

/**
 * Spaces with their details. `of` is the condition that selects the spaces for `publishedPlaces`. The other details are
 * looked up by key, one space after the other. With plain joins, the planner searches them among all rows of the
 * organization whenever it assumes the organization to be small, as it does with every new one: two hundred spaces took
 * seconds.
 */
export const withDetails = (of: Statement, shareKey?: string) => sql`(spaces s
  cross join lateral (select id, head_id, head_seq from lines
    where organization_id = s.organization_id and space_id = s.id and main_id is null limit 1) l
  cross join lateral (select created_at from revisions
    where organization_id = s.organization_id and line_id = l.id and seq = l.head_seq limit 1) h
  left join space_counters k on k.organization_id = s.organization_id and k.space_id = s.id
  left join git_syncs g on g.organization_id = s.organization_id and g.space_id = s.id
  cross join lateral (select coalesce(sum(comments), 0) as comments, coalesce(sum(requests_open), 0) as requests_open,
      coalesce(sum(requests_draft), 0) as requests_draft
    from counter_slots where organization_id = s.organization_id and space_id = s.id) n
  ${publishedPlaces(of, shareKey === undefined ? undefined : shareKeyHash(shareKey))})`

/** For a statement whose table `picked` contains the spaces to show. */
const ofPicked = (organizationId: string) =>
  withDetails(sql`x.organization_id = ${organizationId} and x.space_id in (select id from picked)`)

const parentFor = (userId: string) =>
  sql`${parentSeenBy(userId, sql`s.organization_id`, sql`s.collection_id`)} as seen_parent`

export async function findDetails(
  db: Db,
  spaceId: string,
  userId: string,
  shareKey?: string,
): Promise<(SpaceDetails & Pick<SpaceSight, 'seen_parent'>) | undefined> {
  const it = sql`(x.organization_id, x.space_id) in (select organization_id, id from spaces where id = ${spaceId})`
  return db.find(sql<SpaceDetails & Pick<SpaceSight, 'seen_parent'>>`
    select ${details}, ${parentFor(userId)} from ${withDetails(it, shareKey)} where s.id = ${spaceId}`)
}

/** Returns these spaces by id, with what is shown of them to this member, who must be allowed to see them. */
export async function listSpacesById(db: Db, organizationId: string, userId: string, ids: string[]) {
  const these = sql`x.organization_id = ${organizationId} and x.space_id = any (${ids}::uuid[])`
  const rows = await db.all(sql<Omit<SpaceSeen, 'role'>>`
    select ${spaceColumns}, ${details}, ${parentFor(userId)} from ${withDetails(these)}
    where s.organization_id = ${organizationId} and s.id = any (${ids}::uuid[]) and s.deleted_at is null`)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Returns the spaces whose ids a statement selects, including those in the trash, with what is shown of them to
 * anybody.
 */
export async function listSpacesIn(db: Db, organizationId: string, ids: Statement, shareKey?: string) {
  const these = sql`x.organization_id = ${organizationId} and x.space_id = any (array(${ids}))`
  const rows = await db.all(sql<SpaceRow & SpaceDetails>`
    select ${spaceColumns}, ${details} from ${withDetails(these, shareKey)}
    where s.organization_id = ${organizationId} and s.id = any (array(${ids}))`)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Lists the spaces that this member may see: all of them, or those in one collection. Spaces at the top level come
 * first, then those in collections, each by position. A space in a collection that the member may not see counts as at
 * the top level for them, also in the order, because the page tokens contain the parent.
 */
export async function listSpaces(
  db: Db,
  organizationId: string,
  userId: string,
  collectionId: string | undefined,
  page: Page,
) {
  const visible = visibleTo(organizationId, userId, collectionId)
  return withCount(
    db,
    visible,
    sql<SpaceSeen & Counted>`
      ${visible}, picked as materialized (
        select s.* from visible s ${behind(page)} order by ${placeBelow(sql`s.parent`)} limit ${page.limit + 1})
      select ${spaceColumns}, ${details}, picked.role, picked.parent as seen_parent, ${countVisible}
      from picked join ${ofPicked(organizationId)} on s.id = picked.id
      order by ${placeBelow(sql`picked.parent`)}`,
  )
}

/**
 * Lists the first of all spaces that this member may see, in the same order, with only their own rows. For choosing
 * among very many: looking up the details of each takes ten times as long.
 */
export async function listSpacesToChoose(db: Db, organizationId: string, userId: string, limit: number) {
  const visible = visibleTo(organizationId, userId)
  return withCount(
    db,
    visible,
    sql<SpaceRow & Counted & { role: Role }>`
      ${visible}, picked as materialized (select s.* from visible s order by ${placeBelow(sql`s.parent`)} limit ${limit})
      select ${spaceColumns}, picked.role, ${countVisible}
      from picked join spaces s on s.organization_id = ${organizationId} and s.id = picked.id
      order by ${placeBelow(sql`picked.parent`)}`,
  )
}

/**
 * Defines `visible (id, position, role, parent)` for a statement: the spaces that a member may see, all of them or
 * those in a collection.
 */
const visibleTo = (organizationId: string, userId: string, collectionId?: string) =>
  sql`with recursive ${contentRoles(organizationId, userId)}, visible as materialized (
    select s.id, s.position, r.role, r.parent from spaces s join space_roles r on r.id = s.id
    where s.organization_id = ${organizationId} and s.deleted_at is null and r.role is not null
      ${collectionId === undefined ? nothing : sql`and s.collection_id = ${collectionId}`})`

export type SpaceOfMember = SpaceSeen & { permission: Role }

/** Lists the spaces that a member can open and that the viewer may see too, ordered by age. */
export async function listSpacesOf(
  db: Db,
  organizationId: string,
  userId: string,
  viewerId: string,
  order: 'asc' | 'desc',
  page: Page,
) {
  const [compare, direction] = order === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const after = page.after
    ? sql`where (s.created_at, s.id) ${compare} (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : nothing
  const visible = sql`with recursive ${contentRoles(organizationId, [userId, viewerId])}, both_roles as (
    select id, max(role) filter (where user_id = ${viewerId}) as role,
      bool_or(parent is not null) filter (where user_id = ${viewerId}) as sees_parent,
      max(role) filter (where user_id = ${userId}) as permission
    from space_roles group by id), visible as materialized (
      select s.id, s.created_at, r.role, r.sees_parent, r.permission from spaces s join both_roles r on r.id = s.id
      where s.organization_id = ${organizationId} and s.deleted_at is null and r.role is not null
        and r.permission is not null)`
  return withCount(
    db,
    visible,
    sql<SpaceOfMember & Counted>`
      ${visible}, picked as materialized (
        select s.* from visible s ${after} order by s.created_at ${direction}, s.id ${direction} limit ${page.limit + 1})
      select ${spaceColumns}, ${details}, picked.role, picked.permission,
        case when picked.sees_parent then s.collection_id end as seen_parent, ${countVisible}
      from picked join ${ofPicked(organizationId)} on s.id = picked.id
      order by s.created_at ${direction}, s.id ${direction}`,
  )
}

interface Counted {
  count: number
}

const countVisible = sql`(select count(*) from visible) as count`

/** Computes who may see what once for the rows and their count. A second query is needed only if there are no rows. */
async function withCount<Row extends Counted>(db: Db, visible: Statement, list: Statement<Row>) {
  const rows = await db.all(list.asSlow())
  const { count } = rows[0] ?? (await db.one(sql<Counted>`${visible} select ${countVisible}`.asSlow()))
  return { rows, count }
}

/** The sort order of these lists. */
const placeBelow = (parent: Statement) => sql`coalesce(${parent}, ${nilId}::uuid), s.position, s.id`

export const placeOf = (row: SpaceSeen) => [row.seen_parent ?? nilId, row.position, row.id]

function behind({ after }: Page): Statement {
  if (!after) return nothing
  return sql`where (${placeBelow(sql`s.parent`)}) > (${after[0]}::uuid, ${after[1]}::text collate "C", ${after[2]}::uuid)`
}

/** The merge rules that hold for a space `s` of an organization `o`: its own, or those of the organization. */
export const rulesInForce = sql`case s.merge_rules ->> 'type' when 'inherit' then o.merge_rules else s.merge_rules end`

/** Returns the merge rules of a space, or those of its organization if the space inherits them. */
export async function findMergeRules(
  db: Db,
  { organization_id, id }: Pick<SpaceRow, 'organization_id' | 'id'>,
): Promise<MergeRules> {
  const { rules } = await db.one(sql<{ rules: MergeRules }>`
    select ${rulesInForce} as rules
    from spaces s join organizations o on o.id = s.organization_id
    where s.organization_id = ${organization_id} and s.id = ${id}`)
  return rules
}

/** Locks a space until the transaction ends. Rows that refer to it can still be written. */
export async function lockSpace(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`select from spaces where id = ${id} for no key update`)
}

/** Prevents changes to a space until the transaction ends. Several transactions can do so at once. */
export async function keepSpace(tx: Transaction, organizationId: string, id: string): Promise<void> {
  await tx.run(sql`select from spaces where organization_id = ${organizationId} and id = ${id} for share`)
}

/** Lists which of the titles "Untitled", "Untitled 1"… are taken. */
export async function listUntitled(db: Db, organizationId: string, collectionId: string | null): Promise<string[]> {
  const rows = await db.all(sql<{ title: string }>`
    select title from spaces where organization_id = ${organizationId} and deleted_at is null
      and ${isIn(sql`collection_id`, collectionId)} and title ~ '^Untitled( [0-9]+)?$'`)
  return rows.map(({ title }) => title)
}

export type NewSpaceRow = Omit<SpaceRow, 'created_at' | 'updated_at' | 'deleted_at'>

/**
 * Also creates the counter of its change requests. Counters that are written more often are created when they first
 * count something.
 */
export async function insertSpace(tx: Transaction, row: NewSpaceRow): Promise<void> {
  const { organization_id: organizationId, id } = row
  await tx.run(sql`
    insert into spaces (organization_id, id, collection_id, title, emoji, icon, edit_mode, language, inherits, level,
      position, merge_rules, created_by)
    values (${organizationId}, ${id}, ${row.collection_id}, ${row.title}, ${row.emoji}, ${row.icon}, ${row.edit_mode},
      ${row.language}, ${row.inherits}, ${row.level}, ${row.position}, ${row.merge_rules}::jsonb, ${row.created_by})`)
  tx.runLater(sql`insert into space_counters (organization_id, space_id) values (${organizationId}, ${id})`)
}

export async function updateSpace(db: Db, row: SpaceRow): Promise<void> {
  await db.run(sql`
    update spaces set collection_id = ${row.collection_id}, title = ${row.title}, emoji = ${row.emoji},
      icon = ${row.icon}, edit_mode = ${row.edit_mode}, language = ${row.language}, inherits = ${row.inherits},
      level = ${row.level}, position = ${row.position}, merge_rules = ${row.merge_rules}::jsonb,
      deleted_at = ${row.deleted_at}, updated_at = now()
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/**
 * Uses the clock of the database, which also decides when the space is gone for good. The clock of this process may be
 * off by more than that.
 */
export async function putIntoTrash(db: Db, { organization_id, id }: SpaceRow): Promise<void> {
  await db.run(sql`
    update spaces set deleted_at = now(), updated_at = now() where organization_id = ${organization_id} and id = ${id}`)
}
