import { recordChange } from '../changes/record.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { AnId, Nullable } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { type Translation, insertTranslation, listTranslations, replaceVariants } from '../translations/queries.ts'
import { findSourceHead, listPageStatus } from '../translations/status.queries.ts'
import { readArchived } from './archived.ts'
import { freeId } from './new-ids.ts'
import type { Archive } from './open-archive.ts'

/** A translation in an archive. */
export interface ExportedTranslation {
  id: string
  title: string
  source: { space: string | null; language: string | null }
  variants: {
    language: string
    space: string
    /**
     * Pages marked with a revision of the source in which their original is the same as it is at the time of the
     * export.
     */
    current: string[]
  }[]
}

export const translationsPath = 'translations.json'

const ArchivedTranslations = Type.Array(
  Type.Object({
    id: AnId(),
    title: Type.String({ minLength: 1, maxLength: 100 }),
    source: Type.Object({ space: Nullable(AnId()), language: Nullable(Type.String()) }),
    variants: Type.Array(Type.Object({ language: Type.String(), space: AnId(), current: Type.Array(AnId()) })),
  }),
)

/** Older archives contain no translations. */
export async function readTranslations(archive: Archive): Promise<ExportedTranslation[]> {
  return archive.has(translationsPath) ? readArchived(archive, translationsPath, ArchivedTranslations) : []
}

const all = { limit: 1_000_000, after: undefined }

/**
 * An archive does not contain the history of a source, so it could not be found out later whether a page was behind.
 * Therefore the pages that are current are listed.
 */
export async function listTranslationsToExport(db: Db, organizationId: string): Promise<ExportedTranslation[]> {
  const { rows } = await listTranslations(db, organizationId, all)
  const translations: ExportedTranslation[] = []
  for (const translation of rows) {
    const current = await currentPages(db, translation)
    translations.push({
      id: translation.id,
      title: translation.title,
      source: { space: translation.source_id, language: translation.source_language },
      variants: translation.variants.map(({ language, space_id }) => ({
        language,
        space: space_id,
        current: (current.get(space_id) ?? []).flatMap(({ translated_from, variant_entry }) =>
          translated_from === null ? [] : variant_entry!,
        ),
      })),
    })
  }
  return translations
}

async function currentPages(db: Db, translation: Translation) {
  const head = await findSourceHead(db, translation)
  const { rows } = head
    ? await listPageStatus(db, head, translation.variants, { status: 'current' }, all)
    : { rows: [] }
  return Map.groupBy(rows, ({ space_id }) => space_id)
}

/**
 * Restores translations of the restored spaces. Spaces in the trash are not in the archive, so their language is
 * missing. `ids` are the ids of spaces here, `heads` their newest revisions. Returns how many were restored.
 */
export async function importTranslations(
  tx: Transaction,
  { organizationId, ids }: { organizationId: string; ids: ReadonlyMap<string, string> },
  translations: readonly ExportedTranslation[],
  heads: ReadonlyMap<string, { lineId: string; id: string }>,
): Promise<number> {
  for (const { id, title, source, variants } of translations) {
    const key = { organization_id: organizationId, id: await freeId(tx, sql`translations`, id) }
    const sourceId = ids.get(source.space ?? '') ?? null
    await insertTranslation(tx, { ...key, title, source_id: sourceId, source_language: source.language })
    const here = variants.flatMap(({ language, space, current }) => {
      const spaceId = ids.get(space)
      return spaceId === undefined ? [] : { language, space_id: spaceId, current }
    })
    await replaceVariants(tx, key, here)
    const head = heads.get(sourceId ?? '')
    for (const { space_id, current } of here) {
      if (head) await markWith(tx, organizationId, heads.get(space_id)!.lineId, current, head.id)
    }
    recordChange(tx, { organizationId, target: { type: 'translation', id: key.id }, action: 'translation.created' })
  }
  return translations.length
}

/** The revision that a page was marked with does not exist here, so it is replaced by the one with the same content. */
async function markWith(tx: Transaction, organizationId: string, lineId: string, pages: string[], revision: string) {
  if (pages.length === 0) return
  for (const table of [sql`entries`, sql`heads`]) {
    await tx.run(sql`
      update ${table} set data = jsonb_set(data, '{translatedFrom,revision}', to_jsonb(${revision}::text))
      where organization_id = ${organizationId} and line_id = ${lineId} and entry = any (${pages}::uuid[])
        and data ? 'translatedFrom'`)
  }
}
