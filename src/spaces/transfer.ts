import type { Caller } from '../access/caller.ts'
import { type Level, findLevelIn } from '../access/levels.ts'
import { type Role, reaches } from '../access/roles.ts'
import { roleOnSite } from '../access/site-roles.ts'
import { tokenOpens } from '../access/token-opens.ts'
import { recordChange } from '../changes/record.ts'
import { lastPosition } from '../collections/tree.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, join, sql } from '../db/sql.ts'
import type { CollectionRow, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { deleteForeignGrants, insertMissingGrant } from '../grants/queries.ts'
import { ApiError, conflict, invalid, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { endWatching } from '../mail/watching.ts'
import { welcomeLinks } from '../links/lifecycle.queries.ts'
import { indexAgain } from '../search/indexing/progress.queries.ts'
import type { BlobStore } from '../storage/store.ts'
import { copyBlobs } from './blobs.ts'
import { copyBodies, listUsed, sweepBodies } from './bodies.queries.ts'
import { findTranslationWith } from '../translations/queries.ts'
import { usersIn, withoutUsers } from './merge-rules.ts'
import { takeOutOfCollection } from './trash.queries.ts'

const maxMs = 120_000

/** Checks that the caller may transfer something to this organization: they must be allowed to create content there. */
export async function accessTarget(db: Db, caller: Caller, to: string): Promise<void> {
  if (!isId(to)) throw invalid('body.organization', 'format', 'must be the id of an organization')
  const found = await db.find(sql<{ role: Role | null }>`
    select m.role from members m where m.organization_id = ${to} and m.user_id = ${caller.user.id} and not m.disabled
      and ${tokenOpens(sql`m`, caller.token.id)}`)
  if (!found) throw notFound('organization')
  if (!reaches(found.role, 'create')) {
    throw new ApiError('precondition_failed', 'You may not create content in the target organization.')
  }
}

/** What is transferred: one space, or a collection with everything in it. */
export interface Cargo {
  from: string
  to: string
  thing: { type: 'space'; row: SpaceRow } | { type: 'collection'; row: CollectionRow }
  spaceIds: string[]
  collectionIds: string[]
  /** The user who transfers it, and their role on it, which they keep. */
  by: { userId: string; role: Role }
}

/**
 * Moves content to the top level of another organization. Every row of it contains its organization, so every row is
 * rewritten, in one transaction. Until the commit, readers see the content in the old place, and writers wait. Requires
 * both trees to be locked.
 */
export async function transfer(tx: Transaction, store: BlobStore, whole: Cargo): Promise<void> {
  const { from, to, thing } = whole
  if (from === to) throw conflict('It is already in this organization.')
  await tx.allow(maxMs)
  await lockLines(tx, from, whole.spaceIds)
  const cargo = await leaveAwaited(tx, whole)
  const { spaceIds } = cargo
  await refuseInSites(tx, cargo)
  await refuseInTranslations(tx, cargo)

  const used = await listUsed(tx, from, spaceIds)
  await copyBodies(tx, from, to, used.docs)
  await copyBlobs(tx, store, cargo, used.blobs)
  const up = thing.type === 'space' ? thing.row.collection_id : thing.row.parent_id
  const level = thing.row.inherits ? await findLevelIn(tx, from, up) : thing.row
  const position = await lastPosition(tx, { organizationId: to, id: null }, thing.row.id)
  const things = [...spaceIds, ...cargo.collectionIds]
  await deleteForeignGrants(tx, from, to, things)
  await dropForeignReviewers(tx, cargo)
  await endWatching(tx, cargo.from, cargo.spaceIds)
  await rewrite(tx, cargo)
  await welcomeLinks(tx, to, spaceIds)
  await indexAgain(tx, to, spaceIds)
  await putToTheTop(tx, cargo, level, position)
  await insertMissingGrant(tx, { organizationId: to, type: thing.type, id: thing.row.id }, cargo.by)

  await sweepBodies(tx, from, used.docs)
  await recordTransfer(tx, cargo)
}

/**
 * Records the transfer in both organizations, for every space that is visible. Spaces in the trash are recorded when
 * they are restored.
 */
async function recordTransfer(tx: Transaction, { from, to, thing, spaceIds }: Cargo): Promise<void> {
  const seen = await tx.all(
    sql<{ id: string }>`
    select id from spaces where organization_id = ${to} and id = any (${spaceIds}::uuid[]) and deleted_at is null`.asSlow(),
  )
  const spaces = seen.map(({ id }) => ({ type: 'space' as const, id }))
  const targets = thing.type === 'space' ? spaces : [{ type: thing.type, id: thing.row.id }, ...spaces]
  for (const [organizationId, way] of [
    [from, 'out'],
    [to, 'in'],
  ] as const) {
    for (const target of targets) {
      recordChange(tx, { organizationId, target, action: `${target.type}.transferred`, details: { way } })
    }
  }
}

/**
 * A deleted space keeps its place in a site or a translation, where nobody sees it or could remove it. Such a space
 * stays in the old organization, and is in that place again if it is restored.
 */
async function leaveAwaited(tx: Transaction, cargo: Cargo): Promise<Cargo> {
  const { from, spaceIds } = cargo
  const awaited = await tx.all(
    sql<{ id: string; collection_id: string }>`
    select s.id, s.collection_id from spaces s
    where s.organization_id = ${from} and s.id = any (${spaceIds}::uuid[]) and s.deleted_at is not null and (
      exists (select from site_spaces x where x.organization_id = ${from} and x.space_id = s.id)
      or exists (select from translations t where t.organization_id = ${from} and t.source_id = s.id)
      or exists (select from translation_variants v where v.organization_id = ${from} and v.space_id = s.id))`.asSlow(),
  )
  for (const [id, spaces] of Map.groupBy(awaited, ({ collection_id }) => collection_id)) {
    const ids = spaces.map((space) => space.id)
    await takeOutOfCollection(tx, { organization_id: from, id }, await findLevelIn(tx, from, id), ids)
  }
  const staying = new Set(awaited.map(({ id }) => id))
  return { ...cargo, spaceIds: spaceIds.filter((id) => !staying.has(id)) }
}

/** A site shows only spaces of its own organization. A site that the caller may not see is not named in the error. */
async function refuseInSites(tx: Transaction, { from, spaceIds, by }: Cargo): Promise<void> {
  const site = await tx.find(
    sql<{ title: string | null }>`
    select case when (${roleOnSite(sql`s`, by.userId, sql`m.role`)}) is not null then s.title end as title
    from sites s join members m on m.organization_id = s.organization_id and m.user_id = ${by.userId}
    where s.organization_id = ${from} and s.id in (select site_id from site_spaces
      where organization_id = ${from} and space_id = any (${spaceIds}::uuid[])) order by 1 limit 1`.asSlow(),
  )
  if (!site) return
  const name = site.title === null ? 'a site' : `the site ${JSON.stringify(site.title)}`
  throw conflict(`It is part of ${name}. Remove it from there first.`)
}

/** The same check for translations. */
async function refuseInTranslations(tx: Transaction, { from, spaceIds, by }: Cargo): Promise<void> {
  const translation = await findTranslationWith(tx, from, spaceIds, by.userId)
  if (!translation) return
  const name = translation.title === null ? 'a translation' : `the translation ${JSON.stringify(translation.title)}`
  throw conflict(`It is part of ${name}. Remove it from there first.`)
}

/** Locks branches, then main lines: the order in which every writer locks them. */
async function lockLines(tx: Transaction, organizationId: string, spaceIds: string[]): Promise<void> {
  await tx.run(
    sql`select from lines where organization_id = ${organizationId} and space_id = any (${spaceIds}::uuid[])
      order by main_id is null, id for update`.asSlow(),
  )
}

/**
 * Removes people who are not members of the new organization from merge rules. Rules that wait for them would wait
 * forever.
 */
async function dropForeignReviewers(tx: Transaction, { from, to, spaceIds }: Cargo): Promise<void> {
  const spaces = await tx.all(
    sql<Pick<SpaceRow, 'id' | 'merge_rules'>>`
    select id, merge_rules from spaces where organization_id = ${from} and id = any (${spaceIds}::uuid[])
      and merge_rules ->> 'type' = 'rules'`.asSlow(),
  )
  for (const { id, merge_rules } of spaces) {
    const named = usersIn(merge_rules)
    const members = await tx.all(sql<{ user_id: string }>`
      select user_id from members where organization_id = ${to} and user_id = any (${named}::uuid[])`)
    const staying = new Set(members.map(({ user_id }) => user_id))
    const leaving = new Set(named.filter((userId) => !staying.has(userId)))
    if (leaving.size === 0) continue
    await tx.run(sql`
      update spaces set merge_rules = ${withoutUsers(merge_rules, leaving)}::jsonb
      where organization_id = ${from} and id = ${id}`)
  }
}

/** Every table with rows of a space, by the column that refers to it. A test compares this with the database. */
export const tablesOfSpace = {
  space_id: [
    'lines',
    'change_requests',
    'space_counters',
    'counter_slots',
    'member_grants',
    'team_grants',
    'link_backlog',
    'comments',
    'comment_reactions',
    'commenters',
    'former_paths',
    'search_sections',
    'search_spaces',
    'git_syncs',
    'git_files',
    'git_operations',
    'git_following',
    'import_runs',
    'export_runs',
    'search_generated',
  ],
  line_id: ['revisions', 'entries', 'heads', 'conflicts', 'links'],
  change_request_id: ['contributors', 'reviews', 'requested_reviewers', 'request_counter_slots'],
} as const

/** Rewrites all rows in a single statement, because the references between them are checked only at its end. */
async function rewrite(tx: Transaction, { from, to, spaceIds, collectionIds }: Cargo): Promise<void> {
  const ofSpaces = sql`= any (${spaceIds}::uuid[])`
  const owned = { lines: sql`space_lines`, change_requests: sql`space_requests` }
  const rows = {
    space_id: sql`space_id ${ofSpaces}`,
    line_id: sql`line_id in (select id from ${owned.lines})`,
    change_request_id: sql`change_request_id in (select id from ${owned.change_requests})`,
  }
  const updates = (Object.keys(rows) as (keyof typeof rows)[]).flatMap((column) =>
    tablesOfSpace[column].map((table) => [names[table], rows[column]] as const),
  )
  const moves: Statement[] = [
    ...updates.map(
      ([table, which]) => sql`moved_${table} as (
      update ${table} set organization_id = ${to} where organization_id = ${from} and ${which})`,
    ),
    sql`moved_collection_grants as (
      update member_grants set organization_id = ${to}
      where organization_id = ${from} and collection_id = any (${collectionIds}::uuid[]))`,
    sql`moved_collections as (
      update collections set organization_id = ${to}, parent_id = case when parent_id = any (${collectionIds}::uuid[]) then parent_id end
      where organization_id = ${from} and id = any (${collectionIds}::uuid[]))`,
  ]
  await tx.run(
    sql`
    with space_lines as (select id from lines where organization_id = ${from} and space_id ${ofSpaces}),
    space_requests as (select id from change_requests where organization_id = ${from} and space_id ${ofSpaces}),
    ${join(moves, sql`, `)}
    update spaces set organization_id = ${to}, updated_at = now(),
      collection_id = case when collection_id = any (${collectionIds}::uuid[]) then collection_id end
    where organization_id = ${from} and id ${ofSpaces}`.asSlow(),
  )
}

type Table = (typeof tablesOfSpace)[keyof typeof tablesOfSpace][number]

const names: Record<Table, Statement> = {
  lines: sql`lines`,
  change_requests: sql`change_requests`,
  space_counters: sql`space_counters`,
  counter_slots: sql`counter_slots`,
  member_grants: sql`member_grants`,
  team_grants: sql`team_grants`,
  former_paths: sql`former_paths`,
  revisions: sql`revisions`,
  entries: sql`entries`,
  heads: sql`heads`,
  links: sql`links`,
  link_backlog: sql`link_backlog`,
  conflicts: sql`conflicts`,
  contributors: sql`contributors`,
  reviews: sql`reviews`,
  requested_reviewers: sql`requested_reviewers`,
  request_counter_slots: sql`request_counter_slots`,
  comments: sql`comments`,
  comment_reactions: sql`comment_reactions`,
  commenters: sql`commenters`,
  search_sections: sql`search_sections`,
  search_spaces: sql`search_spaces`,
  git_syncs: sql`git_syncs`,
  git_files: sql`git_files`,
  git_operations: sql`git_operations`,
  git_following: sql`git_following`,
  import_runs: sql`import_runs`,
  export_runs: sql`export_runs`,
  search_generated: sql`search_generated`,
}

async function putToTheTop(tx: Transaction, { to, thing }: Cargo, level: Level, position: string): Promise<void> {
  const table = thing.type === 'space' ? sql`spaces` : sql`collections`
  await tx.run(sql`
    update ${table} set inherits = ${level.inherits}, level = ${level.level}, position = ${position}
    where organization_id = ${to} and id = ${thing.row.id}`)
}
