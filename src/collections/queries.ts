import { collectionColumns, contentRoles, parentSeenBy } from '../access/content.ts'
import { collectionAround, shownLevel } from '../access/levels.ts'
import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { CollectionRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Page } from '../http/paging.ts'
import { nilId } from '../ids.ts'
import { isIn } from './tree.ts'

/** What is shown of a collection beside its own row: its level, and its parent if the viewer may see that. */
export interface CollectionDetails {
  default_level: Role | null
  seen_parent: string | null
}

/** A collection as a user sees it, with their role there: null if they have just removed their own access. */
export type CollectionSeen = CollectionRow & CollectionDetails & { role: Role | null }

const level = shownLevel(sql`c`, sql`c.parent_id`)

const detailsFor = (userId: string) =>
  sql`${level} as default_level, ${parentSeenBy(userId, sql`c.organization_id`, sql`c.parent_id`)} as seen_parent`

export async function findDetails(
  db: Db,
  { organization_id, id }: CollectionRow,
  userId: string,
): Promise<CollectionDetails> {
  return db.one(sql<CollectionDetails>`
    select ${detailsFor(userId)} from collections c where c.organization_id = ${organization_id} and c.id = ${id}`)
}

/** Returns these collections with everything shown about them to this member, who may see them. */
export async function listCollectionsById(db: Db, organizationId: string, userId: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, Omit<CollectionSeen, 'role'>>()
  const rows = await db.all(sql<Omit<CollectionSeen, 'role'>>`
    select ${collectionColumns}, ${detailsFor(userId)} from collections c
    where c.organization_id = ${organizationId} and c.id = any (${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Lists the collections that this member may see: those at the top first, then those in each collection, in the order
 * people gave them. A collection inside one that the member may not see is at the top for them.
 */
export async function listCollections(db: Db, organizationId: string, userId: string, nested: boolean, page: Page) {
  const roles = sql`with recursive ${contentRoles(organizationId, userId)}`
  const visible = sql`from collections c join collection_roles r on r.id = c.id
    where c.organization_id = ${organizationId} and r.role is not null ${nested ? nothing : sql`and r.parent is null`}`
  const after = page.after
    ? sql`and (${place}) > (${page.after[0]}::uuid, ${page.after[1]}::text collate "C", ${page.after[2]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<CollectionSeen>`
        ${roles} select ${collectionColumns}, r.role, r.parent as seen_parent, ${level} as default_level
        ${visible} ${after} order by ${place} limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${roles} select count(*) ${visible}`.asSlow()),
  ])
  return { rows, count }
}

/** What the list is ordered by. */
const place = sql`coalesce(r.parent, ${nilId}::uuid), c.position, c.id`

export const placeOf = (row: CollectionSeen) => [row.seen_parent ?? nilId, row.position, row.id]

/** A space or a collection in the tree of an organization, as a member sees it: only what a list shows. */
export interface TreeRow {
  type: 'space' | 'collection'
  id: string
  title: string
  /** Only for spaces. */
  emoji: string | null
  /** The parent collection, if the member may see it. */
  parent: string | null
  /**
   * Whether it is at the top only for this member: it is in a collection that they may not see, and its position is
   * relative to that collection.
   */
  isLifted: boolean
  position: string
  role: Role
}

/** Lists what this member may see of the tree, collections first: at most `most` rows, and the total count. */
export async function listTree(db: Db, organizationId: string, userId: string, most: number) {
  const rows = await db.all(
    sql<TreeRow & { count: number }>`
    with recursive ${contentRoles(organizationId, userId)}
    select *, count(*) over () as count from (
      select 'collection' as type, c.id, c.title, null as emoji, r.parent,
        c.parent_id is distinct from r.parent as "isLifted", c.position, r.role
      from collections c join collection_roles r on r.id = c.id
      where c.organization_id = ${organizationId} and r.role is not null
      union all
      select 'space', s.id, s.title, s.emoji, r.parent, s.collection_id is distinct from r.parent, s.position, r.role
      from spaces s join space_roles r on r.id = s.id
      where s.organization_id = ${organizationId} and s.deleted_at is null and r.role is not null) seen
    order by type, position, id limit ${most}`.asSlow(),
  )
  return { rows, count: rows[0]?.count ?? 0 }
}

/** Locks the collection until the transaction ends, so that nothing is put into it meanwhile. */
export async function lockCollection(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`select from collections where id = ${id} for update`)
}

/** Lists which of the names "Untitled", "Untitled 1"… are taken. */
export async function listUntitled(db: Db, organizationId: string, parentId: string | null): Promise<string[]> {
  const rows = await db.all(sql<{ title: string }>`
    select title from collections where organization_id = ${organizationId}
      and ${isIn(sql`parent_id`, parentId)} and title ~ '^Untitled( [0-9]+)?$'`)
  return rows.map(({ title }) => title)
}

export async function insertCollection(
  db: Db,
  row: { organizationId: string; id: string; parentId: string | null; title: string; position: string },
): Promise<void> {
  await db.run(sql`
    insert into collections (organization_id, id, parent_id, title, position)
    values (${row.organizationId}, ${row.id}, ${row.parentId}, ${row.title}, ${row.position})`)
}

export async function updateCollection(db: Db, row: CollectionRow): Promise<void> {
  await db.run(sql`
    update collections set parent_id = ${row.parent_id}, title = ${row.title}, description = ${row.description},
      inherits = ${row.inherits}, level = ${row.level}, position = ${row.position}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export async function deleteCollection(db: Db, { organization_id, id }: CollectionRow): Promise<void> {
  await db.run(sql`delete from collections where organization_id = ${organization_id} and id = ${id}`)
}

/** Whether nothing is in it; spaces in the trash do not count. */
export async function isEmpty(db: Db, { organization_id, id }: CollectionRow): Promise<boolean> {
  const { empty } = await db.one(sql<{ empty: boolean }>`
    select not exists (select from collections where organization_id = ${organization_id} and parent_id = ${id})
      and not exists (select from spaces
        where organization_id = ${organization_id} and collection_id = ${id} and deleted_at is null) as empty`)
  return empty
}

/** Whether `other` is this collection or is somewhere in it. */
export async function isWithin(db: Db, { organization_id, id }: CollectionRow, other: string): Promise<boolean> {
  const { within } = await db.one(sql<{ within: boolean }>`
    with recursive up (id, parent_id) as (
      select id, parent_id from collections where organization_id = ${organization_id} and id = ${other}
      union
      select c.id, c.parent_id from up
      cross join lateral ${collectionAround(sql`${organization_id}`, sql`up.parent_id`)} c)
    select exists (select from up where id = ${id}) as within`)
  return within
}

/** Lists everything in a collection at any depth, including itself, with the role of this member on each. */
export async function listWithin(db: Db, { organization_id, id }: CollectionRow, userId: string) {
  return db.all(
    sql<{ type: 'space' | 'collection'; id: string; role: Role | null }>`
    with recursive ${contentRoles(organization_id, userId)},
    within (id) as (
      select ${id}::uuid
      union
      select c.id from within join collections c on c.organization_id = ${organization_id} and c.parent_id = within.id)
    select 'collection' as type, within.id, r.role from within join collection_roles r on r.id = within.id
    union all
    select 'space', s.id, r.role from within
    join spaces s on s.organization_id = ${organization_id} and s.collection_id = within.id
    join space_roles r on r.id = s.id`.asSlow(),
  )
}
