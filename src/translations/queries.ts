import { contentRoles } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { TranslationRow, TranslationVariantRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'

export type TranslationKey = Pick<TranslationRow, 'organization_id' | 'id'>

export type Variant = Pick<TranslationVariantRow, 'language' | 'space_id'>

/** A translation with all of its variants. */
export type Translation = TranslationRow & { variants: Variant[] }

const columns = sql`t.organization_id, t.id, t.title, t.source_id, t.source_language, t.created_at, t.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('language', v.language, 'space_id', v.space_id) order by v.language), '[]')
    from translation_variants v
    where v.organization_id = t.organization_id and v.translation_id = t.id) as variants`

export async function findTranslation(db: Db, organizationId: string, id: string): Promise<Translation | undefined> {
  return db.find(sql<Translation>`
    select ${columns} from translations t where t.organization_id = ${organizationId} and t.id = ${id}`)
}

/** Locks first and reads in a second statement, to see what the previous holder of the lock has written. */
export async function lockTranslation(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<Translation | undefined> {
  const [, translation] = await Promise.all([
    tx.run(sql`select from translations where organization_id = ${organizationId} and id = ${id} for update`),
    findTranslation(tx, organizationId, id),
  ])
  return translation
}

/** Ordered by age, the oldest first. */
export async function listTranslations(db: Db, organizationId: string, page: Page) {
  const matching = sql`from translations t where t.organization_id = ${organizationId}`
  const after = behind(page, sql`t.created_at, t.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<Translation>`
        select ${columns} ${matching} ${after} order by t.created_at, t.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

/** Which spaces of some translations a user sees, and which of them they would see if they were not in the trash. */
export interface VisibleSpaces {
  shown: ReadonlySet<string>
  trashed: ReadonlySet<string>
}

export async function listVisibleSpaces(
  db: Db,
  organizationId: string,
  userId: string,
  translations: readonly Translation[],
): Promise<VisibleSpaces> {
  const ids = translations.flatMap(({ source_id, variants }) => [
    ...(source_id === null ? [] : [source_id]),
    ...variants.map(({ space_id }) => space_id),
  ])
  if (ids.length === 0) return { shown: new Set(), trashed: new Set() }
  const rows = await db.all(
    sql<{ id: string; in_trash: boolean }>`
    with recursive ${contentRoles(organizationId, userId)}
    select s.id, s.deleted_at is not null as in_trash from space_roles r join spaces s on s.organization_id = ${organizationId} and s.id = r.id
    where r.role is not null and s.id = any (${ids}::uuid[])`.asSlow(),
  )
  const those = (inTrash: boolean) => new Set(rows.flatMap(({ id, in_trash }) => (in_trash === inTrash ? id : [])))
  return { shown: those(false), trashed: those(true) }
}

export async function insertTranslation(
  tx: Transaction,
  row: Pick<TranslationRow, 'organization_id' | 'id' | 'title' | 'source_id' | 'source_language'>,
): Promise<void> {
  await tx.run(sql`
    insert into translations (organization_id, id, title, source_id, source_language)
    values (${row.organization_id}, ${row.id}, ${row.title}, ${row.source_id}, ${row.source_language})`)
}

export async function updateTranslation(tx: Transaction, row: TranslationRow): Promise<void> {
  await tx.run(sql`
    update translations set title = ${row.title}, source_id = ${row.source_id},
      source_language = ${row.source_language}, updated_at = now()
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** Replaces all variants: those that are not listed are removed. */
export async function replaceVariants(
  tx: Transaction,
  { organization_id, id }: TranslationKey,
  variants: readonly Variant[],
): Promise<void> {
  await tx.run(sql`
    delete from translation_variants where organization_id = ${organization_id} and translation_id = ${id}`)
  await tx.run(sql`
    insert into translation_variants (organization_id, translation_id, language, space_id)
    select ${organization_id}, ${id}, v.language, v.space_id
    from unnest(${variants.map(({ language }) => language)}::text[], ${variants.map(({ space_id }) => space_id)}::uuid[])
      v (language, space_id)`)
}

/** Returns which of these spaces are a variant in another translation. */
export async function listTakenSpaces(
  tx: Transaction,
  { organization_id, id }: TranslationKey,
  spaceIds: string[],
): Promise<Set<string>> {
  const rows = await tx.all(sql<{ space_id: string }>`
    select space_id from translation_variants
    where organization_id = ${organization_id} and space_id = any (${spaceIds}::uuid[]) and translation_id <> ${id}`)
  return new Set(rows.map(({ space_id }) => space_id))
}

export async function deleteTranslation(tx: Transaction, { organization_id, id }: TranslationKey): Promise<void> {
  await tx.run(sql`delete from translations where organization_id = ${organization_id} and id = ${id}`)
}

/**
 * Finds a translation that contains one of these spaces. Its title is included only for users who may see it, which
 * guests may not.
 */
export async function findTranslationWith(
  db: Db,
  organizationId: string,
  spaceIds: string[],
  userId: string,
): Promise<{ title: string | null } | undefined> {
  return db.find(
    sql<{ title: string | null }>`
    select case when exists (select from members m where m.organization_id = t.organization_id
      and m.user_id = ${userId} and m.role is not null) then t.title end as title
    from translations t
    where t.organization_id = ${organizationId} and (t.source_id = any (${spaceIds}::uuid[])
      or exists (select from translation_variants v where v.organization_id = t.organization_id
        and v.translation_id = t.id and v.space_id = any (${spaceIds}::uuid[])))
    order by t.created_at, t.id limit 1`.asSlow(),
  )
}
