import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { nilId } from '../../ids.ts'
import { languages } from '../../spaces/languages.ts'
import type { Place, Where } from './place.ts'
import { lexiconOf } from '../words/lexicon.ts'

/** Increased when rows are made in another way. All spaces are then indexed again. */
const method = 11

/** What rows are made with. Dictionaries come with the database, and may change with its version. */
const version = sql`${method}::text || '/' || current_setting('server_version_num')::int / 10000`

/** Marks a new space as indexed, since it has nothing to be indexed later. */
export function insertIndexed(tx: Transaction, { organizationId, spaceId, lexicon }: Place): void {
  tx.runLater(sql`
    insert into search_spaces (organization_id, space_id, lexicon, version)
    values (${organizationId}, ${spaceId}, ${lexicon.name}, ${version})`)
}

/**
 * Returns all dictionaries that rows of these spaces are made with. With other dictionaries, a query would find more or
 * less depending on what the caller may not read.
 */
export async function listLexicons(
  db: Db,
  { organizationId, spaceIds }: { organizationId: string; spaceIds: readonly string[] },
): Promise<string[]> {
  const rows = await db.all(sql<{ lexicon: string }>`
    select distinct unnest(array_append(former, lexicon)) as lexicon from search_spaces
    where organization_id = ${organizationId} and space_id = any (${spaceIds}::uuid[])`)
  return rows.map(({ lexicon }) => lexicon)
}

/** A space that is not indexed, not completely, or not in the current way. */
export interface Behind {
  organization_id: string
  space_id: string
  language: string | null
}

const lexicons = languages.map((language) => lexiconOf(language).name)

const behind = sql`select s.organization_id, s.id as space_id, s.language from spaces s
  left join unnest(${[...languages]}::text[], ${lexicons}::text[]) l (language, lexicon) on l.language = s.language
  left join search_spaces x on x.organization_id = s.organization_id and x.space_id = s.id
  where (x.space_id is null or x.done_to is not null or x.version <> ${version}
    or x.lexicon <> coalesce(l.lexicon, ${lexiconOf(null).name}))`

export async function listBehind(db: Db, limit: number): Promise<Behind[]> {
  return db.all(sql<Behind>`${behind} order by s.id limit ${limit}`.asSlow())
}

/** The same for one space, whose main line must be locked. */
export async function findBehind(tx: Transaction, { organization_id, space_id }: Behind): Promise<Behind | undefined> {
  return tx.find(sql<Behind>`${behind} and s.organization_id = ${organization_id} and s.id = ${space_id}`)
}

/**
 * Begins to index a space, or continues where the last run ended. Returns the page up to which it is done. After a
 * change of language, it begins from the start, and remembers the dictionaries that rows may be made with until all is
 * done.
 */
export async function beginIndexing(tx: Transaction, place: Place): Promise<string> {
  const { organizationId, spaceId, lexicon } = place
  const { done_to } = await tx.one(sql<{ done_to: string }>`
    insert into search_spaces as x (organization_id, space_id, lexicon, version, done_to)
    values (${organizationId}, ${spaceId}, ${lexicon.name}, ${version}, ${nilId})
    on conflict (organization_id, space_id) do update set lexicon = excluded.lexicon, version = excluded.version,
      former = case when x.lexicon = excluded.lexicon then x.former else array_append(x.former, x.lexicon) end,
      done_to = case when x.lexicon = excluded.lexicon and x.version = excluded.version and x.done_to is not null
        then x.done_to else excluded.done_to end
    returning done_to`)
  return done_to
}

/** Returns the page up to which a space was indexed when the last run stopped. */
export async function findDone(db: Db, { organizationId, spaceId }: Where): Promise<string | null | undefined> {
  const found = await db.find(sql<{ done_to: string | null }>`
    select done_to from search_spaces where organization_id = ${organizationId} and space_id = ${spaceId}`)
  return found?.done_to
}

/** Pass null for `doneTo` if everything is indexed. */
export async function setDone(tx: Transaction, place: Place, doneTo: string | null): Promise<void> {
  await tx.run(sql`
    update search_spaces set done_to = ${doneTo}, former = case when ${doneTo}::uuid is null then '{}' else former end
    where organization_id = ${place.organizationId} and space_id = ${place.spaceId}`)
}

/**
 * The spaces came from another organization: their rows can still be found, and their words are new to this
 * organization.
 */
export async function indexAgain(tx: Transaction, organizationId: string, spaceIds: string[]): Promise<void> {
  await tx.run(sql`
    update search_spaces set done_to = ${nilId}
    where organization_id = ${organizationId} and space_id = any (${spaceIds}::uuid[])`)
}
