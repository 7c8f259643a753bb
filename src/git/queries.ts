import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { GitFileRow, GitPush, GitSyncRow, MergeRules, SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Status } from '../change-requests/queries.ts'
import { type Entry, file, listAll, page, reusable, variable } from '../revisions/entries.ts'
import type { Line } from '../revisions/lines.ts'
import { type Revision, type RevisionRow, asRevision } from '../revisions/revision.ts'
import { rulesInForce } from '../spaces/queries.ts'

/** What is shown to people about a repository. */
export type RemoteInfo = Pick<GitSyncRow, 'url' | 'ref' | 'project_directory'> &
  Partial<Pick<GitSyncRow, 'tree_url' | 'commit_url' | 'provider'>>

/** What is known of the repository of a space. */
export type GitSync = GitSyncRow & {
  /** The state of the change request that waits, if there is one. */
  request_status: Status | null
  request_head: string | null
  request_number: number | null
}

const columns = sql`g.organization_id, g.space_id, g.url, g.ref, g.project_directory, g.tree_url, g.commit_url, g.provider,
  g.merged_line, g.merged_seq, g.merged_oid, g.seen_line, g.seen_seq, g.seen_oid, g.change_request_id,
  g.change_request_head, g.pushed, g.updated_at, r.status as request_status, r.number as request_number, l.head_id as request_head`

const joined = sql`git_syncs g
  left join change_requests r on r.organization_id = g.organization_id and r.id = g.change_request_id
  left join lines l on l.organization_id = r.organization_id and l.id = r.line_id`

export async function findGitSync(db: Db, organizationId: string, spaceId: string): Promise<GitSync | undefined> {
  return db.find(sql<GitSync>`
    select ${columns} from ${joined} where g.organization_id = ${organizationId} and g.space_id = ${spaceId}`)
}

/** The URL at which the files of a space can be viewed, if there is one. */
export async function findTreeUrl(db: Db, organizationId: string, spaceId: string): Promise<string | undefined> {
  const found = await db.find(sql<{ tree_url: string }>`
    select tree_url from git_syncs
    where organization_id = ${organizationId} and space_id = ${spaceId} and tree_url is not null`)
  return found?.tree_url
}

/**
 * The row stays locked until the transaction ends. Everything that reads or writes the repository of the space takes
 * this lock.
 */
export async function lockGitSync(tx: Transaction, organizationId: string, spaceId: string): Promise<GitSync> {
  await tx.run(sql`
    insert into git_syncs (organization_id, space_id) values (${organizationId}, ${spaceId}) on conflict do nothing`)
  return tx.one(sql<GitSync>`
    select ${columns} from ${joined} where g.organization_id = ${organizationId} and g.space_id = ${spaceId}
    for update of g`)
}

/** Called before a push: if its outcome gets lost, the commit is recognized by its id. */
export async function notePush(db: Db, organizationId: string, spaceId: string, pushed: GitPush): Promise<void> {
  await db.run(sql`
    insert into git_syncs (organization_id, space_id, pushed) values (${organizationId}, ${spaceId}, ${pushed}::jsonb)
    on conflict (organization_id, space_id) do update set pushed = excluded.pushed`)
}

export async function forgetPush(db: Db, organizationId: string, spaceId: string): Promise<void> {
  await db.run(sql`
    update git_syncs set pushed = null where organization_id = ${organizationId} and space_id = ${spaceId}`)
}

/** Clears `pushed`: a commit that was on its way no longer counts. */
export async function updateGitSync(db: Db, row: GitSyncRow): Promise<void> {
  await db.run(sql`
    update git_syncs set url = ${row.url}, ref = ${row.ref}, project_directory = ${row.project_directory},
      tree_url = ${row.tree_url}, commit_url = ${row.commit_url}, provider = ${row.provider},
      merged_line = ${row.merged_line}, merged_seq = ${row.merged_seq}, merged_oid = ${row.merged_oid},
      seen_line = ${row.seen_line}, seen_seq = ${row.seen_seq}, seen_oid = ${row.seen_oid},
      change_request_id = ${row.change_request_id}, change_request_head = ${row.change_request_head}, pushed = null,
      updated_at = now()
    where organization_id = ${row.organization_id} and space_id = ${row.space_id}`)
}

/** Returns whether there was one. What came from a folder of this machine stays: it is not shown to anybody. */
export async function deleteGitSync(tx: Transaction, organizationId: string, spaceId: string): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from git_syncs where organization_id = ${organizationId} and space_id = ${spaceId} and url is not null`)
  return deleted > 0
}

/** A revision by its number on a line. */
export async function findRevisionAt(db: Db, organizationId: string, lineId: string, seq: number): Promise<Revision> {
  return asRevision(
    await db.one(sql<RevisionRow>`
      select r.organization_id, r.line_id, r.seq, r.id, r.base_seq, l.main_id
      from revisions r join lines l on l.organization_id = r.organization_id and l.id = r.line_id
      where r.organization_id = ${organizationId} and r.line_id = ${lineId} and r.seq = ${seq}`),
  )
}

/** All entries of a revision. */
export async function listContent(db: Db, at: Revision): Promise<Entry[]> {
  const kinds = await Promise.all(([page, file, reusable, variable] as const).map((kind) => listAll(db, at, kind)))
  return kinds.flat()
}

/**
 * Returns which of these object ids a page or file of the main content had at any time. The history keeps all of them.
 */
export async function listOidsOfHistory(db: Db, main: Pick<Line, 'organizationId' | 'id'>, oids: readonly string[]) {
  const rows = await db.all(sql<{ oid: string }>`
    select distinct data -> 'git' ->> 'oid' as oid from entries
    where organization_id = ${main.organizationId} and line_id = ${main.id}
      and data -> 'git' ->> 'oid' = any (${[...oids]}::text[])`)
  return new Set(rows.map(({ oid }) => oid))
}

export interface SpaceToSync {
  space: Pick<SpaceRow, 'organization_id' | 'id' | 'title' | 'edit_mode'>
  /** The rules of the space, or else those of its organization. */
  rules: MergeRules
}

/** Returns the space, unless it is in the trash. */
export async function findSpaceToSync(
  db: Db,
  organizationId: string,
  spaceId: string,
): Promise<SpaceToSync | undefined> {
  const found = await db.find(sql<SpaceToSync['space'] & { rules: MergeRules }>`
    select s.organization_id, s.id, s.title, s.edit_mode,
      ${rulesInForce} as rules
    from spaces s join organizations o on o.id = s.organization_id
    where s.organization_id = ${organizationId} and s.id = ${spaceId} and s.deleted_at is null`)
  if (!found) return undefined
  const { rules, ...space } = found
  return { space, rules }
}

/** A file of the repository that is not content, or not valid text. */
export type KeptFile = Omit<GitFileRow, 'organization_id' | 'space_id'>

export async function listGitFiles(db: Db, organizationId: string, spaceId: string): Promise<GitFileRow[]> {
  return db.all(
    sql<GitFileRow>`
    select organization_id, space_id, path, oid, blob, executable, of_content from git_files
    where organization_id = ${organizationId} and space_id = ${spaceId} order by path`.asSlow(),
  )
}

/** Replaces all kept files with these. */
export async function replaceGitFiles(
  tx: Transaction,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  rows: readonly KeptFile[],
): Promise<void> {
  await tx.run(sql`
    delete from git_files where organization_id = ${organizationId} and space_id = ${spaceId}
      and path <> all (${rows.map(({ path }) => path)}::text[])`)
  await tx.run(sql`
    insert into git_files (organization_id, space_id, path, oid, blob, executable, of_content)
    select ${organizationId}, ${spaceId}, r.* from unnest(${rows.map(({ path }) => path)}::text[],
      ${rows.map(({ oid }) => oid)}::text[], ${rows.map(({ blob }) => blob)}::text[],
      ${rows.map(({ executable }) => executable)}::boolean[], ${rows.map(({ of_content }) => of_content)}::boolean[]) r
    on conflict (organization_id, space_id, path) do update set oid = excluded.oid, blob = excluded.blob,
      executable = excluded.executable, of_content = excluded.of_content`)
}

/**
 * The paths of files in the repository whose bytes are not kept here. Loaded separately, because there can be very many
 * and few callers need them.
 */
export async function listUnkept(db: Db, organizationId: string, spaceId: string): Promise<string[]> {
  const found = await db.find(
    sql<{ unkept: string[] }>`
    select unkept from git_syncs where organization_id = ${organizationId} and space_id = ${spaceId}`.asSlow(),
  )
  return found?.unkept ?? []
}

/** The row must be locked. */
export async function setUnkept(tx: Transaction, sync: GitSync, paths: readonly string[]): Promise<void> {
  await tx.run(sql`
    update git_syncs g set unkept = n.paths from (select ${paths}::text[] as paths) n
    where g.organization_id = ${sync.organization_id} and g.space_id = ${sync.space_id} and g.unkept <> n.paths`)
}
